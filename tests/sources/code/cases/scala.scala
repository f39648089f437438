package com.example.shop

import com.example.stock.{Shelf, Refill => R}
import scala.collection.mutable._

/** A cart. */
@deprecated("old", "1.0")
final case class Cart[T <: Item](owner: String, items: List[T]) extends Basket[T](owner) with Seller {
  val size: Int = items.size

  /** Adds one. */
  override def add(item: T): Cart[T] = {
    copy(items = items :+ item)
  }

  def twice(x: Int) = x * 2
}

object Cart {
  val Limit = 10
  def empty: Cart[Item] = Cart("nobody", Nil)
}

trait Seller extends Open {
  def sell(): Receipt
}

sealed abstract class State
case object Open extends State

type Pair = (Int, Int)

object Main extends App {
  def run(args: Array[String]): Unit = {
    println(Cart.empty)
  }
}

class CartSuite extends FunSuite {
  test("adds up") {
    assertEquals(1, 1)
  }
}

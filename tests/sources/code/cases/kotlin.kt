package com.example.shop

import com.example.stock.Shelf
import java.util.*

const val LIMIT = 10
private val names = listOf("a", "b")

typealias Handler = (Event) -> Unit

/**
 * A cart.
 */
@Serializable
data class Cart<T : Item>(val owner: String, private val items: List<T>) : Basket<T>(owner), Seller {
    val size: Int get() = items.size

    init {
        require(owner.isNotEmpty())
    }

    constructor(owner: String) : this(owner, emptyList())

    /** Adds one. */
    override suspend fun add(item: T): Cart<T> {
        return copy(items = items + item)
    }

    companion object {
        fun empty() = Cart<Item>("nobody")
    }
}

interface Buyer {
    fun pay(amount: Long)
}

enum class Color { RED, BLUE }

sealed class State {
    object Open : State()
    data class Closed(val why: String) : State()
}

object Registry {
    fun find(name: String): Shelf? = Shelf.open(name)
}

fun String.shout(): String = uppercase()

class CartTest {
    @Test
    fun `adds up`() {
        assertEquals(1, Cart("x").size)
    }
}

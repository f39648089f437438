/*
 * Copyright 2026 Example
 */
package com.example.shop;

import java.util.List;
import static org.junit.Assert.assertEquals;
import com.example.stock.*;

/**
 * A cart of <b>things</b>.
 */
@Entity
@Table(name = "carts")
public class Cart<T extends Item> extends Basket<T> implements Seller, Comparable<Cart<T>> {
  private static final int LIMIT = 10;
  private final List<T> items = new ArrayList<>();

  public Cart(int size) {
    super(size);
  }

  /** Adds one. */
  @Override
  @Deprecated
  public <R> void add(T item)
      throws ShopException {
    items.add(Objects.requireNonNull(item));
  }

  abstract void open();

  enum Color { RED, BLUE; Color next() { return RED; } }

  interface Visitor {
    void visit(Cart<?> cart);
  }

  static class Builder {
    Cart<?> build() {
      return new Cart<>(1);
    }
  }
}

record Point(int x, int y) implements Shape {
  Point {
    check(x);
  }
}

@interface Marker {
  String value() default "";
}

class CartTest {
  @Test
  public void adds() {
    assertEquals(1, new Cart<>(1).size());
  }
}

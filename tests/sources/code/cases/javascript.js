/* eslint-disable */
import React, { useState } from 'react';
import * as api from "./api/client.js";
import './styles.css';
const fs = require('fs');
const { join } = require("node:path");

const LIMIT = 10;
const NAMES = ['a', 'b'];

/**
 * A cart of things.
 * @param {string} owner
 */
export default class Cart extends Basket {
  #items = [];
  static empty = new Cart();

  constructor(owner) {
    super(owner);
    this.#items = [];
  }

  // Adds one thing.
  add(item) {
    this.#items.push(item);
    return notify(item);
  }

  get size() { return this.#items.length; }

  handle = async (event) => {
    await api.send(event);
  };
}

export function View({ cart }) {
  const [open, setOpen] = useState(false);
  return <Panel open={open}>{cart.size}</Panel>;
}

export const total = (cart) => {
  return cart.items.reduce((sum, item) => sum + item.price, 0);
};

const Memo = React.memo(function Inner(props) {
  return <div>{props.name}</div>;
});

exports.helper = function helper() {
  return fs.readFileSync('x');
};

Cart.prototype.clear = function () {
  this.items = [];
};

module.exports = { total, LIMIT };

(function () {
  function hidden() {
    return 1;
  }
})();

describe('Cart', () => {
  beforeEach(() => reset());

  it('adds up', async () => {
    expect(total(new Cart())).toBe(0);
  });
});

//! The shop.

use std::collections::HashMap;
use crate::stock::{Shelf, refill::{self, Refill}};
mod prices;
pub extern crate serde;

pub const LIMIT: usize = 10;
static NAME: &str = "shop";

/// A cart.
///
/// It holds things.
#[derive(Debug, Clone)]
pub struct Cart<T> {
    items: Vec<T>,
}

pub enum Color { Red, Blue }

/// Sells.
pub trait Seller: Send + Open {
    fn sell(&self) -> Receipt;
    fn close(&mut self) {
        self.done();
    }
}

impl<T: Clone> Cart<T> {
    pub const SIZE: usize = 1;

    /// Makes one.
    pub fn new() -> Self {
        Self { items: Vec::new() }
    }
}

impl<T> Seller for Cart<T>
where
    T: Send,
{
    fn sell(&self) -> Receipt {
        print_receipt!(self);
        Receipt::of(self)
    }
}

type Pair = (u8, u8);

macro_rules! cart {
    ($x:expr) => { Cart::new($x) };
}

#[inline]
pub async unsafe fn open_shop<'a>(name: &'a str) -> io::Result<()> {
    let shelf = Shelf::open(name).await?;
    Ok(())
}

pub mod inner {
    pub fn deep() {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sells() {
        assert_eq!(helper(), 1);
    }

    fn helper() -> u8 { 1 }
}

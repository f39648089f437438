using System;
using System.Collections.Generic;
using static System.Math;
using Alias = Example.Stock.Shelf;

namespace Example.Shop
{
    /// <summary>A cart.</summary>
    [Serializable]
    public class Cart<T> : Basket<T>, ISeller where T : Item
    {
        private const int Limit = 10;

        public Cart(int size) : base(size)
        {
        }

        public int Size { get; set; }

        public string Name
        {
            get { return owner.Name; }
            set { owner.Name = value; }
        }

        /// <summary>Adds one.</summary>
        [Obsolete("use Put")]
        public async Task<int> Add(T item)
        {
            items.Add(item);
            return await Notify(item);
        }

        public int Twice(int x) => x * 2;

        public enum Color { Red, Blue }
    }

    public interface ISeller { void Sell(Buyer to); }

    public struct Point { public int X; }

    public record Line(int Amount);

    public delegate void Handler(object sender);

    public class CartTests
    {
        [Fact]
        public void AddsUp()
        {
            Assert.Equal(1, 1);
        }
    }
}

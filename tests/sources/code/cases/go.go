// Package shop sells things.
package shop

import "fmt"
import (
	"context"
	st "example.com/stock/shelf"
)

const Limit = 10

const (
	Red = iota
	Blue
)

var ErrEmpty = errors.New("empty")

// Cart holds things.
type Cart struct {
	st.Shelf
	items []Item
}

type (
	// Buyer pays.
	Buyer interface {
		Pay(ctx context.Context) error
	}
	ID = string
)

// Add puts one in.
func (c *Cart) Add(item Item) error {
	c.items = append(c.items, item)
	return fmt.Errorf("x %v", item)
}

func (m Map[K, V]) Get(k K) V {
	return m.inner[k]
}

func New(
	size int,
) *Cart {
	return &Cart{items: make([]Item, 0, size)}
}

func TestAdd(t *testing.T) {
	New(1).Add(Item{})
}

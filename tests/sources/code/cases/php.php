<?php

declare(strict_types=1);

namespace App\Shop;

use App\Stock\Shelf;
use App\Stock\{Refill, Price as P};
use function App\helper;

require_once __DIR__ . '/boot.php';

const LIMIT = 10;
define('NAME', 'shop');

/**
 * A cart.
 */
#[Entity]
final class Cart extends Basket implements Seller, Countable
{
    use Sums;

    public const SIZE = 1;

    public function __construct(private Shelf $shelf)
    {
        parent::__construct();
    }

    /** Adds one. */
    public function add(Item $item): static
    {
        $this->items[] = $item;
        return notify(new Event($item));
    }

    abstract protected function open(): void;
}

interface Seller
{
    public function sell(): Receipt;
}

trait Sums
{
    public function sum(): int
    {
        return array_sum($this->items);
    }
}

enum Color: string
{
    case Red = 'red';
}

function top_level(int $x): int
{
    return $x;
}

class CartTest extends TestCase
{
    public function test_adds_up(): void
    {
        $this->assertSame(1, 1);
    }
}

import Foundation
import struct Stock.Shelf

let limit = 10
public typealias Handler = (Event) -> Void

/// A cart.
///
/// Holds things.
@frozen
public final class Cart<T: Item>: Basket, Seller {
    private var items: [T] = []

    public init(size: Int) {
        super.init(size)
    }

    deinit {
        close()
    }

    /// Adds one.
    @discardableResult
    public func add(_ item: T) async throws -> Int {
        items.append(item)
        return try await notify(item)
    }

    var size: Int {
        items.count
    }

    subscript(index: Int) -> T {
        items[index]
    }
}

struct Point: Equatable {
    let x: Int
    func moved() -> Point { Point(x: x + 1) }
}

protocol Seller {
    func sell() -> Receipt
}

enum Color: String {
    case red
    case blue
}

extension Cart: CustomStringConvertible where T: Named {
    var description: String { "cart" }
    func shout() -> String {
        description.uppercased()
    }
}

actor Registry {
    func find(name: String) -> Cart<Item>? { nil }
}

func open(_ name: String) -> Shelf {
    Shelf(name)
}

final class CartTests: XCTestCase {
    func testAddsUp() {
        XCTAssertEqual(1, 1)
    }
}

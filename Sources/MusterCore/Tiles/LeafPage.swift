/// Some of a cluster's points, in an order that others' moves do not change: by Morton code, then by id.
package struct LeafPage: Hashable, Sendable {
    /// Ids of points.
    package var points: [Int64]
    /// Where the next page begins; nil when there is nothing left.
    package var next: LeafCursor?

    /// Creates a page.
    package init(points: [Int64], next: LeafCursor?) {
        self.points = points
        self.next = next
    }
}

/// The last point that a reader of leaves has seen: `morton-id`, the first in hexadecimal digits.
package struct LeafCursor: Hashable, Sendable, Comparable {
    package var morton: UInt64
    package var id: Int64

    /// The place of a point in the order of leaves.
    package init(morton: UInt64, id: Int64) {
        self.morton = morton
        self.id = id
    }

    package static func < (left: Self, right: Self) -> Bool { (left.morton, left.id) < (right.morton, right.id) }
}

extension LeafCursor: LosslessStringConvertible {
    package var description: String { "\(String(self.morton, radix: 16))-\(self.id)" }

    /// Reads a cursor; nil unless it is written exactly as `description` does.
    package init?(_ description: String) {
        let parts = description.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let morton = UInt64(parts[0], radix: 16), let id = Int64(parts[1]) else { return nil }
        self.init(morton: morton, id: id)
        guard self.description == description else { return nil }
    }
}

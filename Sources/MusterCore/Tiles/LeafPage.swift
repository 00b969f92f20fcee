/// Some points of a cluster, in an order that moves of other points do not change: by Morton code, then by id.
package struct LeafPage: Hashable, Sendable {
    /// The ids of the points.
    package var points: [Int64]
    /// The start of the next page; nil if there are no more points.
    package var next: LeafCursor?

    /// Creates a page.
    package init(points: [Int64], next: LeafCursor?) {
        self.points = points
        self.next = next
    }
}

/// The last point of a page of leaves: `morton-id`, with the Morton code in hexadecimal.
package struct LeafCursor: Hashable, Sendable, Comparable {
    package var morton: UInt64
    package var id: Int64

    /// Creates the cursor of a point.
    package init(morton: UInt64, id: Int64) {
        self.morton = morton
        self.id = id
    }

    package static func < (left: Self, right: Self) -> Bool { (left.morton, left.id) < (right.morton, right.id) }
}

extension LeafCursor: LosslessStringConvertible {
    package var description: String { "\(String(self.morton, radix: 16))-\(self.id)" }

    /// Parses a cursor; nil unless it has exactly the form of `description`.
    package init?(_ description: String) {
        let parts = description.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let morton = UInt64(parts[0], radix: 16), let id = Int64(parts[1]) else { return nil }
        self.init(morton: morton, id: id)
        guard self.description == description else { return nil }
    }
}

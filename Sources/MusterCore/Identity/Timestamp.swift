/// A moment of wall clock time, in milliseconds since the Unix epoch.
package struct Timestamp: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    package let milliseconds: Int64

    /// Creates a timestamp from milliseconds since the Unix epoch.
    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// A moment later than all others, for an absent deadline.
    package static var never: Self { Self(milliseconds: .max) }

    package static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }

    /// The milliseconds from `earlier` to `later`; negative if `later` is the earlier one.
    package static func - (later: Self, earlier: Self) -> Int64 { later.milliseconds - earlier.milliseconds }

    /// The moment `milliseconds` after `start`.
    package static func + (start: Self, milliseconds: Int64) -> Self {
        Self(milliseconds: start.milliseconds + milliseconds)
    }

    /// The moment `milliseconds` before `end`.
    package static func - (end: Self, milliseconds: Int64) -> Self {
        Self(milliseconds: end.milliseconds - milliseconds)
    }
}

extension Timestamp: Codable {
    package init(from decoder: any Decoder) throws {
        self.init(milliseconds: try decoder.singleValueContainer().decode(Int64.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(self.milliseconds)
    }
}

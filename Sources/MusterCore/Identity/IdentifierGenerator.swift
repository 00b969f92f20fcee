// Layout of an id, from the highest bit: 1 sign (0), 41 milliseconds since 2024-01-01T00:00:00Z, 8 node, 14 counter.
// The counter continues within a millisecond and borrows from the next one when it overflows. So the ids of a generator
// rise strictly even when the wall clock stands still or goes back. 2⁴¹ ms last until 2093.

/// Generates time-ordered 64-bit identifiers for one node.
package struct IdentifierGenerator: Sendable {
    private static let epoch: Int64 = 1_704_067_200_000
    private static let counterBits: Int64 = 14
    private static let nodeBits: Int64 = 8
    /// The number of bits below the milliseconds of an id.
    fileprivate static let tickShift = Self.counterBits + Self.nodeBits

    private let node: Int64
    private var lastTick: Int64 = 0
    private var counter: Int64 = 0

    /// Creates a generator for `node`, 0…255; generators that run concurrently need different numbers.
    package init(node: UInt8) { self.node = Int64(node) }

    /// Returns the next identifier, which is greater than all earlier ones.
    package mutating func next<Subject>(at now: Timestamp) -> Identifier<Subject> {
        let tick = max(now.milliseconds - Self.epoch, 1)
        if tick > self.lastTick {
            self.lastTick = tick
            self.counter = 0
        } else {
            self.counter += 1
            if self.counter >> Self.counterBits > 0 {
                self.lastTick += 1
                self.counter = 0
            }
        }
        let high = self.lastTick << Self.tickShift
        return Identifier(high | self.node << Self.counterBits | self.counter)
    }
}

extension Identifier {
    /// The smallest id that can have been generated the given number of milliseconds before this one.
    package func before(milliseconds: Int64) -> Self {
        let tick = (self.rawValue >> IdentifierGenerator.tickShift) - milliseconds
        return Self(max(0, tick) << IdentifierGenerator.tickShift)
    }
}

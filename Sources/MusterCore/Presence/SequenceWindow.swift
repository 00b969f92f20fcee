// A ring of 1,024 bits: bit n mod 1,024 stands for the number n of (highest − 1,024, highest], and is set when n was seen.
// Numbers at or below the ring count as seen. At the start the ring is full, which says that everything up to the
// acknowledged number was seen; numbers that are skipped when the highest rises are cleared. A device that skips nothing
// never needs the ring: it is there only while something is missing from it.

/// Tells the numbers of a device's fixes that came before from those that are new, in whatever order they arrive.
package struct SequenceWindow: Sendable {
    /// How far below the highest number a late one is still told from a repeated one.
    package static let width: Int64 = 1024

    /// The highest number seen, or acknowledged before the window began.
    package private(set) var highest: Int64
    /// Empty while every number of the ring was seen.
    private var seen: [UInt64] = []

    /// Creates a window for a device of which storage holds everything up to and including `acknowledged`.
    package init(acknowledged: Int64) { self.highest = max(acknowledged, 0) }

    /// Takes a number in; false when it was seen before.
    package mutating func insert(_ number: Int64) -> Bool {
        if number > self.highest {
            let skipped = min(number - self.highest - 1, Self.width)
            for missing in 0..<skipped { self.set(number - 1 - missing, false) }
            self.highest = number
            self.set(number, true)
            return true
        }
        guard number > 0, self.highest - number < Self.width, !self.contains(number) else { return false }
        self.set(number, true)
        if self.seen.allSatisfy({ $0 == .max }) { self.seen = [] }
        return true
    }

    /// Forgets the numbers above `number`, which storage could not take and which will come again.
    package mutating func rollBack(to number: Int64) {
        guard number < self.highest else { return }
        // The bits of the numbers forgotten now stand for numbers below the old ring, which count as seen.
        for forgotten in 0..<min(self.highest - number, Self.width) { self.set(self.highest - forgotten, true) }
        self.highest = max(number, 0)
    }

    private func contains(_ number: Int64) -> Bool {
        guard !self.seen.isEmpty else { return true }
        let bit = Int(number % Self.width)
        return self.seen[bit / 64] >> UInt64(bit % 64) & 1 == 1
    }

    private mutating func set(_ number: Int64, _ isSeen: Bool) {
        if self.seen.isEmpty {
            guard !isSeen else { return }
            self.seen = Array(repeating: .max, count: Int(Self.width) / 64)
        }
        let bit = Int(number % Self.width)
        let mask: UInt64 = 1 << UInt64(bit % 64)
        if isSeen { self.seen[bit / 64] |= mask } else { self.seen[bit / 64] &= ~mask }
    }
}

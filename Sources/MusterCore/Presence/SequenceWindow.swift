// A ring of 1,024 bits: bit n mod 1,024 represents the number n in (highest − 1,024, highest] and is set when n was
// seen. Numbers at or below the ring count as seen. At the start the ring is full, because everything up to the
// acknowledged number was seen. Numbers that are skipped when the highest rises are cleared. A device that skips
// nothing never needs the ring: it is allocated only while a number is missing from it.

/// Distinguishes known fix numbers of a device from new ones, in any order of arrival.
struct SequenceWindow: Sendable {
    /// The distance below the highest number within which a late number is distinguished from a repeated one.
    package static let width: Int64 = 1024

    /// The highest number seen, or acknowledged before the window was created.
    package private(set) var highest: Int64
    /// Empty while every number of the ring was seen.
    private var seen: [UInt64] = []

    /// Creates a window for a device whose fixes up to and including `acknowledged` are stored.
    init(acknowledged: Int64) { self.highest = max(acknowledged, 0) }

    /// Inserts a number; false when it was seen before.
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

    /// Forgets the numbers above `number`, which storage did not accept and the client will resend.
    mutating func rollBack(to number: Int64) {
        guard number < self.highest else { return }
        // The bits of the forgotten numbers now represent numbers below the old ring, which count as seen.
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

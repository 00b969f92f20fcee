/// Growing pauses between attempts, each random between half and all of its length, so that many do not come at once.
package struct Backoff: Sendable {
    private let shortest: Int64
    private let longest: Int64

    /// How many attempts have failed in a row.
    package private(set) var failures = 0

    /// Creates the pauses of attempts of which none has failed.
    ///
    /// - Parameters:
    ///   - shortest: the length of the first pause, in milliseconds; each is twice as long as the one before.
    ///   - longest: the length of none is more.
    package init(shortest: Int64, longest: Int64) {
        precondition(0 < shortest && shortest <= longest, "a backoff needs pauses that grow")
        self.shortest = shortest
        self.longest = longest
    }

    /// Counts a failure.
    ///
    /// - Returns: how many milliseconds to pause.
    package mutating func fail(using generator: inout some RandomNumberGenerator) -> Int64 {
        let length = min(self.shortest << min(self.failures, 16), self.longest)
        self.failures += 1
        return Int64.random(in: length / 2...length, using: &generator)
    }

    /// Counts a failure, by the system's random numbers.
    ///
    /// - Returns: how many milliseconds to pause.
    package mutating func fail() -> Int64 {
        var generator = SystemRandomNumberGenerator()
        return self.fail(using: &generator)
    }

    /// Starts over after a success.
    package mutating func succeed() { self.failures = 0 }
}

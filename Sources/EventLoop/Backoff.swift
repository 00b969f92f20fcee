/// Exponential pauses between attempts.
///
/// Each is random between half and all of its length, so that clients do not retry in step.
package struct Backoff: Sendable {
    private let shortest: Int64
    private let longest: Int64

    /// The number of attempts that have failed in a row.
    package private(set) var failures = 0

    /// Creates a backoff without failures.
    ///
    /// - Parameters:
    ///   - shortest: the length of the first pause, in milliseconds; each later pause is twice as long as the one
    ///     before.
    ///   - longest: the maximum length of a pause, in milliseconds.
    package init(shortest: Int64, longest: Int64) {
        precondition(0 < shortest && shortest <= longest, "a backoff needs pauses that grow")
        self.shortest = shortest
        self.longest = longest
    }

    /// Counts a failure.
    ///
    /// - Returns: the length of the pause, in milliseconds.
    package mutating func fail(using generator: inout some RandomNumberGenerator) -> Int64 {
        let length = min(self.shortest << min(self.failures, 16), self.longest)
        self.failures += 1
        return Int64.random(in: length / 2...length, using: &generator)
    }

    /// Counts a failure, with the system's random number generator.
    ///
    /// - Returns: the length of the pause, in milliseconds.
    package mutating func fail() -> Int64 {
        var generator = SystemRandomNumberGenerator()
        return self.fail(using: &generator)
    }

    /// Resets the pauses after a success.
    package mutating func succeed() { self.failures = 0 }
}

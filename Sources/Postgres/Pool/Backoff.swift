/// Growing pauses between attempts, each random between half and all of its length, so that many do not come at once.
struct Backoff {
    private static let shortest: Int64 = 100
    private static let longest: Int64 = 10_000

    /// How many attempts have failed in a row.
    private(set) var failures = 0

    /// Counts a failure.
    ///
    /// - Returns: how many milliseconds to pause.
    mutating func fail(using generator: inout some RandomNumberGenerator) -> Int64 {
        let length = min(Self.shortest << min(self.failures, 16), Self.longest)
        self.failures += 1
        return Int64.random(in: length / 2...length, using: &generator)
    }

    /// Starts over after a success.
    mutating func succeed() { self.failures = 0 }
}

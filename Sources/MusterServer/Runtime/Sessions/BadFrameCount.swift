/// Counts the bad frames of a session over the last minute.
struct BadFrameCount {
    private static let limit = 20
    private static let window: Int64 = 60_000

    private var times: [Int64] = []

    /// Counts a bad frame at `now` (milliseconds).
    ///
    /// - Returns: whether the limit is reached.
    mutating func add(at now: Int64) -> Bool {
        self.times.removeAll { now - $0 >= Self.window }
        self.times.append(now)
        return self.times.count >= Self.limit
    }
}

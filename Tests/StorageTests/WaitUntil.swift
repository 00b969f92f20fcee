import Testing

/// Polls until `condition` holds; fails after five minutes.
func waitUntil(_ condition: () async throws -> Bool) async throws {
    let clock = ContinuousClock()
    let end = clock.now + .seconds(300)
    while try await !condition() {
        try #require(clock.now < end, "it did not happen in five minutes")
        try await Task.sleep(for: .milliseconds(2))
    }
}

import Testing

/// Looks again and again until `condition` holds; fails after half a minute.
func waitUntil(_ condition: () async throws -> Bool) async throws {
    let clock = ContinuousClock()
    let end = clock.now + .seconds(30)
    while try await !condition() {
        try #require(clock.now < end, "it did not happen in half a minute")
        try await Task.sleep(for: .milliseconds(2))
    }
}

/// What `welcome` tells every client about the server's pace and limits.
package struct ServerTerms: Sendable, Equatable {
    /// Milliseconds between the server's ticks.
    package var tick: Int
    /// Milliseconds between the server's WebSocket pings.
    package var ping: Int
    /// The longest frame, in bytes.
    package var frameBytes: Int
    /// Fixes that a session may send each second over time.
    package var fixesPerSecond: Double
    /// The most fixes in one frame.
    package var fixesPerFrame: Int

    /// Creates terms; the defaults are the protocol's.
    package init(
        tick: Int = 1000,
        ping: Int = 25_000,
        frameBytes: Int = 65_536,
        fixesPerSecond: Double = 10,
        fixesPerFrame: Int = FixBatch.maximumCount
    ) {
        self.tick = tick
        self.ping = ping
        self.frameBytes = frameBytes
        self.fixesPerSecond = fixesPerSecond
        self.fixesPerFrame = fixesPerFrame
    }
}

/// The server's intervals and limits in the `welcome` frame.
package struct ServerTerms: Sendable, Equatable {
    /// Milliseconds between the server's ticks.
    package var tick: Int
    /// Milliseconds between the server's WebSocket pings.
    package var ping: Int
    /// The maximum size of a frame in bytes.
    package var frameBytes: Int
    /// The long-term rate of fixes that a session may send in a second.
    package var fixesPerSecond: Double
    /// The maximum number of fixes in one frame.
    package var fixesPerFrame: Int

    /// Creates terms with the protocol's defaults.
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

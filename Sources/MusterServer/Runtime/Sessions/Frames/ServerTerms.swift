/// The server's intervals and limits in the `welcome` frame.
import MusterWire

package struct ServerTerms: Sendable, Equatable {
    /// Milliseconds between the server's ticks.
    var tick: Int = 1000
    /// Milliseconds between the server's WebSocket pings.
    var ping: Int = 25_000
    /// The maximum size of a frame in bytes.
    var frameBytes: Int = 65_536
    /// The long-term rate of fixes that a session may send in a second.
    var fixesPerSecond: Double = 10
    /// The maximum number of fixes in one frame.
    var fixesPerFrame: Int = FixBatch.maximumCount
}

package import EventLoop

/// What an application can ask of the shard it lives on; for use on the shard's thread alone.
package protocol GatewayShard: AnyObject {
    /// The shard's number, counted from 0.
    var index: Int { get }

    /// The clock of the gateway.
    var clock: MonotonicClock { get }

    /// Milliseconds of the monotonic clock, read once a turn.
    var now: Int64 { get }

    /// The open connection with this id.
    func connection(_ id: ConnectionID) -> Connection?

    /// Answers a request; ignored when its client has gone.
    func respond(_ id: RequestID, _ response: HTTPResponse)

    /// Stops reading all sockets of the shard.
    func pauseAllReading()

    /// Reads all sockets again, but for those paused one by one.
    func resumeAllReading()
}

import MusterCore
import WebSocketGateway

/// The way to the world: what happened goes in, in the order in which it is handed over.
///
/// Inputs are values that can be encoded, nothing is asked back, and what comes of them reaches shards, journal and waiting
/// requests as effects. So whoever has a link does not know whether the world is in this process.
protocol WorldLink: AnyObject, Sendable {
    /// Hands one input over, from any thread.
    func send(_ input: WorldInput)

    /// Hands several inputs over, which are applied without a gap; leaves the array empty with its capacity.
    func send(contentsOf inputs: inout [WorldInput])

    /// Hands over what the turn of a shard brought, on the shard's thread; leaves the array empty with its capacity.
    ///
    /// - Returns: whether the shard may go on reading; one that may not is told by `resumeAllReading`.
    func deliver(_ inputs: inout [WorldInput]) -> WorldIntake

    /// Says that nobody of a shard follows a topic any more, on the shard's thread.
    func unfollowed(_ topic: UnfollowedTopic)

    /// What the world has done so far, as of the last tick.
    var metrics: WorldStatistics { get }
}

/// Whether the world keeps up with what is handed over.
enum WorldIntake: Equatable {
    /// It does.
    case open
    /// It has too much to do: who brings more waits until it has caught up.
    case full
}

/// What a shard says of a topic that nobody there follows any more; see `TopicDirectory`.
struct UnfollowedTopic: Sendable {
    let topic: TopicID
    let shard: Int
    /// The last subscription that the shard knew of.
    let number: UInt64
}

import MusterCore

/// The way to the world: what happened goes in, in the order in which it is handed over.
///
/// Inputs are values that can be encoded, nothing is asked back, and what comes of them reaches shards, journal and waiting
/// requests as effects. So whoever has a link does not know whether the world is in this process.
protocol WorldLink: TopicSource {
    /// Hands one input over, from any thread.
    func send(_ input: WorldInput)

    /// Hands several inputs over, which are applied without a gap; leaves the array empty with its capacity.
    func send(contentsOf inputs: inout [WorldInput])

    /// Hands over what the turn of a shard brought, on the shard's thread; leaves the array empty with its capacity.
    ///
    /// - Returns: whether the shard may go on reading; one that may not is told by `resumeAllReading`.
    func deliver(_ inputs: inout [WorldInput]) -> WorldIntake

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

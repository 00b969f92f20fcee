import MusterCore

/// The link to the world.
///
/// Inputs are applied in the order in which they are sent.
///
/// Inputs are values that can be encoded, and they have no return value. Their results reach shards, journal and
/// waiting requests as effects. So the user of a link does not know whether the world is in this process.
protocol WorldLink: TopicSource {
    /// Sends one input, from any thread.
    func send(_ input: WorldInput)

    /// Sends several inputs, which are applied without a gap; leaves the array empty with its capacity.
    func send(contentsOf inputs: inout [WorldInput])

    /// Sends the inputs of one iteration of a shard, on the shard's thread; leaves the array empty with its capacity.
    ///
    /// - Returns: whether the shard may go on reading. If not, `resumeAllReading` ends the pause.
    func deliver(_ inputs: inout [WorldInput]) -> WorldIntake

    /// The world's statistics, as of the last tick.
    var metrics: WorldStatistics { get }
}

/// Whether the world keeps up with its inputs.
enum WorldIntake: Equatable {
    /// The world keeps up.
    case open
    /// The world is overloaded; senders wait until it has caught up.
    case full
}

/// A connection's subscription to one topic.
final class Subscription {
    /// The state of the topic that the client has.
    enum Progress {
        /// Nothing, or too little. The client gets a full snapshot next.
        case nothing
        /// The version that the client had when it resumed. It gets a difference next.
        case resumed(UInt64)
        /// Everything up to a version.
        case sent(UInt64)
    }

    // Unretained: the end of a connection first removes its subscriptions from their channels. Reference counting would
    // cost on every change, which visits ten of them.
    let subscriber: Unmanaged<Connection>
    let channel: TopicChannel
    var progress: Progress
    /// Whether the connection's output queue contains this subscription.
    var isQueued = false
    /// Whether the kind's follower rule lets the connection receive updates.
    var isAdmitted = true
    /// The index in the channel's list.
    var place: Int32 = 0
    // Last, because the three fields before it fill the word that `progress` begins.
    /// The lowest key that the connection may see.
    let lowestKey: Int64

    init(connection: Connection, channel: TopicChannel, progress: Progress, lowestKey: Int64) {
        self.subscriber = .passUnretained(connection)
        self.channel = channel
        self.progress = progress
        self.lowestKey = lowestKey
    }

    var connection: Connection { self.subscriber.takeUnretainedValue() }
}

@available(*, unavailable)
extension Subscription: Sendable {}

/// One connection's place in one topic.
final class Subscription {
    /// What the connection has of the topic.
    enum Progress {
        /// Nothing, or too little; it starts anew.
        case nothing
        /// What it held when it resumed; a difference comes next.
        case resumed(UInt64)
        /// Everything up to a version.
        case sent(UInt64)
    }

    // Unchecked: a connection's end takes its subscriptions out of their channels first, and each change looks at ten.
    let subscriber: Unmanaged<Connection>
    let channel: TopicChannel
    var progress: Progress
    /// Whether the connection's queue already names this subscription.
    var isQueued = false
    /// Whether the kind's rule on followers lets the connection be told.
    var isAdmitted = true
    /// The place in the channel's list.
    var place: Int32 = 0
    // Last, for the three before it fill the word that the progress begins.
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

/// One connection's place in one topic.
final class Subscription {
    /// What the connection has of the topic.
    enum Progress {
        /// Nothing; a full frame comes next.
        case nothing
        /// What it held when it resumed; a difference comes next.
        case resumed(UInt64)
        /// Everything up to a version.
        case sent(UInt64)
    }

    // Unchecked: a connection's end takes its subscriptions out of their channels first, and each move looks at ten.
    let subscriber: Unmanaged<Connection>
    let channel: TopicChannel
    var progress: Progress
    /// Whether the connection's queue already names this subscription.
    var isQueued = false
    /// The place in the channel's list.
    var place: Int32 = 0

    init(connection: Connection, channel: TopicChannel, progress: Progress) {
        self.subscriber = .passUnretained(connection)
        self.channel = channel
        self.progress = progress
    }

    var connection: Connection { self.subscriber.takeUnretainedValue() }
}

@available(*, unavailable)
extension Subscription: Sendable {}

/// A topic that was written lately, while the shard is busy.
struct RestingTopic {
    let channel: TopicChannel
    /// When it was written, in nanoseconds.
    let since: Int64
}

@available(*, unavailable)
extension RestingTopic: Sendable {}

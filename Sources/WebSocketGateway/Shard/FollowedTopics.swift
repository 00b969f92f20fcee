/// The subscriptions of a connection.
///
/// A connection follows hundreds of tile topics, which are stored by id. The other topics are few and stored in place.
struct FollowedTopics {
    /// The topics that may have deferred changes, and other kinds with few topics a connection.
    private(set) var few = InlineQueue<Subscription>()
    /// The topics of kinds that share frames and never defer changes.
    private var many: [TopicID: Subscription] = [:]

    /// Creates an empty set.
    init() {}

    /// The number of subscriptions.
    var count: Int { self.few.count + self.many.count }

    /// Returns the subscription to a topic; nil when there is none.
    func subscription(to id: TopicID) -> Subscription? {
        self.few.first { $0.channel.topic.id == id } ?? (self.many.isEmpty ? nil : self.many[id])
    }

    /// Adds a subscription to a new topic.
    mutating func append(_ subscription: Subscription) {
        if Self.isOfMany(subscription) {
            self.many[subscription.channel.topic.id] = subscription
        } else {
            self.few.append(subscription)
        }
    }

    /// Removes a subscription.
    mutating func remove(_ subscription: Subscription) {
        if Self.isOfMany(subscription) {
            self.many[subscription.channel.topic.id] = nil
        } else {
            self.few.removeAll { $0 === subscription }
        }
    }

    /// Calls `body` with each subscription.
    func forEachSubscription(_ body: (Subscription) -> Void) {
        for subscription in self.few { body(subscription) }
        for subscription in self.many.values { body(subscription) }
    }

    private static func isOfMany(_ subscription: Subscription) -> Bool {
        let rules = subscription.channel.rules
        return rules.joinsTopics && rules.pacing != .conflated
    }
}

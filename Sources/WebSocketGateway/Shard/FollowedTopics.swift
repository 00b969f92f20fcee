/// What a connection follows.
///
/// Of tiles and their like it follows hundreds: those are found by their names. All else is few, and lies in place.
struct FollowedTopics {
    /// The topics of which something may be deferred, and others of which a connection follows few.
    private(set) var few = InlineQueue<Subscription>()
    /// Topics that share frames, of which nothing is ever deferred.
    private var many: [TopicID: Subscription] = [:]

    /// Begins with nothing.
    init() {}

    /// How many there are.
    var count: Int { self.few.count + self.many.count }

    /// What is followed of a topic; nil when it isn't.
    func subscription(to id: TopicID) -> Subscription? {
        self.few.first { $0.channel.topic.id == id } ?? (self.many.isEmpty ? nil : self.many[id])
    }

    /// Adds a topic that is not among them.
    mutating func append(_ subscription: Subscription) {
        if Self.isOfMany(subscription) {
            self.many[subscription.channel.topic.id] = subscription
        } else {
            self.few.append(subscription)
        }
    }

    /// Takes a topic out.
    mutating func remove(_ subscription: Subscription) {
        if Self.isOfMany(subscription) {
            self.many[subscription.channel.topic.id] = nil
        } else {
            self.few.removeAll { $0 === subscription }
        }
    }

    /// Tells of each.
    func forEachSubscription(_ tell: (Subscription) -> Void) {
        for subscription in self.few { tell(subscription) }
        for subscription in self.many.values { tell(subscription) }
    }

    private static func isOfMany(_ subscription: Subscription) -> Bool {
        let rules = subscription.channel.rules
        return rules.joinsTopics && rules.pacing != .conflated
    }
}

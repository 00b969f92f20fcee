import WebSocketGateway

// Which sessions follow a topic is known to their shard alone; here it is known which shards have a mirror. A shard says when
// nobody there follows a topic any more; meanwhile another may have been sent there. So subscriptions are numbered: a shard
// names the last that it knew of, and the mirror is closed only if that was the last that was sent.

/// Which shards mirror which topics, so that one does exactly while somebody there follows.
struct TopicDirectory {
    /// What a shard must be sent for a subscription.
    struct Subscription: Equatable {
        /// Whether it has no mirror yet, and must be sent one first.
        let opensMirror: Bool
        /// The number of the subscription.
        let number: UInt64
    }

    /// The numbers of the last subscriptions that were sent, by shard; 0 for a shard without a mirror.
    private var mirrors: [TopicID: [UInt64]] = [:]
    private var lastNumber: UInt64 = 0

    /// Notes that a shard is sent a subscription.
    mutating func subscribe(to topic: TopicID, on shard: Int) -> Subscription {
        self.lastNumber += 1
        // In place: taken out and put back it would be copied.
        let missing = shard + 1 - self.mirrors[topic, default: []].count
        if missing > 0 { self.mirrors[topic, default: []].append(contentsOf: repeatElement(0, count: missing)) }
        let opensMirror = self.mirrors[topic, default: []][shard] == 0
        self.mirrors[topic, default: []][shard] = self.lastNumber
        return Subscription(opensMirror: opensMirror, number: self.lastNumber)
    }

    /// Notes that nobody of a shard follows a topic, as of a subscription.
    ///
    /// - Returns: whether the shard is to close its mirror.
    mutating func unfollow(_ topic: TopicID, on shard: Int, since number: UInt64) -> Bool {
        guard let numbers = self.mirrors[topic], shard < numbers.count, numbers[shard] == number, number > 0 else {
            return false
        }
        if numbers.indices.allSatisfy({ $0 == shard || numbers[$0] == 0 }) {
            self.mirrors[topic] = nil
        } else {
            self.mirrors[topic]?[shard] = 0
        }
        return true
    }

    /// Forgets a topic that is no longer kept.
    ///
    /// - Returns: the shards that mirror it.
    mutating func remove(_ topic: TopicID) -> [Int] {
        guard let numbers = self.mirrors.removeValue(forKey: topic) else { return [] }
        return numbers.indices.filter { numbers[$0] > 0 }
    }

    /// The shards that mirror a topic.
    func shards(mirroring topic: TopicID) -> some Collection<Int> {
        let numbers = self.mirrors[topic] ?? []
        return numbers.indices.lazy.filter { numbers[$0] > 0 }
    }
}

import WebSocketGateway

// Only the shard knows which of its sessions follow a topic; this directory knows which shards have a mirror. A shard
// reports when its last session has unfollowed a topic. Meanwhile another subscription may have been sent to that
// shard. So subscriptions are numbered, and the report names the last one that the shard knows. The mirror is closed
// only if no later subscription was sent.

/// Tracks which shards mirror which topics.
///
/// A shard has a mirror exactly while one of its sessions follows the topic.
struct TopicDirectory {
    /// A subscription as it is sent to a shard.
    struct Subscription: Equatable {
        /// Whether the shard has no mirror yet and must receive a snapshot first.
        let opensMirror: Bool
        /// The number of the subscription.
        let number: UInt64
    }

    /// The numbers of the last subscriptions that were sent, by shard; 0 for a shard without a mirror.
    private var mirrors: [TopicID: [UInt64]] = [:]
    private var lastNumber: UInt64 = 0

    /// Records a subscription that is sent to a shard.
    mutating func subscribe(to topic: TopicID, on shard: Int) -> Subscription {
        self.lastNumber += 1
        // In place, because reading the array out and writing it back would copy it.
        let missing = shard + 1 - self.mirrors[topic, default: []].count
        if missing > 0 { self.mirrors[topic, default: []].append(contentsOf: repeatElement(0, count: missing)) }
        let opensMirror = self.mirrors[topic, default: []][shard] == 0
        self.mirrors[topic, default: []][shard] = self.lastNumber
        return Subscription(opensMirror: opensMirror, number: self.lastNumber)
    }

    /// Records that no session of a shard follows a topic any more, as of a subscription.
    ///
    /// - Returns: whether the shard must close its mirror.
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

    /// Removes a topic that is no longer kept.
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

import EventLoop
import WebSocketGateway

/// A source of topics that shards mirror.
protocol TopicSource: AnyObject, Sendable {
    /// Reports that no session of a shard follows a topic any more; called on the shard's thread.
    func unfollowed(_ topic: UnfollowedTopic)
}

/// A shard's report of a topic that none of its sessions follows any more; see `TopicDirectory`.
struct UnfollowedTopic: Sendable {
    let topic: TopicID
    let shard: Int
    /// The last subscription that the shard knew.
    let number: UInt64
}

/// The outbox of a source of topics: the commands of one iteration for the shards, and which shards mirror which
/// topics.
///
/// Each source has its own outbox, on its own thread.
struct TopicOutbox {
    private let shards: any ShardOutlet
    private let unfollowed: Mailbox<UnfollowedTopic>
    private var directory = TopicDirectory()

    // Reused across iterations for their capacity.
    private var commands: [[GatewayCommand]]
    private var unfollowedTopics: [UnfollowedTopic] = []

    /// Creates an outbox to `shards`, which report topics without followers through `unfollowed`.
    init(to shards: any ShardOutlet, unfollowed: Mailbox<UnfollowedTopic>) {
        self.shards = shards
        self.unfollowed = unfollowed
        self.commands = Array(repeating: [], count: shards.shardCount)
    }

    /// Adds a command for a shard.
    mutating func send(_ command: GatewayCommand, toShard shard: Int) { self.commands[shard].append(command) }

    /// Adds a command for all shards.
    mutating func sendToAll(_ command: GatewayCommand) {
        for shard in self.commands.indices { self.commands[shard].append(command) }
    }

    /// Sends each shard its commands.
    mutating func deliver() {
        for shard in self.commands.indices where !self.commands[shard].isEmpty {
            self.shards.send(contentsOf: &self.commands[shard], toShard: shard)
        }
    }

    // MARK: - Topics

    /// Subscribes a connection to a topic.
    ///
    /// - Parameters:
    ///   - connection: the follower.
    ///   - topic: the topic.
    ///   - resume: the position that the client has reached.
    ///   - lowestKey: the lowest key that the client may see.
    ///   - snapshot: called when the connection's shard has no mirror yet; when it returns nil, nothing is sent.
    mutating func subscribe(
        _ connection: ConnectionID,
        to topic: TopicID,
        resume: TopicPosition? = nil,
        lowestKey: Int64 = .min,
        opening snapshot: () -> TopicSnapshot?
    ) {
        let shard = connection.shard
        let subscription = self.directory.subscribe(to: topic, on: shard)
        if subscription.opensMirror {
            guard let snapshot = snapshot() else {
                _ = self.directory.unfollow(topic, on: shard, since: subscription.number)
                return
            }
            self.commands[shard].append(.openTopic(snapshot))
        }
        let request = TopicSubscription(resume: resume, lowestKey: lowestKey, number: subscription.number)
        self.commands[shard].append(.subscribe(connection, topic, request))
    }

    /// Unsubscribes a connection from a topic.
    mutating func unsubscribe(_ connection: ConnectionID, from topic: TopicID) {
        self.commands[connection.shard].append(.unsubscribe(connection, topic))
    }

    /// Sends a change to the shards that mirror a topic.
    ///
    /// The change is created only if there are any.
    mutating func update(_ topic: TopicID, _ change: () -> TopicChange) {
        let shards = self.directory.shards(mirroring: topic)
        guard !shards.isEmpty else { return }
        let change = change()
        for shard in shards { self.commands[shard].append(.updateTopic(change)) }
    }

    /// Closes all mirrors of a topic that is no longer kept.
    mutating func close(_ topic: TopicID) {
        for shard in self.directory.remove(topic) { self.commands[shard].append(.closeTopic(topic)) }
    }

    /// Closes the mirrors on shards where no session follows the topic any more.
    mutating func closeMirrors() {
        self.unfollowed.drain(into: &self.unfollowedTopics)
        for unfollowed in self.unfollowedTopics
        where self.directory.unfollow(unfollowed.topic, on: unfollowed.shard, since: unfollowed.number) {
            self.commands[unfollowed.shard].append(.closeTopic(unfollowed.topic))
        }
    }
}

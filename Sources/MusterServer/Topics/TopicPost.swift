import EventLoop
import WebSocketGateway

/// What is told of topics that nobody follows any more: whoever has them mirrored.
protocol TopicSource: AnyObject, Sendable {
    /// Says that nobody of a shard follows a topic any more, on the shard's thread.
    func unfollowed(_ topic: UnfollowedTopic)
}

/// What a shard says of a topic that nobody there follows any more; see `TopicDirectory`.
struct UnfollowedTopic: Sendable {
    let topic: TopicID
    let shard: Int
    /// The last subscription that the shard knew of.
    let number: UInt64
}

/// What a source of topics has for the shards: the commands of a turn, and which shards mirror which of its topics.
///
/// Each source has one of its own, on its thread.
struct TopicPost {
    private let shards: any ShardOutlet
    private let unfollowed: Mailbox<UnfollowedTopic>
    private var directory = TopicDirectory()

    // Kept from turn to turn for their capacity.
    private var commands: [[GatewayCommand]]
    private var unfollowedTopics: [UnfollowedTopic] = []

    /// Creates a post to `shards`, which say by `unfollowed` what nobody follows any more.
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

    /// Hands each shard what is for it.
    mutating func deliver() {
        for shard in self.commands.indices where !self.commands[shard].isEmpty {
            self.shards.send(contentsOf: &self.commands[shard], toShard: shard)
        }
    }

    // MARK: - Topics

    /// Lets a connection follow a topic.
    ///
    /// - Parameters:
    ///   - connection: who follows.
    ///   - topic: what.
    ///   - resume: how far the client has come.
    ///   - lowestKey: the lowest key that it may see.
    ///   - snapshot: asked when the connection's shard has no mirror yet; nothing follows when it is nil.
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

    /// Lets a connection follow a topic no longer.
    mutating func unsubscribe(_ connection: ConnectionID, from topic: TopicID) {
        self.commands[connection.shard].append(.unsubscribe(connection, topic))
    }

    /// Tells the shards that mirror a topic of a change, which is made when there are any.
    mutating func update(_ topic: TopicID, _ change: () -> TopicChange) {
        let shards = self.directory.shards(mirroring: topic)
        guard !shards.isEmpty else { return }
        let change = change()
        for shard in shards { self.commands[shard].append(.updateTopic(change)) }
    }

    /// Ends a topic that is no longer kept.
    mutating func close(_ topic: TopicID) {
        for shard in self.directory.remove(topic) { self.commands[shard].append(.closeTopic(topic)) }
    }

    /// Has shards close mirrors that nobody there follows any more.
    mutating func closeMirrors() {
        self.unfollowed.drain(into: &self.unfollowedTopics)
        for unfollowed in self.unfollowedTopics
        where self.directory.unfollow(unfollowed.topic, on: unfollowed.shard, since: unfollowed.number) {
            self.commands[unfollowed.shard].append(.closeTopic(unfollowed.topic))
        }
    }
}

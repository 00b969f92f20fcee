import EventLoop
import MusterWire

extension ShardCore {
    func openTopic(_ snapshot: TopicSnapshot) {
        guard let channel = self.channels[snapshot.id] else {
            self.channels[snapshot.id] = TopicChannel(snapshot, kind: self.kinds[snapshot.id])
            return
        }
        channel.reopen(snapshot)
        self.plan.announceAll(of: channel)
    }

    func updateTopic(_ change: TopicChange) {
        guard let channel = self.channels[change.topic], channel.apply(change) else { return }
        self.plan.announce(change, of: channel, at: Pacer.now)
        if case .tail = channel.rules.memory { self.noteTail(of: channel) }
    }

    func closeTopic(_ id: TopicID) {
        guard let channel = self.channels.removeValue(forKey: id) else { return }
        self.plan.close(channel)
        for subscription in channel.close() { self.detach(subscription) }
    }

    /// Subscribes a connection.
    ///
    /// Without one, only records the number of the subscription.
    func subscribe(_ connection: Connection?, to id: TopicID, _ request: TopicSubscription) {
        guard let channel = self.channels[id] else { return }
        channel.lastSubscription = request.number
        guard let connection, connection.isOpen else { return self.noteFollowers(of: channel) }
        if let earlier = connection.subscriptions.subscription(to: id) {
            channel.remove(earlier)
            self.detach(earlier)
        }
        let subscription = Subscription(
            connection: connection,
            channel: channel,
            progress: channel.progress(from: request.resume),
            lowestKey: request.lowestKey
        )
        channel.add(subscription)
        connection.subscriptions.append(subscription)
        self.plan.enqueue(subscription, at: Pacer.now)
    }

    func unsubscribe(_ connection: Connection, from id: TopicID) {
        guard let subscription = connection.subscriptions.subscription(to: id) else { return }
        self.detach(subscription)
        self.end(subscription)
    }

    /// Removes a subscription from its topic, and notifies the application when it was the last one.
    func end(_ subscription: Subscription) {
        subscription.channel.remove(subscription)
        self.noteFollowers(of: subscription.channel)
    }

    private func noteFollowers(of channel: TopicChannel) {
        guard channel.subscribers.isEmpty else { return }
        self.events?.topicUnfollowed(channel.topic.id, since: channel.lastSubscription)
    }

    private func noteTail(of channel: TopicChannel) {
        channel.changedAt = self.now
        guard !channel.isTailListed else { return }
        channel.isTailListed = true
        self.tailedChannels.append(channel)
    }

    private func detach(_ subscription: Subscription) {
        let connection = subscription.connection
        connection.subscriptions.remove(subscription)
        guard subscription.isQueued else { return }
        connection.outgoing.removeAll { item in
            if case .topic(let other) = item { other === subscription } else { false }
        }
    }
}

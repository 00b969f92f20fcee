import EventLoop
import MusterWire

extension ShardCore {
    func openTopic(_ snapshot: TopicSnapshot) {
        guard let channel = self.channels[snapshot.id] else {
            self.channels[snapshot.id] = TopicChannel(snapshot)
            return
        }
        channel.reopen(snapshot)
        for subscription in channel.subscribers { self.enqueue(subscription) }
    }

    func updateTopic(_ change: TopicChange) {
        guard let channel = self.channels[change.topic], channel.apply(change) else { return }
        let mover = change.onlyMover
        if channel.isResting, !channel.isAnnounced(flushes: self.flushes), change.isOnlyMoves {
            if channel.held == .nothing { self.heldTopics += 1 }
            channel.hold(mover: mover)
            return
        }
        self.announce(channel, mover: self.takeHeld(of: channel) == .nothing ? mover : nil)
    }

    /// Queues the subscribers who are to be told of a change; `mover` when somebody's move is all that is new.
    private func announce(_ channel: TopicChannel, mover: Int64?) {
        switch channel.announce(mover: mover, flushes: self.flushes) {
        case .all:
            channel.prefetchSubscribers()
            for subscription in channel.subscribers {
                let isOwn = mover != nil && subscription.connection.ownKey == mover
                self.enqueue(subscription, isOwn ? .soon : .now)
            }
            if self.topicRest > 0 { self.announced.append(channel) }
        case .mover(let earlier):
            for subscription in channel.subscribers where subscription.connection.ownKey == earlier {
                self.enqueue(subscription, .now)
            }
        case .nobody: break
        }
    }

    private func takeHeld(of channel: TopicChannel) -> TopicChannel.Held {
        if channel.held != .nothing { self.heldTopics -= 1 }
        return channel.takeHeld()
    }

    /// Lets the topics that are written now rest from `time` on.
    func beginTopicRests(at time: Int64) {
        for channel in self.announced where !channel.isResting {
            channel.isResting = true
            self.resting.append(RestingTopic(channel: channel, since: time))
        }
        self.announced.removeAll(keepingCapacity: true)
    }

    /// Lets be written what moved in topics that have rested for long enough.
    func endTopicRests() {
        guard !self.resting.isEmpty else { return }
        let time = Pacer.now
        let end = time - self.topicRest
        while let topic = self.resting.popFirst(where: { $0.since <= end }) {
            let channel = topic.channel
            channel.isResting = false
            switch self.takeHeld(of: channel) {
            case .nothing: break
            case .mover(let mover): self.announce(channel, mover: mover)
            case .several: self.announce(channel, mover: nil)
            }
        }
        guard self.heldTopics > 0, let next = self.resting.first else { return }
        // A busy loop turns earlier by itself; a wake of its own for each topic would cost more than it is worth.
        self.loop?.turn(after: (next.since + self.topicRest - time) / 1_000_000 + 1)
    }

    /// Lets what a connection has not been told yet of its topics go out with the answer that is queued next.
    func enqueueHeld(of connection: Connection) {
        for subscription in connection.subscriptions where subscription.channel.held != .nothing {
            self.enqueue(subscription)
        }
    }

    func closeTopic(_ id: TopicID) {
        guard let channel = self.channels.removeValue(forKey: id) else { return }
        _ = self.takeHeld(of: channel)
        for subscription in channel.close() { self.detach(subscription) }
    }

    func subscribe(_ connection: Connection, to id: TopicID, resume: TopicPosition?) {
        guard connection.isOpen, let channel = self.channels[id] else { return }
        self.unsubscribe(connection, from: id)
        let progress: Subscription.Progress =
            if let resume, channel.topic.canResume(from: resume) { .resumed(resume.version) } else { .nothing }
        let subscription = Subscription(connection: connection, channel: channel, progress: progress)
        channel.add(subscription)
        connection.subscriptions.append(subscription)
        self.enqueue(subscription)
    }

    func unsubscribe(_ connection: Connection, from id: TopicID) {
        guard let subscription = connection.subscriptions.first(where: { $0.channel.topic.id == id }) else { return }
        subscription.channel.remove(subscription)
        self.detach(subscription)
    }

    /// Names the subscription in its connection's queue, so that it keeps its place among the answers.
    private func enqueue(_ subscription: Subscription, _ urgency: Urgency = .now) {
        let connection = subscription.connection
        guard connection.isOpen else { return }
        if !subscription.isQueued {
            subscription.isQueued = true
            connection.outgoing.append(.topic(subscription))
        }
        self.mark(connection, urgency)
    }

    private func detach(_ subscription: Subscription) {
        let connection = subscription.connection
        connection.subscriptions.removeAll { $0 === subscription }
        guard subscription.isQueued else { return }
        connection.outgoing.removeAll { item in
            if case .topic(let other) = item { other === subscription } else { false }
        }
    }
}

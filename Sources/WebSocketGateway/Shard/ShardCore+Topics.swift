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
        switch channel.announce(mover: mover, flushes: self.flushes) {
        case .all:
            for subscription in channel.subscribers {
                let isOwn = mover != nil && subscription.connection.ownKey == mover
                self.enqueue(subscription, isOwn ? .soon : .now)
            }
        case .mover(let earlier):
            for subscription in channel.subscribers where subscription.connection.ownKey == earlier {
                self.enqueue(subscription, .now)
            }
        case .nobody: break
        }
    }

    func closeTopic(_ id: TopicID) {
        guard let channel = self.channels.removeValue(forKey: id) else { return }
        for subscription in channel.subscribers { self.detach(subscription) }
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

/// A mirrored topic with its subscribers and their cached frames.
///
/// A frame depends on the topic and on the subscriber's position, so subscribers with the same position share a frame.
final class TopicChannel {
    private struct Frame {
        enum Shape {
            case reset
            case difference
        }

        let shape: Shape
        let cursor: TopicCursor
        let payload: [UInt8]
    }

    private struct Update {
        let cursor: TopicCursor
        let payload: [UInt8]
    }

    let kind: any TopicKind
    let rules: TopicRules
    private(set) var topic: Topic
    private(set) var subscribers: [Subscription] = []
    /// The number of the last requested subscription, whether it succeeded or not.
    var lastSubscription: UInt64 = 0
    /// The state of the topic in the shard's write plan.
    var plan = WritePlan.TopicState()
    /// The time of the last change in milliseconds, for tails of logs.
    var changedAt: Int64 = 0
    /// Whether the core's list of tails contains the channel.
    var isTailListed = false
    /// Whether the core's list of channels with cached frames contains the channel.
    var isFramed = false
    /// Reset and difference frames, for clients that start or resume at any time.
    ///
    /// Kept until the next change.
    private var frames: [Frame] = []
    /// The update frames of this tick.
    ///
    /// The frame pool reclaims their memory.
    private var updates: [Update] = []

    init(_ snapshot: TopicSnapshot, kind: any TopicKind) {
        self.kind = kind
        self.rules = kind.rules
        self.topic = Topic(snapshot, rules: self.rules)
    }

    // MARK: - Mirror

    /// Applies a change.
    ///
    /// - Returns: whether the change was newer than the mirror.
    func apply(_ change: TopicChange) -> Bool {
        let count = self.topic.entries.count
        guard self.topic.apply(change) else { return false }
        if !self.frames.isEmpty { self.frames = [] }
        if !change.removed.isEmpty || self.topic.entries.count != count { self.admitSubscribers() }
        return true
    }

    /// Replaces the topic.
    ///
    /// Subscribers at a valid position of the same epoch continue from there.
    func reopen(_ snapshot: TopicSnapshot) {
        let epoch = self.topic.epoch
        self.topic = Topic(snapshot, rules: self.rules)
        self.frames = []
        for subscription in self.subscribers {
            switch subscription.progress {
            case .nothing: break
            case .resumed(let version), .sent(let version):
                subscription.progress = self.progress(from: TopicPosition(epoch: epoch, version: version))
            }
        }
        self.admitSubscribers()
    }

    /// Drops the tail of a log.
    func forgetTail() {
        self.topic.forgetTail()
        self.isTailListed = false
    }

    // MARK: - Subscribers

    /// Returns the progress of a new subscriber that claims to be at `position`.
    func progress(from position: TopicPosition?) -> Subscription.Progress {
        guard let position, self.rules.pacing != .newestOnly else {
            return self.rules.startsWithEverything ? .nothing : .sent(self.topic.version)
        }
        guard self.topic.canResume(from: position) else { return .nothing }
        return self.rules.startsWithEverything ? .resumed(position.version) : .sent(position.version)
    }

    func add(_ subscription: Subscription) {
        subscription.place = Int32(self.subscribers.count)
        subscription.isAdmitted = self.admits(subscription)
        self.subscribers.append(subscription)
    }

    func remove(_ subscription: Subscription) {
        let place = Int(subscription.place)
        guard place < self.subscribers.count, self.subscribers[place] === subscription else { return }
        self.subscribers.swapAt(place, self.subscribers.count - 1)
        self.subscribers[place].place = Int32(place)
        self.subscribers.removeLast()
    }

    /// Removes and returns all subscribers.
    func close() -> [Subscription] {
        defer { self.subscribers = [] }
        return self.subscribers
    }

    /// Prefetches all subscribers at once.
    ///
    /// Otherwise each one would have to be waited for while they are queued.
    func prefetchSubscribers() {
        for index in self.subscribers.indices { Prefetch.lines(of: self.subscribers, at: index, count: 1) }
        for subscription in self.subscribers {
            Prefetch.lines(of: subscription.subscriber, count: Connection.busyLines)
        }
    }

    private func admitSubscribers() {
        switch self.rules.followers {
        case .anyone: break
        case .entries: for subscription in self.subscribers { subscription.isAdmitted = self.admits(subscription) }
        }
    }

    private func admits(_ subscription: Subscription) -> Bool {
        switch self.rules.followers {
        case .anyone: true
        case .entries: subscription.connection.followerKey.map(self.topic.contains) ?? false
        }
    }

    // MARK: - Frames

    /// Whether there are cached frames.
    var keepsFrames: Bool { !self.frames.isEmpty }

    /// Drops the cached frames.
    func dropFrames() {
        self.frames = []
        self.isFramed = false
    }

    /// Returns the memory of the tick's updates to the pool.
    func dropUpdates(into pool: inout FramePool) {
        while let update = self.updates.popLast() { pool.keep(update.payload) }
    }

    /// Passes the frames that bring `subscription` up to date to `send`, and updates its progress.
    ///
    /// A subscription that is ahead of the mirror, or is not admitted, stays unchanged.
    ///
    /// - Parameters:
    ///   - subscription: the subscription to bring up to date.
    ///   - memory: returns a buffer for an update that is not cached in this tick.
    ///   - send: called with one frame's payload, or with a piece of a joined frame.
    func bringUpToDate(_ subscription: Subscription, memory: () -> [UInt8], send: ([UInt8]) -> Void) {
        guard subscription.isAdmitted else { return }
        let since: UInt64
        switch subscription.progress {
        case .nothing:
            return self.reset(subscription, send: send)
        case .resumed(let version):
            guard version <= self.topic.version else { return }
            guard version >= self.topic.floor else { return self.reset(subscription, send: send) }
            let frame = self.frame(.difference, self.topic.cursor(at: version, lowestKey: subscription.lowestKey))
            if !frame.isEmpty { send(frame) }
            subscription.progress = .sent(self.topic.version)
            return
        case .sent(let version):
            guard version < self.topic.version else { return }
            // The mirror has no changes from before its floor, so only a full snapshot helps.
            guard version >= self.topic.floor else { return self.reset(subscription, send: send) }
            since = version
        }
        subscription.progress = .sent(self.topic.version)
        let cursor = self.topic.cursor(at: since, lowestKey: subscription.lowestKey)
        let update = self.update(cursor, memory: memory)
        if !update.isEmpty { send(update) }
        if let note = self.topic.note, note.version > since, !note.frame.isEmpty { send(note.frame) }
    }

    private func reset(_ subscription: Subscription, send: ([UInt8]) -> Void) {
        let frame = self.frame(.reset, self.topic.cursor(at: 0, lowestKey: subscription.lowestKey))
        if !frame.isEmpty { send(frame) }
        subscription.progress = .sent(self.topic.version)
    }

    private func frame(_ shape: Frame.Shape, _ cursor: TopicCursor) -> [UInt8] {
        if let known = self.frames.first(where: { $0.shape == shape && $0.cursor == cursor }) { return known.payload }
        var payload: [UInt8] = []
        switch shape {
        case .reset: self.kind.appendReset(self.topic, for: cursor, to: &payload)
        case .difference: self.kind.appendDifference(self.topic, for: cursor, to: &payload)
        }
        self.frames.append(Frame(shape: shape, cursor: cursor, payload: payload))
        return payload
    }

    private func update(_ cursor: TopicCursor, memory: () -> [UInt8]) -> [UInt8] {
        for update in self.updates where update.cursor == cursor { return update.payload }
        self.topic.prefetchVolatileParts()
        var payload = memory()
        if !self.kind.appendUpdate(self.topic, for: cursor, to: &payload) { payload.removeAll(keepingCapacity: true) }
        self.updates.append(Update(cursor: cursor, payload: payload))
        return payload
    }
}

@available(*, unavailable)
extension TopicChannel: Sendable {}

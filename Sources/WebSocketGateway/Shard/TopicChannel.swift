/// A topic's mirror, its subscribers, and the frames that were joined for them.
///
/// Frames depend on the topic and on what the session has, so sessions with the same past share one.
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
    /// The number of the last subscription that was asked for, whatever became of it.
    var lastSubscription: UInt64 = 0
    /// What the shard's plan keeps of the topic.
    var plan = TurnPlan.TopicState()
    /// When the topic changed last, in milliseconds; kept for tails of logs.
    var changedAt: Int64 = 0
    /// Whether the core will forget the tail.
    var isTailListed = false
    /// Whether the core will have the frames dropped.
    var isFramed = false
    /// Frames for those who have nothing or resume, who come when they like: kept until something changes.
    private var frames: [Frame] = []
    /// Updates for this turn; the pool reclaims their memory.
    private var updates: [Update] = []

    init(_ snapshot: TopicSnapshot, kind: any TopicKind) {
        self.kind = kind
        self.rules = kind.rules
        self.topic = Topic(snapshot, rules: self.rules)
    }

    // MARK: - The mirror

    /// Applies a change.
    ///
    /// - Returns: whether anything was newer.
    func apply(_ change: TopicChange) -> Bool {
        let count = self.topic.entries.count
        guard self.topic.apply(change) else { return false }
        if !self.frames.isEmpty { self.frames = [] }
        if !change.removed.isEmpty || self.topic.entries.count != count { self.admitSubscribers() }
        return true
    }

    /// Starts anew; subscribers who have come as far in the same epoch go on from where they are.
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

    /// Forgets the tail of a log.
    func forgetTail() {
        self.topic.forgetTail()
        self.isTailListed = false
    }

    // MARK: - Subscribers

    /// What a newcomer has who says that it is at `position`.
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

    /// Takes all subscribers out.
    func close() -> [Subscription] {
        defer { self.subscribers = [] }
        return self.subscribers
    }

    /// Asks the processor for all subscribers at once: to queue one after the other would wait for each.
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

    /// Whether there are frames that are kept for others.
    var keepsFrames: Bool { !self.frames.isEmpty }

    /// Forgets the frames that were kept.
    func dropFrames() {
        self.frames = []
        self.isFramed = false
    }

    /// Gives the memory of the turn's updates back.
    func dropUpdates(into pool: inout FramePool) {
        while let update = self.updates.popLast() { pool.keep(update.payload) }
    }

    /// Passes the frames that bring `subscription` up to date to `send`, and notes that they were sent.
    ///
    /// Who is ahead of the mirror, or not admitted, stays where it is.
    ///
    /// - Parameters:
    ///   - subscription: who is to be brought up to date.
    ///   - memory: lends memory for an update that nobody has wanted yet in this turn.
    ///   - send: is passed one frame's payload, or a piece of a joined frame.
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
            // What the mirror does not remember cannot be told any more.
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

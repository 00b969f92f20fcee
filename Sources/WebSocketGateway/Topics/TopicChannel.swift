/// A topic's mirror, its subscribers, and the frames that were joined for them.
///
/// Frames depend on the topic and on what the session has, so sessions with the same past share one.
final class TopicChannel {
    private struct Composed {
        let kind: Kind
        let since: UInt64
        let payload: [UInt8]
    }

    private struct Update {
        let since: UInt64
        let payload: [UInt8]
    }

    /// Who must be queued for a change.
    enum Audience {
        case all
        /// The one who could wait so far.
        case mover(Int64)
        case nobody
    }

    /// What nobody has been queued for.
    enum Held: Equatable {
        case nothing
        /// Moves of this one alone.
        case mover(Int64)
        case several
    }

    private enum Kind {
        case full
        case difference
    }

    @exclusivity(unchecked) private(set) var topic: Topic
    private(set) var subscribers: [Subscription] = []
    /// Frames for those who have nothing or resume, who come when they like: kept until something changes.
    private var composed: [Composed] = []
    /// Updates for this turn; the pool takes their memory back.
    @exclusivity(unchecked) private var updates: [Update] = []
    /// Whether the core will have the frames dropped.
    var isFramed = false
    /// The number of flushes when all were queued last.
    private var announcedAfter = UInt64.max
    /// Who could wait then, because their own move was all that was new.
    private var spared: Int64?
    /// What changed while the topic rests, and nobody has been queued for.
    private(set) var held = Held.nothing
    /// Whether the topic was written so lately that moves wait.
    var isResting = false

    init(_ snapshot: TopicSnapshot) { self.topic = Topic(snapshot) }

    /// Says which subscribers must be queued for a change: all for the first after a flush, and few for those that follow.
    ///
    /// - Parameters:
    ///   - mover: whose move is all that is new; nil when more is.
    ///   - flushes: how often what was queued has been written.
    /// - Returns: who is not queued yet, or only as somebody who can wait.
    func announce(mover: Int64?, flushes: UInt64) -> Audience {
        guard self.announcedAfter == flushes else {
            self.announcedAfter = flushes
            self.spared = mover
            return .all
        }
        guard let spared = self.spared, spared != mover else { return .nobody }
        self.spared = nil
        return .mover(spared)
    }

    /// Whether all subscribers are queued already for what a turn writes.
    func isAnnounced(flushes: UInt64) -> Bool { self.announcedAfter == flushes }

    /// Keeps in mind that somebody moved, whom subscribers will be told of later.
    func hold(mover: Int64?) {
        switch (self.held, mover) {
        case (.nothing, let mover?): self.held = .mover(mover)
        case (.mover(let earlier), let mover?) where earlier == mover: break
        case (.nothing, nil), (.mover, _), (.several, _): self.held = .several
        }
    }

    /// Forgets what was held, for whoever is about to be queued gets all that is new.
    func takeHeld() -> Held {
        defer { self.held = .nothing }
        return self.held
    }

    /// Applies a change.
    ///
    /// - Returns: whether anything was newer.
    func apply(_ change: TopicChange) -> Bool {
        guard self.topic.apply(change) else { return false }
        if !self.composed.isEmpty { self.composed = [] }
        return true
    }

    /// Starts anew; subscribers who have come as far in the same epoch go on from where they are.
    func reopen(_ snapshot: TopicSnapshot) {
        let topic = Topic(snapshot)
        for subscription in self.subscribers {
            guard case .sent(let version) = subscription.progress else { continue }
            let position = TopicPosition(epoch: self.topic.epoch, version: version)
            subscription.progress = topic.canResume(from: position) ? .resumed(version) : .nothing
        }
        self.topic = topic
        self.composed = []
    }

    /// Whether there are frames that are kept for others.
    var keepsFrames: Bool { !self.composed.isEmpty }

    /// Forgets the frames that were kept.
    func dropFrames() {
        self.composed = []
        self.isFramed = false
    }

    /// Gives the memory of the turn's updates back.
    func dropUpdates(into pool: inout FramePool) {
        while let update = self.updates.popLast() { pool.keep(update.payload) }
    }

    func add(_ subscription: Subscription) {
        subscription.place = Int32(self.subscribers.count)
        self.subscribers.append(subscription)
    }

    func remove(_ subscription: Subscription) {
        let place = Int(subscription.place)
        guard place < self.subscribers.count, self.subscribers[place] === subscription else { return }
        self.subscribers.swapAt(place, self.subscribers.count - 1)
        self.subscribers[place].place = Int32(place)
        self.subscribers.removeLast()
    }

    /// Asks the processor for all subscribers at once: to queue one after the other would wait for each.
    func prefetchSubscribers() {
        for index in self.subscribers.indices { Prefetch.lines(of: self.subscribers, at: index, count: 1) }
        for subscription in self.subscribers {
            Prefetch.lines(of: subscription.subscriber, count: Connection.busyLines)
        }
    }

    /// Takes all subscribers out.
    func close() -> [Subscription] {
        defer { self.subscribers = [] }
        return self.subscribers
    }

    /// Passes the frames that bring `subscription` up to date to `send`, and notes that they were sent.
    ///
    /// - Parameters:
    ///   - subscription: who is to be brought up to date.
    ///   - format: joins the topic into frames.
    ///   - memory: lends memory for an update that nobody has wanted yet in this turn.
    ///   - send: takes one frame's payload.
    func bringUpToDate(
        _ subscription: Subscription,
        format: any TopicFormat,
        memory: () -> [UInt8],
        send: ([UInt8]) -> Void
    ) {
        defer { subscription.progress = .sent(self.topic.version) }
        let since: UInt64
        switch subscription.progress {
        case .nothing:
            send(self.frame(.full, since: 0, format: format))
            return
        case .resumed(let version):
            send(self.frame(.difference, since: version, format: format))
            return
        case .sent(let version):
            guard version < self.topic.version else { return }
            // What fell out of the tombstones cannot be told any more.
            guard version >= self.topic.tombstoneFloor else {
                send(self.frame(.full, since: 0, format: format))
                return
            }
            since = version
        }
        let update = self.update(since: since, format: format, memory: memory)
        if !update.isEmpty { send(update) }
        if let note = self.topic.note, note.version > since, !note.frame.isEmpty { send(note.frame) }
    }

    private func frame(_ kind: Kind, since: UInt64, format: any TopicFormat) -> [UInt8] {
        if let known = self.composed.first(where: { $0.kind == kind && $0.since == since }) { return known.payload }
        var payload: [UInt8] = []
        switch kind {
        case .full: format.appendFull(self.topic, to: &payload)
        case .difference: format.appendDifference(self.topic, since: since, to: &payload)
        }
        self.composed.append(Composed(kind: kind, since: since, payload: payload))
        return payload
    }

    private func update(since: UInt64, format: any TopicFormat, memory: () -> [UInt8]) -> [UInt8] {
        for update in self.updates where update.since == since { return update.payload }
        self.topic.prefetchMoves()
        var payload = memory()
        if !format.appendUpdate(self.topic, since: since, to: &payload) { payload.removeAll(keepingCapacity: true) }
        self.updates.append(Update(since: since, payload: payload))
        return payload
    }
}

@available(*, unavailable)
extension TopicChannel: Sendable {}

import EventLoop

// The output of a shard at the end of a tick, and the connections that get it.
//
// A write costs far more than the bytes in it, so:
//
// 1. Urgent output (`now`) is written at the end of the tick, all output of a connection in one write (`due`).
// 2. Output that is not urgent (`soon`) is added to the connection's next write. It becomes due when there is no such
//    write within the *soon timeout*.
// 3. A conflated topic is throttled after a write. During the throttle interval, changes of volatile parts are
//    deferred: no subscriber is queued for them. They are sent at the end of the interval, or together with the next
//    output that is not deferred: a change of another part, or a response to the subscriber.
// 4. A change of a subscriber's own entry, which the client already knows in some kinds, is not urgent for that
//    subscriber. It is urgent for all others.
// 5. The more writing costs, the more output is combined in each write. A throttle interval is a multiple of the cost
//    of writing a tick (the configuration's `topicPacer`). The soon timeout grows with the share of time spent on
//    writing. After a tick, the loop pauses about as long as its writing took, so that one wake reads all input of the
//    pause. While writing is cheap, all three are zero or a millisecond.
//
// Invariants
// - `due` contains a connection at most once (`Connection.isDue`). `waiting` contains it at most once with its current
//   start time (`Connection.waitsSince`); entries with an older time are outdated and skipped.
// - `resting` contains a topic at most once (`TopicState.isThrottled`), in the order of writing.
// - `Connection.outgoing` contains a subscription at most once (`Subscription.isQueued`).

/// The plan of a shard's writes in a tick.
///
/// It accesses no sockets and no clock.
struct WritePlan {
    /// The plan's state of a topic.
    struct TopicState {
        /// The tick in which all subscribers were last queued.
        fileprivate var announcedIn = UInt64.max
        /// The key of the entry if it was the only change in that tick, so that its own subscriber may wait.
        fileprivate var knownBy: Int64?
        /// Changes during the throttle interval for which no subscriber is queued.
        fileprivate(set) var deferred = Deferred.nothing
        /// Whether the topic is throttled, so that changes of volatile parts are deferred.
        fileprivate(set) var isThrottled = false
    }

    /// The changes for which no subscriber is queued.
    enum Deferred: Equatable {
        case nothing
        /// Only changes of the volatile part of this entry.
        case entry(Int64)
        case several
    }

    private struct Waiting {
        let connection: Connection
        let since: Int64
    }

    private struct Throttled {
        let channel: TopicChannel
        /// The time of the write, in nanoseconds.
        let since: Int64
    }

    /// The pacer of the pause after a tick, by the duration of its writing.
    private static let iterationPacer = Pacer(share: 1, shortest: 400_000, longest: 1_500_000)
    /// The soon timeout for each unit of the writing share above `shareWithoutTimeout`, and its maximum, in
    /// nanoseconds.
    ///
    /// The maximum is low because a client must get an update within a second.
    private static let timeoutPerShare = 6e9
    private static let shareWithoutTimeout = 0.17
    private static let longestTimeout = 0.5e9

    /// The pacer of the throttle interval.
    private let topicPacer: Pacer
    /// Connections with output at the end of the tick.
    private var due: [Connection?] = []
    /// Connections with output for their next write, ordered by the start of the wait.
    private var waiting = ArrivalQueue<Waiting>()
    /// Topics whose subscribers were queued in this tick, and that are throttled after the write.
    private var announced: [TopicChannel] = []
    /// Throttled topics, ordered by the time of their last write.
    private var resting = ArrivalQueue<Throttled>()
    /// The number of throttled topics with deferred changes.
    private var deferredTopics = 0
    /// The number of ticks with writes.
    private var iteration: UInt64 = 0
    /// The recent cost of writing a tick, in nanoseconds of the thread's processor time.
    private var writingCost: Int64 = 0
    /// The recent duration of writing a tick, which is longer if other threads use the processor meanwhile.
    private var writingTime: Int64 = 0
    /// The share of time spent on writing.
    private var writing = DutyCycle()
    /// The throttle interval of a topic in nanoseconds; 0 while writing is cheap.
    private(set) var throttleInterval: Int64 = 0

    init(topicPacer: Pacer) { self.topicPacer = topicPacer }

    /// Whether the tick has output.
    var hasDue: Bool { !self.due.isEmpty }

    // MARK: - Output

    /// Schedules a write to a connection.
    ///
    /// - Parameters:
    ///   - connection: a connection with entries in `outgoing`, or with a ping or close frame to send.
    ///   - urgency: the urgency of the output.
    ///   - time: now, in nanoseconds.
    mutating func write(to connection: Connection, _ urgency: Urgency = .now, at time: @autoclosure () -> Int64) {
        guard !connection.isDue else { return }
        switch urgency {
        case .now:
            connection.isDue = true
            self.due.append(connection)
        case .soon:
            guard connection.waitsSince == nil else { return }
            let since = time()
            connection.waitsSince = since
            self.waiting.append(Waiting(connection: connection, since: since))
        }
    }

    /// Queues a subscription for an update.
    ///
    /// The connection's output queue contains it once, at its position among the responses.
    mutating func enqueue(_ subscription: Subscription, _ urgency: Urgency = .now, at time: @autoclosure () -> Int64) {
        let connection = subscription.connection
        guard connection.isOpen else { return }
        if !subscription.isQueued {
            subscription.isQueued = true
            connection.outgoing.append(.topic(subscription))
        }
        self.write(to: connection, urgency, at: time())
    }

    /// Queues the deferred updates of a connection's topics, before the output that is queued next.
    mutating func enqueueDeferred(of connection: Connection) {
        for subscription in connection.subscriptions.few where subscription.channel.plan.deferred != .nothing {
            self.enqueue(subscription, at: 0)
        }
    }

    // MARK: - Topics

    /// Queues the subscribers of a topic for a change that its mirror has applied, or defers the change.
    mutating func announce(_ change: TopicChange, of channel: TopicChannel, at time: @autoclosure () -> Int64) {
        let key = change.onlyVolatileKey
        if channel.plan.isThrottled, channel.plan.announcedIn != self.iteration, change.isVolatile {
            self.postpone(key, of: channel)
            return
        }
        self.announce(channel, key: self.endDeferral(of: channel) == .nothing ? key : nil, at: time())
    }

    /// Queues all subscribers of a topic that was replaced.
    mutating func announceAll(of channel: TopicChannel) {
        for subscription in channel.subscribers { self.enqueue(subscription, at: 0) }
    }

    /// Drops the deferred changes of a closed topic.
    mutating func close(_ channel: TopicChannel) { _ = self.endDeferral(of: channel) }

    /// Sends the deferred updates of topics whose throttle interval is over.
    ///
    /// - Returns: nanoseconds until the next throttled topic with deferred changes is free; nil when there is none.
    mutating func endThrottling(at time: Int64) -> Int64? {
        let end = time - self.throttleInterval
        while let channel = self.resting.popFirst(where: { $0.since <= end })?.channel {
            channel.plan.isThrottled = false
            switch self.endDeferral(of: channel) {
            case .nothing: break
            case .entry(let key): self.announce(channel, key: key, at: time)
            case .several: self.announce(channel, key: nil, at: time)
            }
        }
        guard self.deferredTopics > 0, let next = self.resting.first else { return nil }
        return next.since + self.throttleInterval - time
    }

    /// Queues the subscribers of a change: all of them for the first change of a tick, and only few for later ones.
    ///
    /// - Parameters:
    ///   - channel: the changed topic.
    ///   - key: the entry if only its volatile part changed; nil otherwise.
    ///   - time: now, in nanoseconds.
    private mutating func announce(_ channel: TopicChannel, key: Int64?, at time: @autoclosure () -> Int64) {
        let known = channel.rules.knowsOwnEntry ? key : nil
        guard channel.plan.announcedIn == self.iteration else {
            channel.plan.announcedIn = self.iteration
            channel.plan.knownBy = known
            channel.prefetchSubscribers()
            for subscription in channel.subscribers {
                let isKnown = known != nil && subscription.connection.followerKey == known
                self.enqueue(subscription, isKnown ? .soon : .now, at: time())
            }
            if self.throttleInterval > 0, channel.rules.pacing == .conflated { self.announced.append(channel) }
            return
        }
        // All subscribers are queued already. One of them may have been queued without urgency because it knew the
        // first change.
        guard let earlier = channel.plan.knownBy, earlier != known else { return }
        channel.plan.knownBy = nil
        for subscription in channel.subscribers where subscription.connection.followerKey == earlier {
            self.enqueue(subscription, at: 0)
        }
    }

    private mutating func postpone(_ key: Int64?, of channel: TopicChannel) {
        switch (channel.plan.deferred, key) {
        case (.entry(let earlier), let key?) where earlier == key: return
        case (.nothing, let key?): channel.plan.deferred = .entry(key)
        case (.nothing, nil): channel.plan.deferred = .several
        case (.entry, _), (.several, _):
            channel.plan.deferred = .several
            return
        }
        self.deferredTopics += 1
    }

    private mutating func endDeferral(of channel: TopicChannel) -> Deferred {
        let deferred = channel.plan.deferred
        guard deferred != .nothing else { return .nothing }
        self.deferredTopics -= 1
        channel.plan.deferred = .nothing
        return deferred
    }

    // MARK: - Ticks

    /// Moves connections to `due` whose wait has exceeded the soon timeout.
    ///
    /// Called once for each slot of the timer wheel.
    mutating func advance(to time: Int64) {
        self.writing.sample(at: time)
        guard !self.waiting.isEmpty else { return }
        let share = max(0, self.writing.share - Self.shareWithoutTimeout)
        let end = time - Int64(min(Self.longestTimeout, Self.timeoutPerShare * share))
        while let next = self.waiting.popFirst(where: { $0.since <= end }) {
            guard next.connection.waitsSince == next.since else { continue }
            self.write(to: next.connection, at: time)
        }
    }

    /// Begins writing.
    ///
    /// The topics in the output are throttled from `time` on.
    mutating func beginWriting(at time: Int64) {
        self.iteration += 1
        for channel in self.announced where !channel.plan.isThrottled {
            channel.plan.isThrottled = true
            self.resting.append(Throttled(channel: channel, since: time))
        }
        self.announced.removeAll(keepingCapacity: true)
    }

    /// Swaps the due connections into `batch`.
    ///
    /// Writing can kill a connection, and its end can make other connections due.
    ///
    /// - Returns: false when no connection is due; then the batch's memory is kept for the next tick.
    mutating func nextBatch(_ batch: inout [Connection?]) -> Bool {
        batch.removeAll(keepingCapacity: true)
        swap(&batch, &self.due)
        if batch.isEmpty, batch.capacity > self.due.capacity { swap(&batch, &self.due) }
        return !batch.isEmpty
    }

    /// Counts the cost of writing.
    ///
    /// - Parameters:
    ///   - cost: nanoseconds of the thread's processor time.
    ///   - time: nanoseconds of elapsed time.
    mutating func endWriting(cost: Int64, time: Int64) {
        self.writing.add(cost)
        self.writingCost = max(self.writingCost, cost)
        self.writingTime = max(self.writingTime, time)
    }

    /// Ends a tick, with or without output.
    ///
    /// - Returns: nanoseconds for which the loop should pause; 0 for none.
    mutating func endIteration() -> Int64 {
        let pause = Self.iterationPacer.pause(cost: self.writingTime, elapsed: 0)
        self.writingTime -= self.writingTime / 4
        self.writingCost -= self.writingCost / 4
        self.throttleInterval = self.topicPacer.pause(cost: self.writingCost, elapsed: 0)
        return pause
    }
}

@available(*, unavailable)
extension WritePlan: Sendable {}

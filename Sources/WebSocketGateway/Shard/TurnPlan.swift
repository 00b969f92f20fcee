import EventLoop

// What a shard writes at the end of a turn, and to whom.
//
// A write costs far more than the bytes in it, so:
//
// 1. What is wanted *now* is written at the end of the turn, all that a connection is owed in one write (`due`).
// 2. What is wanted *soon* goes along with the connection's next write; when none has come for the *patience*, it is due.
// 3. A conflated topic that was written *rests*. Changes of often-changing parts meanwhile are deferred: nobody is queued for
//    them. They are told when the rest ends, or with the first thing that is more than that: a change of another part, an
//    answer to a follower.
// 4. What changes in a follower's own entry, where its kind says that it knows that already, it wants soon, all others now.
// 5. The dearer writing is, the more goes into each write. A rest lasts a multiple of what writing a turn costs (the
//    configuration's `topicPacer`); the patience grows with the share of the time that goes into writing; and after a turn the
//    loop pauses about as long as its writing took, so that what comes meanwhile is read with one wake. While writing is
//    cheap, all three are nothing or a millisecond.
//
// Invariants
// - A connection is in `due` at most once (`Connection.isDue`), and among the `waiting` with a time that is its own
//   (`Connection.waitsSince`): what was written since, or waits anew, is passed over there.
// - A topic is in `resting` at most once (`TopicState.isResting`), in the order of writing.
// - `Connection.outgoing` names a subscription at most once (`Subscription.isQueued`).

/// Decides what a shard writes in a turn; knows no sockets and no clock.
struct TurnPlan {
    /// What the plan keeps of a topic.
    struct TopicState {
        /// The turn in which all followers were queued last.
        fileprivate var announcedIn = UInt64.max
        /// Whose own entry is all that was new then, so that they may wait.
        fileprivate var knownBy: Int64?
        /// What changed while the topic rests, and nobody has been queued for.
        fileprivate(set) var deferred = Deferred.nothing
        /// Whether the topic was written so lately that often-changing parts wait.
        fileprivate(set) var isResting = false
    }

    /// What nobody has been queued for.
    enum Deferred: Equatable {
        case nothing
        /// Changes of the often-changing part of this entry alone.
        case entry(Int64)
        case several
    }

    private struct Waiting {
        let connection: Connection
        let since: Int64
    }

    private struct Resting {
        let channel: TopicChannel
        /// When it was written, in nanoseconds.
        let since: Int64
    }

    /// A pause for a turn, by how long its writing took.
    private static let turnPacer = Pacer(share: 1, shortest: 400_000, longest: 1_500_000)
    /// The patience for each share of the time that goes into writing beyond the first, and at most, in nanoseconds: a
    /// session must hear within a second.
    private static let patiencePerShare = 6e9
    private static let shareWithoutPatience = 0.17
    private static let longestPatience = 0.5e9

    /// How long topics rest.
    private let topicPacer: Pacer
    /// Connections that are written to at the end of the turn.
    private var due: [Connection?] = []
    /// Connections with something that goes along with the next write, in the order in which they began to wait.
    private var waiting = ArrivalQueue<Waiting>()
    /// Topics whose followers were queued in this turn, and that rest once they are written.
    private var announced: [TopicChannel] = []
    /// Topics that were written lately, in that order.
    private var resting = ArrivalQueue<Resting>()
    /// How many of those have something deferred.
    private var deferredTopics = 0
    /// The number of turns that wrote anything.
    private var turn: UInt64 = 0
    /// What writing a turn cost lately, in nanoseconds of the thread's own time.
    private var writingCost: Int64 = 0
    /// How long it took, which is more where others have the processor in between.
    private var writingTime: Int64 = 0
    /// The share of the time that goes into writing.
    private var writing = DutyCycle()
    /// How long a topic that is written now rests, in nanoseconds; 0 while writing is cheap.
    private(set) var topicRest: Int64 = 0

    init(topicPacer: Pacer) { self.topicPacer = topicPacer }

    /// Whether the turn has anything to write.
    var hasDue: Bool { !self.due.isEmpty }

    // MARK: - What is owed

    /// Lets what a connection is owed be written.
    ///
    /// - Parameters:
    ///   - connection: has something in `outgoing`, or a ping or close frame to send.
    ///   - urgency: how soon it is wanted.
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

    /// Lets a subscriber be brought up to date; its connection's queue names it once, where its place among the answers is.
    mutating func enqueue(_ subscription: Subscription, _ urgency: Urgency = .now, at time: @autoclosure () -> Int64) {
        let connection = subscription.connection
        guard connection.isOpen else { return }
        if !subscription.isQueued {
            subscription.isQueued = true
            connection.outgoing.append(.topic(subscription))
        }
        self.write(to: connection, urgency, at: time())
    }

    /// Lets a connection be told what was deferred of its topics, ahead of what is queued next.
    mutating func enqueueDeferred(of connection: Connection) {
        for subscription in connection.subscriptions.few where subscription.channel.plan.deferred != .nothing {
            self.enqueue(subscription, at: 0)
        }
    }

    // MARK: - Topics

    /// Queues who is to be told of a change that a topic's mirror has.
    mutating func announce(_ change: TopicChange, of channel: TopicChannel, at time: @autoclosure () -> Int64) {
        let key = change.onlyVolatileKey
        if channel.plan.isResting, channel.plan.announcedIn != self.turn, change.isVolatile {
            self.postpone(key, of: channel)
            return
        }
        self.announce(channel, key: self.endDeferral(of: channel) == .nothing ? key : nil, at: time())
    }

    /// Queues all subscribers of a topic that started anew.
    mutating func announceAll(of channel: TopicChannel) {
        for subscription in channel.subscribers { self.enqueue(subscription, at: 0) }
    }

    /// Forgets what was deferred of a topic that is closed.
    mutating func close(_ channel: TopicChannel) { _ = self.endDeferral(of: channel) }

    /// Lets be told what was deferred of topics that have rested for long enough.
    ///
    /// - Returns: nanoseconds until the next rest ends that keeps something back; nil when none does.
    mutating func endRests(at time: Int64) -> Int64? {
        let end = time - self.topicRest
        while let channel = self.resting.popFirst(where: { $0.since <= end })?.channel {
            channel.plan.isResting = false
            switch self.endDeferral(of: channel) {
            case .nothing: break
            case .entry(let key): self.announce(channel, key: key, at: time)
            case .several: self.announce(channel, key: nil, at: time)
            }
        }
        guard self.deferredTopics > 0, let next = self.resting.first else { return nil }
        return next.since + self.topicRest - time
    }

    /// Queues the subscribers who are to be told: all with the first change of a turn, and few with those that follow.
    ///
    /// - Parameters:
    ///   - channel: the topic that changed.
    ///   - key: the entry whose often-changing part is all that is new; nil when more is.
    ///   - time: now, in nanoseconds.
    private mutating func announce(_ channel: TopicChannel, key: Int64?, at time: @autoclosure () -> Int64) {
        let known = channel.rules.knowsOwnEntry ? key : nil
        guard channel.plan.announcedIn == self.turn else {
            channel.plan.announcedIn = self.turn
            channel.plan.knownBy = known
            channel.prefetchSubscribers()
            for subscription in channel.subscribers {
                let isKnown = known != nil && subscription.connection.followerKey == known
                self.enqueue(subscription, isKnown ? .soon : .now, at: time())
            }
            if self.topicRest > 0, channel.rules.pacing == .conflated { self.announced.append(channel) }
            return
        }
        // All are queued already, but one may only be so as somebody who can wait.
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

    // MARK: - Turns

    /// Makes due who has waited for long enough; called once a slot of the timer wheel.
    mutating func advance(to time: Int64) {
        self.writing.sample(at: time)
        guard !self.waiting.isEmpty else { return }
        let share = max(0, self.writing.share - Self.shareWithoutPatience)
        let end = time - Int64(min(Self.longestPatience, Self.patiencePerShare * share))
        while let next = self.waiting.popFirst(where: { $0.since <= end }) {
            guard next.connection.waitsSince == next.since else { continue }
            self.write(to: next.connection, at: time)
        }
    }

    /// Begins to write what is due; the topics that are among it rest from `time` on.
    mutating func beginWriting(at time: Int64) {
        self.turn += 1
        for channel in self.announced where !channel.plan.isResting {
            channel.plan.isResting = true
            self.resting.append(Resting(channel: channel, since: time))
        }
        self.announced.removeAll(keepingCapacity: true)
    }

    /// Swaps what is due into `batch`: writing it can kill a connection, whose end can make others due.
    ///
    /// - Returns: false when nothing is due; then the batch's memory is kept for the next turn.
    mutating func nextBatch(_ batch: inout [Connection?]) -> Bool {
        batch.removeAll(keepingCapacity: true)
        swap(&batch, &self.due)
        if batch.isEmpty, batch.capacity > self.due.capacity { swap(&batch, &self.due) }
        return !batch.isEmpty
    }

    /// Counts what writing has cost.
    ///
    /// - Parameters:
    ///   - cost: nanoseconds of the thread's own time.
    ///   - time: nanoseconds that passed.
    mutating func endWriting(cost: Int64, time: Int64) {
        self.writing.add(cost)
        self.writingCost = max(self.writingCost, cost)
        self.writingTime = max(self.writingTime, time)
    }

    /// Ends a turn, whether it wrote anything or not.
    ///
    /// - Returns: nanoseconds for which the loop should pause; 0 for none.
    mutating func endTurn() -> Int64 {
        let pause = Self.turnPacer.pause(cost: self.writingTime, elapsed: 0)
        self.writingTime -= self.writingTime / 4
        self.writingCost -= self.writingCost / 4
        self.topicRest = self.topicPacer.pause(cost: self.writingCost, elapsed: 0)
        return pause
    }
}

@available(*, unavailable)
extension TurnPlan: Sendable {}

import EventLoop
import MusterClient

/// Sends fixes at a fixed rate from all sessions of a fleet, and measures their delivery.
///
/// The load is an open loop. Fix k of a run is due at start + k/rate and comes from session k mod N, regardless of
/// earlier answers. All times are measured from the due time, so a load that falls behind shows up as latency.
final class FanoutLoad {
    /// A callback for the beginning and the end of the measured interval.
    typealias Marker = (_ tally: FanoutTally, _ bytes: Int) -> Void

    /// The interval for which due and received frames accumulate, in nanoseconds, at rates with several fixes per
    /// interval.
    ///
    /// A separate wait for each fix would cost the load a quarter more. Delays are measured from a fix's due time until
    /// its frame has been read, so accumulation can only lengthen them.
    private static let bite: Int64 = 150_000
    private static let fixesPerBite = 1.5
    private static let pacer = Pacer(share: 1, shortest: 0, longest: bite)

    /// Additional sessions on this thread, which only receive.
    var companion: SessionFleet?

    private let fleet: SessionFleet
    private let dialect: any FanoutDialect
    private let groupSize: Int
    private let walk: FixPlace.Walk
    private let clock = MonotonicClock.system
    private var text = FrameText()
    /// The sequence number of each sender's first fix in the next run.
    private var firstSequence: [Int64]
    private var lastTime: [Int64]
    private var stats: DeliveryStats

    /// Creates a load for new sessions.
    ///
    /// - Parameters:
    ///   - fleet: the sessions.
    ///   - groupSize: the number of members of each group; session `s` is in group `s / groupSize`.
    ///   - dialect: the server's frame formats.
    ///   - walk: the movement pattern of a group's members.
    init(
        _ fleet: SessionFleet,
        groupSize: Int,
        dialect: any FanoutDialect,
        walk: FixPlace.Walk = .apart
    ) {
        self.fleet = fleet
        self.walk = walk
        self.groupSize = groupSize
        self.dialect = dialect
        self.firstSequence = Array(repeating: 1, count: fleet.count)
        self.lastTime = Array(repeating: 0, count: fleet.count)
        self.stats = DeliveryStats(
            sessions: fleet.count,
            groupSize: groupSize,
            acknowledgements: .none,
            firstSequence: [],
            total: 0,
            firstCounted: 0,
            started: 0,
            rate: 1
        )
    }

    /// The position and time of a sender's last fix.
    func lastSent(by session: Int) -> (place: FixPlace, at: Int64) {
        (self.place(of: session, sequence: self.firstSequence[session] - 1), self.lastTime[session])
    }

    /// Sends fixes for the warm-up and the measured interval, then waits until everything is delivered and
    /// acknowledged.
    ///
    /// `marker` is called at the beginning and at the end of the measured interval; `observer` receives every frame.
    func run(
        _ plan: LoadPlan,
        _ context: BenchContext,
        marker: Marker = { _, _ in },
        observer: SessionFleet.FrameHandler? = nil
    ) throws(BenchError) -> FanoutTally {
        // Each session sends at least once.
        let total = max(self.fleet.count, Int(plan.rate * (plan.warmUp + plan.seconds)))
        let firstCounted = min(total - 1, Int(plan.rate * plan.warmUp))
        self.dialect.begin(total: total)
        self.stats = DeliveryStats(
            sessions: self.fleet.count,
            groupSize: self.groupSize,
            acknowledgements: self.dialect.acknowledgements,
            firstSequence: self.firstSequence,
            total: total,
            firstCounted: firstCounted,
            // A little in the future, so that the first fix is on time.
            started: self.clock.nanoseconds + 5_000_000,
            rate: plan.rate
        )
        let dropped = self.fleet.dropped
        self.fleet.onFrame = { [unowned self] session, frame in
            self.stats.tally.frames += 1
            self.dialect.read(frame, by: session, into: &self.stats)
            observer?(session, frame)
        }
        defer { self.fleet.onFrame = { _, _ in } }
        while self.stats.tally.sent < total {
            self.sendDue(total: total, firstCounted: firstCounted, marker)
            var wait =
                self.stats.tally.sent < total ? self.stats.due(self.stats.tally.sent) - self.clock.nanoseconds : 0
            if wait > 0, plan.rate * Double(Self.bite) > Self.fixesPerBite * 1e9 {
                Self.pacer.rest(cost: Self.bite, elapsed: 0)
                wait = 0
            }
            self.iterate(timeoutNanoseconds: wait)
            try context.checkStop()
            if case .abandon = plan.backlog, self.isFarBehind(plan.rate) {
                self.stats.tally.isAbandoned = true
                break
            }
        }
        if self.stats.tally.sent <= firstCounted { marker(self.stats.tally, self.fleet.loop.bytesReceived) }
        marker(self.stats.tally, self.fleet.loop.bytesReceived)
        let deadline = self.clock.milliseconds + plan.timeout
        while !self.stats.isComplete, !self.stats.isRefused, self.clock.milliseconds < deadline,
            self.fleet.dropped == dropped
        {
            self.iterate(timeoutNanoseconds: 10_000_000)
            try context.checkStop()
        }
        let sent = self.stats.tally.sent
        self.stats.tally.drainTime = self.clock.nanoseconds - self.stats.due(sent - 1)
        self.stats.tally.unseen = self.stats.unseen
        self.stats.tally.unacknowledged = self.stats.unacknowledged
        self.stats.tally.dropped = self.fleet.dropped - dropped
        for session in 0..<min(sent, self.fleet.count) {
            self.firstSequence[session] += Int64((sent - session + self.fleet.count - 1) / self.fleet.count)
        }
        return self.stats.tally
    }

    private func iterate(timeoutNanoseconds: Int64) {
        self.fleet.iterate(timeoutNanoseconds: timeoutNanoseconds)
        self.companion?.iterate(timeoutNanoseconds: 0)
    }

    /// Whether more than a second's fixes are undelivered or overdue.
    private func isFarBehind(_ rate: Double) -> Bool {
        if Double(self.stats.unseen) > rate * Double(self.groupSize - 1) { return true }
        if case .each = self.dialect.acknowledgements, Double(self.stats.unacknowledged) > rate { return true }
        return self.clock.nanoseconds - self.stats.due(self.stats.tally.sent) > 1_000_000_000
    }

    private func sendDue(total: Int, firstCounted: Int, _ marker: Marker) {
        let now = self.clock.nanoseconds
        let wallOffset = self.clock.wallMilliseconds - now / 1_000_000
        var burst = 0
        // Limited bursts, so that received frames are read in between.
        while case let number = self.stats.tally.sent, number < total, burst < 64,
            case let due = self.stats.due(number),
            due <= now
        {
            if number == firstCounted { marker(self.stats.tally, self.fleet.loop.bytesReceived) }
            self.send(number, at: due / 1_000_000 + wallOffset)
            if number >= firstCounted { self.stats.tally.lateness.add(now - due) }
            burst += 1
        }
    }

    private func send(_ number: Int, at intended: Int64) {
        let session = number % self.fleet.count
        let sequence = self.firstSequence[session] + Int64(number / self.fleet.count)
        let time = max(intended, self.lastTime[session] + 1)
        self.lastTime[session] = time
        let fix = LoadFix(
            number: number,
            session: session,
            sequence: sequence,
            group: session / self.groupSize,
            place: self.place(of: session, sequence: sequence),
            at: time
        )
        self.dialect.write(fix, into: &self.text)
        self.stats.sending(at: time)
        self.text.bytes.withUnsafeBytes { self.fleet.send($0, from: session) }
    }

    private func place(of session: Int, sequence: Int64) -> FixPlace {
        FixPlace(self.walk, group: session / self.groupSize, member: session % self.groupSize, number: sequence)
    }
}

@available(*, unavailable)
extension FanoutLoad: Sendable {}

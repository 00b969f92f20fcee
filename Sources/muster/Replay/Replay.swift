import MusterCore
import MusterWire

// The replay runs in virtual time. A line is applied at its arrival: at `receivedAt`, or else at the greatest `at` so
// far; time never goes back. Between two lines the world ticks at whole multiples of the tick, as often as work is due.
// Records for storage count as committed at once. After the last line, time continues until everything is decided.
// Three hours are enough for this: 45 min until a position is too old, 2 h of silence until a gathering ends, and the 5
// min of a departure.

/// Runs only the world, on a recorded trace, in virtual time.
struct Replay {
    /// How long time continues after the last line, in milliseconds.
    static let afterglow: Int64 = 3 * 3_600_000

    /// An idle time longer than any trace, in milliseconds: unloaded state could not be read back from storage.
    private static let never: Int64 = 100 * 365 * 86_400_000

    /// The counters of a replay.
    struct Summary {
        var fixes = 0
        /// Fixes that the world rejected because of their time: too old to be stored, or more than a day ahead.
        var refused = 0
        var gatherings = 0
        var alerts = 0
    }

    /// The counters so far.
    private(set) var summary = Summary()
    /// The users and groups of the trace.
    private(set) var cast = ReplayCast()

    private let tick: Int64
    private var timeline: ReplayTimeline
    private var world: World?
    private var effects: [WorldEffect] = []
    private var numbers = ReplayNumbers()
    private var now = Timestamp(milliseconds: 0)
    private var nextTick = Timestamp(milliseconds: 0)
    private var newest = Timestamp(milliseconds: 0)
    /// The places that are not named yet, the next one last.
    private var places: [HistoryTrace.DatedPlace] = []
    /// Groups that were defined before the first time in the trace.
    private var buffered: [GroupSnapshot] = []

    private let explained: String?
    /// The devices of the explained user.
    private var explainedDevices: Set<DeviceID> = []
    /// Devices of the explained user whose fixes are only history because another device leads.
    private var led: Set<DeviceID> = []
    private var runs = VerdictRuns()
    /// The results for the explained user in each of the user's groups.
    private var findings: [GroupID: Finding] = [:]
    /// The last reported reasons why nearby members are not linked with the explained user.
    private var unlinked: [GroupID: [UserID: LinkObstacle]] = [:]
    private var nextLook = Timestamp(milliseconds: 0)

    /// The interval of the search for nearby members, in milliseconds.
    private static let lookInterval: Int64 = 300_000

    /// Creates a replay that ticks every `tick` milliseconds and passes its decisions to `output`.
    ///
    /// With `explained`, the output also contains explanations of the decisions about the user of that name. With
    /// `begin`, it contains only decisions from then on.
    init(
        tick: Int64,
        explaining explained: String? = nil,
        from begin: Timestamp? = nil,
        output: any ReplayOutput
    ) {
        self.explained = explained
        self.tick = tick
        self.timeline = ReplayTimeline(from: begin, to: output)
    }

    /// Sets the named places for gatherings, each from its time on; in ascending order of time.
    mutating func expect(_ places: [HistoryTrace.DatedPlace]) { self.places = places.reversed() }

    /// Applies one line.
    ///
    /// - Throws: `FrameError` when it names a user or a group that no earlier line has defined.
    mutating func apply(_ line: TraceLine) throws(FrameError) {
        switch line {
        case .group(let line):
            let group = self.cast.define(line, at: self.now)
            if self.world == nil { self.buffered.append(group) } else { self.apply(Self.input(group)) }
        case .place(let line):
            guard let group = self.cast.define(line, at: self.now) else {
                throw FrameError(
                    .badRequest,
                    message: "group and notify must name a group and its members of an earlier line.",
                    field: "place"
                )
            }
            if self.world == nil {
                // The last snapshot of a group that is not loaded yet has all places.
                self.buffered.removeAll { $0.id == group.id }
                self.buffered.append(group)
            } else {
                self.apply(.groupChanged(group, answer: nil))
            }
        case .fix(let line):
            guard let report = self.cast.report(line) else { throw Self.stranger(line.user) }
            self.summary.fixes += 1
            self.arrive(taken: line.fix.at ?? self.newest, receivedAt: line.receivedAt)
            self.apply(.fixesReceived(report))
        case .sharing(let line):
            guard let groups = self.cast.choose(line) else { throw Self.stranger(line.user) }
            self.arrive(taken: line.at, receivedAt: line.receivedAt)
            for group in groups { self.apply(.groupChanged(group, answer: nil)) }
        case .truth:
            break
        }
    }

    /// Advances the time until no work is due.
    mutating func finish() {
        self.advance(to: self.now + Self.afterglow)
        self.sumUp()
        self.timeline.release(through: self.now, names: self.cast.names)
    }

    private static func stranger(_ name: String) -> FrameError {
        FrameError(
            .badRequest,
            message: "user '\(name)' must be a member of a group in an earlier line.",
            field: "user"
        )
    }

    private static func input(_ group: GroupSnapshot) -> WorldInput {
        group.revision == 1 ? .groupLoaded(group) : .groupChanged(group, answer: nil)
    }

    // MARK: Time

    private mutating func arrive(taken at: Timestamp, receivedAt: Timestamp?) {
        self.newest = max(self.newest, at)
        let arrival = receivedAt ?? self.newest
        if self.world == nil { self.begin(at: arrival) } else { self.advance(to: arrival) }
    }

    private mutating func begin(at now: Timestamp) {
        self.now = now
        self.nextTick = Timestamp(milliseconds: (now.milliseconds / self.tick + 1) * self.tick)
        var configuration = WorldConfiguration(startedAt: now)
        configuration.tracesGatherings = self.explained != nil
        configuration.groupIdle = Self.never
        configuration.deviceIdle = Self.never
        self.world = World(configuration: configuration)
        let groups = self.buffered
        self.buffered = []
        for group in groups { self.apply(.groupLoaded(group)) }
    }

    private mutating func advance(to target: Timestamp) {
        while self.nextTick <= target {
            self.iterate(at: self.nextTick)
            self.nextTick = self.nextTick + self.tick
            // A tick without due work would change nothing.
            guard let due = self.world?.nextDeadline else { continue }
            let idle = min(due, target) - self.nextTick
            if idle > 0 { self.nextTick = self.nextTick + idle / self.tick * self.tick }
        }
        self.now = max(self.now, target)
    }

    private mutating func iterate(at now: Timestamp) {
        self.now = now
        self.learnPlaces()
        self.world?.tick(at: now, into: &self.effects)
        self.world?.endIteration(into: &self.effects)
        self.execute()
        self.lookAround()
        self.timeline.release(through: now - GatheringMachine.lag, names: self.cast.names)
    }

    // MARK: Effects

    private mutating func learnPlaces() {
        var learned: [NamedPlace] = []
        while let next = self.places.last, next.at <= self.now { learned.append(self.places.removeLast().place) }
        guard !learned.isEmpty else { return }
        self.world?.apply(.spots(.added(learned)), at: self.now, into: &self.effects)
    }

    private mutating func apply(_ input: WorldInput) {
        self.learnPlaces()
        self.world?.apply(input, at: self.now, into: &self.effects)
        self.execute()
    }

    private mutating func execute() {
        if let explained, let user = self.cast.user(named: explained) {
            self.explain(user)
        }
        var last: Int64?
        var numbered: [NumberedRecord] = []
        for effect in self.effects {
            switch effect {
            case .journal(let number, .notification(let record)):
                last = number
                let given = self.numbers.number(record)
                numbered.append(NumberedRecord(record: number, number: given))
                self.show(NumberedNotification(user: record.user, number: given, content: record.content))
            case .journal(let number, let record):
                last = number
                self.show(record)
            case .badFix:
                self.summary.refused += 1
            case .welcome, .answer, .refused, .acknowledged, .reportRefused, .resend, .selfMoved, .locate, .publish,
                .publishNear, .notify, .ask, .close, .rosterShown, .subscribe, .unsubscribe, .leftGroup, .rosterChanged,
                .rosterClosed, .glance, .clusters, .events, .chat, .phoneApps, .groupViewed, .trouble:
                break
            }
        }
        self.effects.removeAll(keepingCapacity: true)
        guard let last else { return }
        self.world?.apply(.committed(through: last, numbers: numbered), at: self.now, into: &self.effects)
        self.effects.removeAll(keepingCapacity: true)
    }

    private mutating func explain(_ user: UserID) {
        for (group, entry) in self.world?.drainReasons() ?? [] {
            let users = entry.reason.users
            var isConcerned = users.isEmpty || users.contains(user)
            // A member who becomes unknown no longer counts as company, and cannot be missed.
            if case .becameUnknown = entry.reason { isConcerned = true }
            guard isConcerned, self.cast.isMember(user, of: group) else { continue }
            self.findings[group, default: Finding()].note(entry, about: user)
            let sharing = self.cast.sharing(of: user, in: group)
            self.timeline.add(.explanation(Explanation(of: user, group: group, sharing: sharing, entry)))
        }
        for case .journal(_, let record) in self.effects {
            if let verdict = self.explain(record, to: user) { self.timeline.add(.explanation(verdict)) }
        }
    }

    /// Explains a fix of a user, unless it was used normally.
    private mutating func explain(_ record: JournalRecord, to user: UserID) -> Explanation? {
        switch record {
        case .fix(let record) where record.user == user, .trackerFix(let record, _) where record.user == user:
            self.explainedDevices.insert(record.device)
            let (before, isFirst) = self.runs.note(record)
            if let before { self.timeline.add(.explanation(before)) }
            return isFirst ? self.explain(record) : nil
        case .gathering(let record):
            if self.cast.isMember(user, of: record.group) {
                self.findings[record.group, default: Finding()].note(record.status, about: user)
            }
            return nil
        case .notification(let record):
            if record.user == user, let group = record.content.group {
                self.findings[group, default: Finding()].note(record.content)
            }
            return nil
        case .verdict(let device, let sequence, let at, let verdict) where self.explainedDevices.contains(device):
            return Explanation(of: user, confirming: sequence, taken: at, at: self.now, as: verdict)
        case .fix, .trackerFix, .verdict, .device, .position, .presence, .sessionOpened, .sessionClosed, .seen,
            .machine, .suspension, .arrival:
            return nil
        }
    }

    /// Explains, after a change, why nearby members are not linked with the explained user.
    private mutating func lookAround() {
        guard let explained, let user = self.cast.user(named: explained), self.nextLook <= self.now else { return }
        self.nextLook = self.now + Self.lookInterval
        var seen: [GroupID: [UserID: LinkObstacle]] = [:]
        for (group, pair) in self.world?.unlinked(near: user) ?? [] {
            seen[group, default: [:]][pair.other] = pair.obstacle
            guard self.unlinked[group]?[pair.other] != pair.obstacle,
                let settings = self.cast.settings(of: group)
            else { continue }
            let at = self.now - GatheringMachine.lag
            self.timeline.add(.explanation(Explanation(of: user, at: at, group: group, pair, radius: settings.radius)))
        }
        self.unlinked = seen
    }

    /// Adds the final summary.
    private mutating func sumUp() {
        guard let explained, let user = self.cast.user(named: explained) else { return }
        for rest in self.runs.rest(at: self.now) { self.timeline.add(.explanation(rest)) }
        for (name, group) in self.cast.groups(of: user) {
            if let warning = self.cast.warning(of: group) {
                self.timeline.add(.explanation(Explanation(of: user, at: self.now, group: group, saying: warning)))
            }
            let sentence = (self.findings[group] ?? Finding()).sentence(
                name: explained,
                group: name,
                names: self.cast.names
            )
            self.timeline.add(.explanation(Explanation(of: user, at: self.now, group: group, saying: sentence)))
        }
    }

    /// Explains why a fix was not used normally; for a device that does not lead, only the first and the last such fix.
    private mutating func explain(_ record: FixRecord) -> Explanation? {
        switch record.verdict {
        case .ok, .future, .inaccurate:
            if self.led.remove(record.device) != nil { return Explanation(of: record, does: .leadAgain) }
            return record.verdict == .ok ? nil : Explanation(of: record)
        case .secondary:
            return self.led.insert(record.device).inserted ? Explanation(of: record, does: .giveWay) : nil
        case .duplicate, .outOfOrder, .late, .implausible:
            return Explanation(of: record)
        }
    }

    private mutating func show(_ record: JournalRecord) {
        switch record {
        case .gathering(let record):
            self.summary.gatherings += 1
            self.timeline.add(.gathering(record))
        case .fix, .trackerFix, .device, .verdict, .position, .presence, .sessionOpened, .sessionClosed, .notification,
            .seen, .machine, .suspension, .arrival:
            break
        }
    }

    private mutating func show(_ notification: NumberedNotification) {
        self.summary.alerts += 1
        self.timeline.add(.alert(notification))
    }
}

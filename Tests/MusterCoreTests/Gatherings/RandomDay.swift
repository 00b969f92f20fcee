@testable import MusterCore

/// A short day of a group: members meet, move on together and part, and at any stage some of them have a mishap.
struct RandomDay {
    /// An input of the machine.
    enum Step {
        case observation(UserID, GatheringObservation)
        case change(GatheringChange)
    }

    /// The events of a day.
    struct Outcome {
        /// The events of the whole day.
        var whole: [GatheringEvent] = []
        /// The events after the snapshot: of the machine that continued, and of the restored one.
        var fromMoment: [GatheringEvent] = []
        var fromSnapshot: [GatheringEvent] = []
        var problems: [String] = []

        /// The first event that differs after the restart.
        var difference: String {
            let count = max(self.fromMoment.count, self.fromSnapshot.count)
            guard let first = (0..<count).first(where: { self.fromMoment[at: $0] != self.fromSnapshot[at: $0] }) else {
                return "no difference"
            }
            let (event, restored) = (self.fromMoment[at: first], self.fromSnapshot[at: first])
            return "event \(first): \(event as Any), restored: \(restored as Any)"
        }
    }

    private struct Mishap {
        enum Kind: CaseIterable { case silent, late, paused, settings, left, joined, wrongClock }

        let kind: Kind
        let users: Set<Int64>
        let span: Range<Int64>
        let amount: Int64
    }

    private static let start = GatheringScene.start

    private let people: Int64
    private let settings: GroupSettings
    private let steps: [(at: Timestamp, step: Step)]
    private let snapshotAt: Timestamp
    private let end: Timestamp

    init(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let people = Int64.random(in: 2...6, using: &random)
        let dwells = [0, 1, 30, 60, 180, 600, 3600]
        let settings = GroupSettings(
            radius: [20, 50, 100, 100, 300].randomElement(using: &random) ?? 100,
            dwell: dwells.randomElement(using: &random) ?? 0,
            maxAbsent: Int.random(in: 1...3, using: &random),
            cooldown: [0, 300].randomElement(using: &random) ?? 0
        )
        let length = Int64.random(in: 900...3600, using: &random)
        let mishaps = (0..<Int.random(in: 1...4, using: &random)).map { _ in
            let begin = Int64.random(in: 0..<length, using: &random)
            let all = Bool.random(using: &random)
            return Mishap(
                kind: Mishap.Kind.allCases.randomElement(using: &random) ?? .silent,
                users: Set((1...people).filter { _ in all || Bool.random(using: &random) }),
                span: begin..<begin + Int64.random(in: 10...2400, using: &random),
                amount: Int64.random(in: 0..<1_000_000, using: &random)
            )
        }
        var steps: [(at: Timestamp, step: Step)] = []
        for failure in mishaps { steps += Self.changes(of: failure, settings: settings, dwells: dwells) }
        let way = Way(length: length, people: people, &random)
        for user in 1...people {
            steps += Self.observations(of: user, on: way, until: length, mishaps: mishaps, &random)
        }
        self.people = people
        self.settings = settings
        self.steps = steps.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(
            \.element
        )
        self.snapshotAt = Self.start + Int64.random(in: 0..<length * 1000, using: &random)
        self.end = Self.start + (length + 3600) * 1000
    }

    // MARK: - Making it

    /// The routes of all members: three places, and the times at which members stay behind or follow.
    private struct Way {
        let places: [Coordinate]
        let departures: [[Int64]]

        init(length: Int64, people: Int64, _ random: inout SeededGenerator) {
            var places = [GatheringScene.cafe]
            for _ in 0..<2 {
                let metres = Double.random(in: 30...1500, using: &random)
                let bearing = Double.random(in: 0..<360, using: &random)
                places.append(places[places.count - 1].moved(metres, bearing: bearing))
            }
            self.places = places
            let moments = (0..<2).map { _ in Int64.random(in: 0..<length, using: &random) }.sorted()
            self.departures = (0..<people).map { _ in
                moments.map { moment in
                    // Mostly with the others, sometimes later or never.
                    switch Int.random(in: 0..<6, using: &random) {
                    case 0: .max / 2
                    case 1: moment + Int64.random(in: 0..<600, using: &random)
                    case _: moment + Int64.random(in: 0..<20, using: &random)
                    }
                }
            }
        }

        func place(of user: Int64, at second: Int64) -> Coordinate {
            let legs = self.departures[Int(user) - 1].prefix { $0 <= second }
            guard let last = legs.last else { return self.places[0] }
            let (origin, target) = (self.places[legs.count - 1], self.places[legs.count])
            let share = min(1, Double(second - last) * 5 / max(1, origin.distance(to: target)))
            return Coordinate(
                latitude: origin.latitude + (target.latitude - origin.latitude) * share,
                longitude: origin.longitude + (target.longitude - origin.longitude) * share
            )
        }
    }

    private static func observations(
        of user: Int64,
        on way: Way,
        until length: Int64,
        mishaps: [Mishap],
        _ random: inout SeededGenerator
    ) -> [(at: Timestamp, step: Step)] {
        var steps: [(at: Timestamp, step: Step)] = []
        let interval = Int64.random(in: 5...60, using: &random)
        let noise = Double.random(in: 1...30, using: &random)
        var second = Int64.random(in: 0..<interval, using: &random)
        while second < length {
            defer { second += interval }
            let own = mishaps.filter { $0.users.contains(user) && $0.span.contains(second) }
            guard !own.contains(where: { $0.kind == .silent }) else { continue }
            var at = Self.start + second * 1000 + user
            var receivedAt = at + Int64.random(in: 50...2000, using: &random)
            for failure in own {
                switch failure.kind {
                // All at once when the network returns, or just before the gate would reject them.
                case .late:
                    let arrival = min(Self.start + failure.span.upperBound * 1000, at + 299_000)
                    receivedAt = max(receivedAt, arrival + second)
                case .wrongClock: at = at + (failure.amount % 600_000 - 300_000)
                case .silent, .paused, .settings, .left, .joined: break
                }
            }
            let distance = Double.random(in: 0..<noise, using: &random)
            let observation = GatheringObservation(
                device: DeviceID(user),
                sequence: second,
                at: at,
                coordinate: way.place(of: user, at: second).moved(
                    distance,
                    bearing: .random(in: 0..<360, using: &random)
                ),
                accuracy: noise,
                isStationary: Int.random(in: 0..<5, using: &random) == 0
            )
            steps.append((receivedAt, .observation(UserID(user), observation)))
        }
        return steps
    }

    private static func changes(
        of failure: Mishap,
        settings: GroupSettings,
        dwells: [Int]
    ) -> [(at: Timestamp, step: Step)] {
        let (begin, end) = (Self.start + failure.span.lowerBound * 1000, Self.start + failure.span.upperBound * 1000)
        func both(_ one: (UserID) -> GatheringChange, _ other: (UserID) -> GatheringChange) -> [(Timestamp, Step)] {
            failure.users.sorted().flatMap { user in
                [(begin, .change(one(UserID(user)))), (end, .change(other(UserID(user))))]
            }
        }
        switch failure.kind {
        case .silent, .late, .wrongClock: return []
        case .paused:
            return both({ .sharingChanged($0, isLive: false) }, { .sharingChanged($0, isLive: true) })
        case .left:
            return both({ .memberLeft($0) }, { .memberJoined($0, isSharingLive: true) })
        case .joined:
            return (1...2).map { (begin, .change(.memberJoined(UserID(20 + $0), isSharingLive: true))) }
        case .settings:
            var changed = settings
            changed.dwell = dwells[Int(failure.amount) % dwells.count]
            changed.maxAbsent = Int(failure.amount % 4) + 1
            if failure.amount % 3 == 0 { changed.radius = [20, 80, 200, 2000][Int(failure.amount / 3) % 4] }
            return [(begin, .change(.settingsChanged(changed))), (end, .change(.settingsChanged(settings)))]
        }
    }

    // MARK: - Playing it

    /// Plays the day to the snapshot, and from there twice: by the running machine, and by one restored from storage.
    func play() -> Outcome {
        var outcome = Outcome()
        var run = Run(machine: self.newMachine, at: Self.start)
        let split = self.steps.firstIndex { $0.at > self.snapshotAt } ?? self.steps.count
        run.take(self.steps[..<split])
        run.pass(to: self.snapshotAt)
        outcome.whole = run.events
        var restored = run.restored(at: self.snapshotAt)
        run.events = []
        for part in [0, 1] {
            var copy = part == 0 ? run : restored
            copy.take(self.steps[split...])
            copy.finish(self.end)
            outcome.problems += copy.problems
            if part == 0 { run = copy } else { restored = copy }
        }
        outcome.fromMoment = run.events
        outcome.fromSnapshot = restored.events
        outcome.whole += run.events
        return outcome
    }

    private var newMachine: GatheringMachine {
        let members = (1...self.people).map { GatheringMachine.Member(user: UserID($0), isSharingLive: true) }
        var machine = GatheringMachine(settings: self.settings, members: members, at: Self.start)
        machine.progress = DeadlineProgress(.postpone)
        return machine
    }

    /// A machine during a day.
    private struct Run {
        var machine: GatheringMachine
        var now: Timestamp
        var identifiers = IdentifierGenerator(node: 0)
        var events: [GatheringEvent] = []
        var problems: [String] = []
        private var calls = 0

        init(machine: GatheringMachine, at now: Timestamp) {
            self.machine = machine
            self.now = now
        }

        mutating func take(_ steps: ArraySlice<(at: Timestamp, step: Step)>) {
            for (at, step) in steps {
                self.pass(to: at)
                switch step {
                case .observation(let user, let observation):
                    self.machine.observe(user, observation, receivedAt: at)
                case .change(let change):
                    self.note(self.machine.apply(change, at: at, identifiers: &self.identifiers))
                }
            }
        }

        /// Advances time in seconds, as the world does.
        mutating func pass(to end: Timestamp) {
            while let due = self.machine.nextDeadline, due <= end, self.problems.isEmpty {
                let tick = max(due, self.now)
                self.now = Timestamp(milliseconds: (tick.milliseconds + 999) / 1000 * 1000)
                guard self.now <= end else { break }
                self.note(self.machine.evaluate(at: self.now, identifiers: &self.identifiers))
            }
            self.now = end
        }

        /// Advances time until no deadline is left.
        mutating func finish(_ end: Timestamp) {
            self.pass(to: end)
            self.pass(to: end + 3 * 86_400_000)
            if let due = self.machine.nextDeadline { self.problems.append("waits for \(due.text)") }
            if self.machine.status != nil { self.problems.append("the gathering goes on") }
        }

        private mutating func note(_ decided: [GatheringEvent]) {
            self.calls += 1
            self.events += decided.filter { $0 != .stateChanged }
            if let deadline = self.machine.progress.takeReport() { self.problems.append("stalled at \(deadline.text)") }
            if self.machine.isExhausted { self.problems.append("exhausted") }
            if self.calls > 100_000 { self.problems.append("does not end") }
        }

        /// The machine restored from storage, with its pending inputs.
        func restored(at now: Timestamp) -> Run {
            var run = self
            run.events = []
            let members = self.machine.users(self.machine.roster.enrolled).map { user in
                let slot = self.machine.roster.slot(of: user) ?? 0
                return GatheringMachine.Member(user: user, isSharingLive: self.machine.sharing.contains(slot))
            }
            guard let stored = self.machine.stored,
                var machine = GatheringMachine(
                    restoring: stored,
                    settings: self.machine.settings,
                    members: members,
                    at: now
                )
            else { return run }
            machine.progress = DeadlineProgress(.postpone)
            for entry in self.machine.queue.entries[self.machine.queue.head..<self.machine.queue.tail] {
                guard let user = self.machine.roster.user(of: entry.slot), let slot = machine.roster.slot(of: user)
                else { continue }
                machine.queue.insert(
                    entry.observation,
                    of: slot,
                    receivedAt: entry.due,
                    lag: entry.due == entry.at ? .max : -1
                )
            }
            run.machine = machine
            return run
        }
    }
}

extension [GatheringEvent] {
    /// The event at an index; nil beyond the last.
    fileprivate subscript(at index: Int) -> GatheringEvent? { self.indices.contains(index) ? self[index] : nil }
}

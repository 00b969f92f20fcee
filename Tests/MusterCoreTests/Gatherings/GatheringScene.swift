@testable import MusterCore

/// A group's day as a list of fixes from each member's phone, played through the gates and the machine.
struct GatheringScene {
    /// One fix in transit: the user, the time of arrival and the content.
    struct Delivery {
        var user: UserID
        var device: DeviceID
        var kind = DeviceKind.phone
        var receivedAt: Timestamp
        var fix: Fix
    }

    /// The events that the group received.
    struct Outcome: Equatable {
        var events: [GatheringEvent] = []
        /// The number of fixes with each verdict.
        var verdicts: [FixVerdict: Int] = [:]
        /// The final stored verdict of each fix.
        var history: [StoredFix: FixVerdict] = [:]

        var alerts: [GatheringAlert] {
            self.events.compactMap { if case .alert(let alert) = $0 { alert } else { nil } }
        }
        var alerted: [Int64] { self.alerts.map(\.user.rawValue) }
        /// The notifications in short: "4 departed".
        var notified: [String] { self.alerts.map { "\($0.user) \($0.variant.rawValue)" } }
        var began: [GatheringStatus] {
            self.events.compactMap { if case .began(let status, _) = $0 { status } else { nil } }
        }
        var changed: [GatheringStatus] {
            self.events.compactMap { if case .changed(let status, _) = $0 { status } else { nil } }
        }
        var ended: [GatheringStatus] {
            self.events.compactMap { if case .ended(let status, _) = $0 { status } else { nil } }
        }
    }

    /// The key of a stored fix.
    struct StoredFix: Hashable {
        var device: DeviceID
        var sequence: Int64
    }

    static let start = Timestamp(milliseconds: 1_800_000_000_000)
    static let cafe = Coordinate(latitude: 48.137, longitude: 11.575)

    var settings = GroupSettings()
    var spots = SpotIndex()
    var members: [Int64]
    var deliveries: [Delivery] = []
    /// Changes of the group, each at its second.
    var changes: [(second: Double, change: GatheringChange)] = []
    /// The state that storage returns at a restart instead of the written one; nil for the written one.
    var older: GatheringState?
    private var sequences: [DeviceID: Int64] = [:]

    init(_ members: ClosedRange<Int64>, settings: GroupSettings = GroupSettings()) {
        self.members = Array(members)
        self.settings = settings
    }

    /// The moment `second` seconds after the start.
    static func moment(_ second: Double) -> Timestamp { self.start + Int64((second * 1000).rounded()) }

    /// Adds a fix of a member at a place.
    ///
    /// It arrives `delay` seconds later, from a device whose clock is `ahead` seconds fast.
    mutating func report(
        _ user: Int64,
        at second: Double,
        _ place: Coordinate,
        accuracy: Float = 8,
        speed: Float? = nil,
        delay: Double = 0.2,
        trigger: Fix.Trigger? = nil,
        device number: Int64 = 0,
        kind: DeviceKind = .phone,
        ahead: Double = 0
    ) {
        let device = DeviceID(user * 10 + number)
        self.sequences[device, default: 0] += 1
        let fix = Fix(
            sequence: self.sequences[device] ?? 1,
            at: Self.moment(second + ahead),
            coordinate: place,
            accuracy: accuracy,
            speed: speed,
            trigger: trigger
        )
        self.deliveries.append(
            Delivery(
                user: UserID(user),
                device: device,
                kind: kind,
                receivedAt: Self.moment(second + delay),
                fix: fix
            )
        )
    }

    /// Adds periodic fixes of a member who stays at one place.
    mutating func stay(
        _ user: Int64,
        _ place: Coordinate,
        from first: Double,
        to last: Double,
        every interval: Double = 15,
        accuracy: Float = 8
    ) {
        // The phones do not report in step.
        for second in stride(from: first + Double(user) * 0.37, through: last, by: interval) {
            self.report(user, at: second, place, accuracy: accuracy)
        }
    }

    /// Adds periodic fixes of a member who travels from one place to another, on foot or by car.
    @discardableResult
    mutating func travel(
        _ user: Int64,
        from origin: Coordinate,
        to target: Coordinate,
        start: Double,
        speed: Double,
        every interval: Double = 10,
        phase: Double = 0
    ) -> Double {
        let duration = origin.distance(to: target) / speed
        for second in stride(from: phase, through: duration, by: interval) {
            let share = second / duration
            let place = Coordinate(
                latitude: origin.latitude + (target.latitude - origin.latitude) * share,
                longitude: origin.longitude + (target.longitude - origin.longitude) * share
            )
            self.report(user, at: start + second + Double(user) * 0.37, place)
        }
        return start + duration
    }

    /// Numbers the fixes of each device in the order in which they arrive.
    mutating func number() {
        self.deliveries.sort { $0.receivedAt < $1.receivedAt }
        self.sequences = [:]
        for index in self.deliveries.indices {
            let device = self.deliveries[index].device
            self.sequences[device, default: 0] += 1
            self.deliveries[index].fix.sequence = self.sequences[device] ?? 1
        }
    }

    /// Plays all deliveries until a second with a tick interval in milliseconds.
    ///
    /// At each restart the machine is restored from storage.
    func play(until end: Double, tick: Int64 = 1000, restarts: [Double] = []) -> Outcome {
        let player = self.player(after: end, tick: tick, restarts: restarts)
        var outcome = player.outcome
        outcome.history = player.storage.history
        return outcome
    }

    /// The machine at a second, and the members of the group.
    func machine(at second: Double) -> (machine: GatheringMachine, members: [UserID]) {
        let player = self.player(after: second, tick: 1000, restarts: [])
        return (player.machine, player.live.keys.sorted())
    }

    /// The trace entries of all decisions until a second.
    func trace(until end: Double) -> [GatheringTraceEntry] {
        self.player(after: end, tick: 1000, restarts: [], isTraced: true).machine.trace ?? []
    }

    private func player(after end: Double, tick: Int64, restarts: [Double], isTraced: Bool = false) -> Player {
        var player = Player(scene: self)
        if isTraced { player.machine.trace = [] }
        let order = self.deliveries.enumerated().sorted {
            ($0.element.receivedAt, $0.offset) < ($1.element.receivedAt, $1.offset)
        }
        var waiting = order.map(\.element)[...]
        var changes = self.changes.sorted { $0.second < $1.second }[...]
        var restarts = restarts.sorted()[...]
        var now = Self.start
        while now <= Self.moment(end) {
            while let next = waiting.first, next.receivedAt <= now {
                waiting.removeFirst()
                player.receive(next)
            }
            while let next = changes.first, Self.moment(next.second) <= now {
                changes.removeFirst()
                player.apply(next.change, at: now)
            }
            player.evaluate(at: now)
            if let restart = restarts.first, Self.moment(restart) <= now {
                restarts.removeFirst()
                player.restart(at: now)
            }
            now = now + tick
        }
        return player
    }
}

extension GatheringScene {
    /// The gates of all devices and the machine of the group, as the world stores them.
    private struct Player {
        var machine: GatheringMachine
        var gates: [DeviceID: FixGate] = [:]
        var leads: [UserID: DeviceLead] = [:]
        var shown: [UserID: StoredPosition] = [:]
        var live: [UserID: Bool] = [:]
        var settings: GroupSettings
        var spots: SpotIndex
        var identifiers = IdentifierGenerator(node: 0)
        var outcome = Outcome()
        /// The stored state, written only when the machine requests it.
        var stored: GatheringState?
        private(set) var storage = DeviceStorage()
        private let older: GatheringState?

        init(scene: GatheringScene) {
            self.settings = scene.settings
            self.spots = scene.spots
            self.older = scene.older
            let members = scene.members.map { GatheringMachine.Member(user: UserID($0), isSharingLive: true) }
            self.machine = GatheringMachine(settings: scene.settings, members: members, at: GatheringScene.start)
            self.machine.spots = scene.spots
            for member in members { self.live[member.user] = true }
        }

        mutating func receive(_ delivery: Delivery) {
            let evaluation = self.gates[delivery.device, default: FixGate(acknowledged: 0)].evaluate(
                delivery.fix,
                receivedAt: delivery.receivedAt,
                newestShown: self.shown[delivery.user]?.fix.at,
                retention: 30 * 86_400_000
            )
            guard case .evaluated(let evaluated) = evaluation else { return }
            if let pendingFix = evaluated.confirmed {
                let confirmed = pendingFix.evaluated(newestShown: self.shown[delivery.user]?.fix.at)
                let verdict = self.use(pendingFix.fix, confirmed, of: delivery)
                self.storage.rewrite(pendingFix.fix, as: verdict, of: delivery.device)
            }
            let verdict = self.use(delivery.fix, evaluated, of: delivery)
            guard verdict != .duplicate else { return }
            self.storage.keep(delivery.fix, at: evaluated.at, as: verdict, of: delivery)
            self.storage.keepMemory(
                of: delivery,
                lead: &self.leads[delivery.user],
                gate: &self.gates[delivery.device]
            )
        }

        private mutating func use(_ fix: Fix, _ evaluated: EvaluatedFix, of delivery: Delivery) -> FixVerdict {
            var evaluated = evaluated
            self.leads[delivery.user, default: DeviceLead()].evaluate(
                &evaluated,
                of: fix,
                from: delivery.device,
                kind: delivery.kind,
                shown: self.shown[delivery.user]?.device
            )
            var fix = fix
            fix.at = evaluated.at
            self.outcome.verdicts[evaluated.verdict, default: 0] += 1
            if evaluated.isShown {
                self.shown[delivery.user] = StoredPosition(
                    device: delivery.device,
                    fix: fix,
                    isStationary: evaluated.isStationary
                )
            }
            guard evaluated.drivesGatherings else { return evaluated.verdict }
            let observation = GatheringObservation(
                device: delivery.device,
                sequence: fix.sequence,
                at: evaluated.at,
                coordinate: fix.coordinate,
                accuracy: Double(fix.accuracy ?? 0),
                isStationary: evaluated.isStationary
            )
            self.machine.observe(delivery.user, observation, receivedAt: delivery.receivedAt)
            return evaluated.verdict
        }

        mutating func evaluate(at now: Timestamp) {
            // The deadline that the machine returns is part of the test.
            guard let deadline = self.machine.nextDeadline, deadline <= now else { return }
            self.take(self.machine.evaluate(at: now, identifiers: &self.identifiers))
        }

        mutating func apply(_ change: GatheringChange, at now: Timestamp) {
            switch change {
            case .memberJoined(let user, let isLive), .sharingChanged(let user, let isLive): self.live[user] = isLive
            case .memberLeft(let user): self.live[user] = nil
            case .settingsChanged(let settings): self.settings = settings
            }
            self.take(self.machine.apply(change, at: now, identifiers: &self.identifiers))
        }

        mutating func restart(at now: Timestamp) {
            let members = self.live.keys.sorted().map { user in
                let isUsable = self.shown[user].map { $0.fix.accuracy ?? 0 <= FixGate.accuracyLimit } ?? true
                return GatheringMachine.Member(
                    user: user,
                    isSharingLive: self.live[user] == true,
                    position: isUsable ? self.shown[user] : self.storage.usablePosition(of: self.shown[user], at: now)
                )
            }
            let fresh = GatheringMachine(settings: self.settings, members: members, at: now)
            // The state of the gates and the leading devices is lost. Storage has each member's last position, the
            // history, and the stored state of each device.
            for (device, gate) in self.gates {
                let shown = self.shown[UserID(device.rawValue / 10)]
                let stored = self.storage.device(device, at: now)
                let own = shown.flatMap { $0.device == device ? $0 : nil }
                let accepted = stored?.accepted.map {
                    StoredPosition(device: device, fix: $0, isStationary: own?.isStationary ?? false)
                }
                self.gates[device] = FixGate(
                    acknowledged: gate.highest,
                    accepted: accepted ?? own,
                    clockOffset: gate.clockOffset,
                    pendingFix: stored?.pendingFix
                )
            }
            for user in self.leads.keys {
                var lead = DeviceLead(shown: self.shown[user])
                let devices = self.gates.keys.filter { $0.rawValue / 10 == user.rawValue }
                lead.recall(devices.compactMap { self.storage.device($0, at: now) })
                self.leads[user] = lead
            }
            self.machine =
                (self.older ?? self.stored).flatMap {
                    GatheringMachine(restoring: $0, settings: self.settings, members: members, at: now)
                } ?? fresh
        }

        private mutating func take(_ events: [GatheringEvent]) {
            if events.contains(.stateChanged) { self.stored = self.machine.stored }
            self.outcome.events += events.filter { $0 != .stateChanged }
            self.machine.spots = self.spots
        }
    }
}

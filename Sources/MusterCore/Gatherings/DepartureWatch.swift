// Rule (README.md, 6): p is u's own position when u was last within R of one of the rest. Unless both had stays (`MemberStay`)
// within 1.5 R of p that had lasted long then, they only met in passing. When all links of u are open, the rest (≥ 2, linked) is
// ≥ max(200 m, 2 R) from p for 60 s, u said since that they are within R of p, and at most `maxAbsent` are left behind: u is
// told. If u was beyond 1.5 R of p first, u left by choice: no alert.
//
//                 C breaks, u is in a part              the rest away for 60 s,
//                 that is not the largest               u there, few left behind
//     (no entry) ─┬───────────────────────► undecided ─────────────────────────► told
//       ▲         │ they did not both stay   │   │                                │
//       │         ▼                          │   │ two fixes beyond               │
//       ├───── inPassing                     │   ▼ 1.5 R of p                     │
//       ├──────────────────────── leftByChoice ◄─┘                                │
//       └─────────── back in C ──────────────┴────────────────────────────────────┘
//
// Readings:
// - p belongs to u and the rest: of the places where u was when last within R of one of them, since they came together, the
//   nearest to u. So two who walk off side by side do not drag each other's p along.
// - Whether both had stayed is decided when they are last within R, and kept with p (`PairMeeting`): it is that of any of the
//   rest whose p is within R of the nearest. So the next stay of one who walks slowly does not replace the one that counts.
// - "All links of u" are those to the rest: of two who are left behind in one place, both are left behind, and counted.
// - Left behind are all whose departure is undecided or told and whose p is within max(200 m, 2 R) of u's p. Who has been
//   silent since the rest went away may be in the car, with a dead phone: they are not told, and count as left behind for
//   10 min after their last fix. Only who is usable is told.
// - The rest is company only while two of it were heard from within 45 min: a phone in a drawer takes nobody along.
// - Two fixes in a row beyond 1.5 R of p make it a choice, whatever their accuracy; one does not, nor does one that is delivered
//   twice. A last fix beyond R holds the alert back, unless u goes after the rest: who walks home from a door takes a while.
//
// Invariants: an entry for a slot at most once; who is told is told once until they are back in C.

/// Remembers who came apart from a gathering, until it is known who left whom.
struct DepartureWatch: Sendable, Equatable {
    /// How long in milliseconds the rest must be away.
    static let patience: Int64 = 60_000
    /// How long in milliseconds after their last fix one who is silent since the rest went away counts as left behind.
    static let muteness: Int64 = 600_000

    /// Where one stands who came apart from the others.
    enum State: Sendable, Equatable {
        /// It is not known yet who left whom.
        case undecided(Undecided)
        /// They, or the rest, had not stayed there: nobody leaves anybody.
        case inPassing
        /// They went away themselves.
        case leftByChoice
        /// They were left behind, and told unless the cooldown was against it.
        case told
    }

    /// What speaks for having been left.
    struct Undecided: Sendable, Equatable {
        /// Since when the rest is away; nil while it is not.
        var awaySince: Timestamp?
        /// Whether it has been away for long enough, so that time alone changes nothing any more.
        var isRipe = false
        /// How many fixes in a row, two at most, were beyond 1.5 R of p.
        var fixesBeyond: UInt8 = 0
        /// When the last fix was taken that was counted so.
        var seen: Timestamp?
        /// When their last fix was taken.
        var lastFix: Timestamp?
        /// Whether they have been silent since the rest went away, for too long to count as left behind.
        var isMute = false
        /// The rest.
        var rest = MemberSet()
    }

    /// One who came apart.
    struct Entry: Sendable, Equatable {
        let slot: Int
        /// p: where they were when they were last with the rest.
        let place: Coordinate
        /// C, as it was then.
        var companions: MemberSet
        var state: State
        /// For how many seconds they and one of the rest had both stayed there; only for people who ask why.
        var stayed: Int64 = 0

        /// Whether they may still turn out to have been left by two or more.
        var isOpen: Bool {
            guard case .undecided(let undecided) = self.state else { return false }
            return undecided.rest.count >= 2
        }

        /// Whether they stayed where the rest left them, as far as is known.
        var isLeftBehind: Bool {
            switch self.state {
            case .undecided(let undecided): !undecided.isMute
            case .told: true
            case .inPassing, .leftByChoice: false
            }
        }
    }

    /// C, as it was when it was last looked at: those who can leave or be left.
    private(set) var bond: MemberSet
    /// Those who came apart, in no particular order.
    private(set) var entries: [Entry] = []

    /// Begins with those who gathered, or goes on from what was stored.
    init(bond: MemberSet, entries: [Entry] = []) {
        self.bond = bond
        self.entries = entries
    }

    /// Whether anything of what members do matters.
    var isWatching: Bool {
        self.entries.contains { if case .undecided = $0.state { true } else { false } }
    }

    /// Whether somebody may still turn out to have been left behind.
    func isPending(settings: GroupSettings) -> Bool {
        self.entries.contains {
            $0.isOpen && self.leftBehind(with: $0, settings: settings) <= max(1, settings.maxAbsent)
        }
    }

    /// When time alone decides something; nil when it takes a fix.
    var deadline: Timestamp? {
        var next: Timestamp?
        for entry in self.entries {
            guard case .undecided(let undecided) = entry.state, let since = undecided.awaySince else { continue }
            if !undecided.isRipe { next = min(next ?? .never, since + Self.patience) }
            if !undecided.isMute, let lastFix = undecided.lastFix, lastFix < since {
                next = min(next ?? .never, lastFix + Self.muteness)
            }
        }
        return next
    }

    /// Forgets a member, whose slot may go to somebody else.
    mutating func remove(_ slot: Int) {
        self.bond.remove(slot)
        self.entries.removeAll { $0.slot == slot }
        for index in self.entries.indices { self.entries[index].companions.remove(slot) }
    }

    // MARK: Who comes apart, and who is back

    /// Takes note of C at `instant`; `isLarge` says whether it is large enough to be the gathering, `since` when it came
    /// together.
    mutating func observe(
        cluster: MemberSet,
        isLarge: Bool,
        since: Timestamp,
        graph: ProximityGraph,
        settings: GroupSettings,
        at instant: Timestamp
    ) {
        guard !(self.bond - cluster).isEmpty || !self.entries.isEmpty else {
            if isLarge { self.bond = cluster }
            return
        }
        if isLarge { self.welcomeBack(cluster) }
        let parts = graph.parts(of: self.bond)
        self.breakUp(parts, since: since, graph: graph, settings: settings)
        self.entries.removeAll { entry in
            guard case .undecided = entry.state, cluster.contains(entry.slot) else { return false }
            let own = (cluster & entry.companions).count
            return graph.parts(of: entry.companions).allSatisfy { $0.contains(entry.slot) || $0.count < own }
        }
        if isLarge {
            self.bond = cluster
        } else if let largest = parts.first, largest.count >= 2 {
            self.bond = largest
        }
    }

    private mutating func welcomeBack(_ cluster: MemberSet) {
        self.entries.removeAll { entry in
            switch entry.state {
            case .inPassing, .leftByChoice, .told: cluster.contains(entry.slot)
            case .undecided: false
            }
        }
    }

    private mutating func breakUp(
        _ parts: [MemberSet],
        since: Timestamp,
        graph: ProximityGraph,
        settings: GroupSettings
    ) {
        guard let largest = parts.first, largest.count >= 2, parts.count > 1 else { return }
        for part in parts {
            // The largest part is left by nobody, unless by one as large.
            guard let rest = parts.first(where: { $0 != part }), rest.count >= 2, rest.count >= part.count else {
                continue
            }
            for slot in part where !self.entries.contains(where: { $0.slot == slot }) {
                guard let own = graph.positions[slot] else { continue }
                let meetings = rest.compactMap {
                    graph.lastMeeting(of: slot, with: $0, since: since, settings: settings)
                }
                let nearest = meetings.min {
                    $0.place.distance(to: own.coordinate) < $1.place.distance(to: own.coordinate)
                }
                let place = nearest?.place ?? own.coordinate
                // Who was never within R of one of them was so in a larger R.
                let stayed =
                    meetings.isEmpty
                    ? rest.map { graph.stayed(MemberPair(slot, $0), about: place, at: own.at, settings: settings) }
                    : meetings.filter { $0.place.distance(to: place) <= settings.radius }.map(\.stayed)
                let longest = stayed.max() ?? 0
                let hadStayed = longest * 1000 >= settings.stayMilliseconds
                var entry = Entry(
                    slot: slot,
                    place: place,
                    companions: self.bond,
                    state: hadStayed ? .undecided(Undecided()) : .inPassing
                )
                entry.stayed = longest
                self.entries.append(entry)
            }
        }
    }

    // MARK: Who left whom

    /// Looks at where everybody is at `instant`; returns those who were left behind, and marks them as told.
    mutating func decide(
        usable: MemberSet,
        position: (Int) -> MemberPosition?,
        graph: ProximityGraph,
        settings: GroupSettings,
        at instant: Timestamp
    ) -> [Entry] {
        for index in self.entries.indices {
            guard case .undecided(var undecided) = self.entries[index].state else { continue }
            let entry = self.entries[index]
            undecided.rest = graph.parts(of: entry.companions).first { !$0.contains(entry.slot) } ?? MemberSet()
            undecided.note(isAway: Self.isAway(entry, undecided.rest, graph: graph, settings: settings), at: instant)
            if let position = position(entry.slot) {
                undecided.note(position, from: entry.place, limit: settings.strayDistance)
            }
            undecided.noteSilence(at: instant)
            self.entries[index].state = undecided.fixesBeyond >= 2 ? .leftByChoice : .undecided(undecided)
        }
        let left = self.entries.filter { entry in
            guard case .undecided = entry.state else { return false }
            return self.obstacle(
                to: entry,
                usable: usable,
                position: position,
                settings: settings,
                at: instant
            ) == nil
        }
        for index in self.entries.indices where left.contains(where: { $0.slot == self.entries[index].slot }) {
            self.entries[index].state = .told
        }
        return left
    }

    /// What keeps one who came apart from having been left behind at `instant`; nil when nothing does.
    func obstacle(
        to entry: Entry,
        usable: MemberSet,
        position: (Int) -> MemberPosition?,
        settings: GroupSettings,
        at instant: Timestamp
    ) -> DepartureObstacle? {
        guard case .undecided(let undecided) = entry.state else { return nil }
        if undecided.fixesBeyond > 0 {
            return .strayed(position(entry.slot).map { $0.coordinate.distance(to: entry.place) } ?? 0)
        }
        guard let since = undecided.awaySince else {
            return undecided.rest.count >= 2 ? .restIsNear(settings.awayDistance) : .restIsScattered
        }
        guard undecided.isRipe else { return .restLeftLately(settings.awayDistance) }
        guard usable.contains(entry.slot), let own = position(entry.slot), own.at >= since else { return .silent }
        let distance = own.coordinate.distance(to: entry.place)
        guard
            distance <= own.radius(with: own, in: settings.radius)
                || Self.follows(own, from: entry.place, undecided.rest, position, settings: settings)
        else { return .wandered(distance) }
        let count = self.leftBehind(with: entry, settings: settings)
        guard count <= max(1, settings.maxAbsent) else { return .manyLeft(count) }
        return undecided.rest.isCompany(at: instant, position) ? nil : .restIsSilent
    }

    /// Whether one who came apart goes after the rest: is nearer to all of it than p is, by half of R.
    private static func follows(
        _ own: MemberPosition,
        from place: Coordinate,
        _ rest: MemberSet,
        _ position: (Int) -> MemberPosition?,
        settings: GroupSettings
    ) -> Bool {
        rest.allSatisfy { slot in
            position(slot).map {
                own.coordinate.distance(to: $0.coordinate) + settings.radius / 2 <= place.distance(to: $0.coordinate)
            } ?? false
        }
    }

    private static func isAway(
        _ entry: Entry,
        _ rest: MemberSet,
        graph: ProximityGraph,
        settings: GroupSettings
    ) -> Bool {
        rest.count >= 2
            && rest.allSatisfy { slot in
                graph.positions[slot].map {
                    $0.coordinate.distance(to: entry.place) >= settings.awayDistance
                } ?? false
            }
    }

    private func leftBehind(with entry: Entry, settings: GroupSettings) -> Int {
        self.entries.count { $0.isLeftBehind && $0.place.distance(to: entry.place) <= settings.awayDistance }
    }
}

extension DepartureWatch.Undecided {
    /// Takes note of whether the rest is away.
    fileprivate mutating func note(isAway: Bool, at instant: Timestamp) {
        self.awaySince = isAway ? self.awaySince ?? instant : nil
        self.isRipe = self.awaySince.map { $0 + DepartureWatch.patience <= instant } ?? false
    }

    /// Takes note of for how long they have been silent.
    fileprivate mutating func noteSilence(at instant: Timestamp) {
        guard let since = self.awaySince, let lastFix = self.lastFix, lastFix < since else {
            self.isMute = false
            return
        }
        self.isMute = lastFix + DepartureWatch.muteness <= instant
    }

    /// Takes note of where the one who came apart is.
    fileprivate mutating func note(_ position: MemberPosition, from place: Coordinate, limit: Double) {
        self.lastFix = position.at
        guard self.seen.map({ position.at - $0 >= MemberStay.moment }) ?? true else { return }
        self.seen = position.at
        let distance = position.coordinate.distance(to: place)
        self.fixesBeyond = distance > limit ? min(self.fixesBeyond + 1, 2) : 0
    }
}

extension GroupSettings {
    /// Beyond so many metres from where they came apart from the others, somebody went by choice.
    var strayDistance: Double { 1.5 * self.radius }
    /// From so many metres on, somebody is elsewhere.
    var awayDistance: Double { max(200, 2 * self.radius) }
}

extension MemberSet {
    /// Whether two of them were heard of lately enough for the others to be with anybody at `instant`.
    func isCompany(at instant: Timestamp, _ position: (Int) -> MemberPosition?) -> Bool {
        var recent = 0
        for slot in self {
            guard let at = position(slot)?.at, instant - at <= Freshness.recentAge else { continue }
            recent += 1
            if recent == 2 { return true }
        }
        return false
    }
}

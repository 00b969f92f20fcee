// Rule (README.md, 6): p is u's own position when u was last within R of a member of the rest. u and that member must
// both have had long stays (`MemberStay`) within 1.5 R of p; otherwise they only met in passing. u is alerted when four
// conditions hold: all links of u are open; the rest (≥ 2, linked) is ≥ max(200 m, 2 R) from p for 60 s; a later fix of
// u is within R of p; at most `maxAbsent` members are left behind. If u was beyond 1.5 R of p first, u left by choice:
// no alert.
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
// Details:
// - p belongs to u and the rest. It is the nearest to u of u's positions when last within R of one of them, since they
//   came together. So two who walk off side by side do not drag each other's p along.
// - Whether both had stayed is decided when they are last within R, and stored with p (`PairMeeting`). The entry uses
//   the longest stay of the pairs whose p is within R of the nearest p. So the next stay of a slow walker does not
//   replace the one that counts.
// - "All links of u" means the links to the rest. If two members are left behind in one place, both are left behind,
//   and counted.
// - Left behind are all whose departure is undecided or told and whose p is within max(200 m, 2 R) of u's p. A member
//   without a fix since the rest went away may be in the car with a dead phone. Such a member receives no alert, and
//   counts as left behind for 10 min after their last fix. Only usable members are alerted.
// - The rest counts as company only while two of its members reported within 45 min: a phone in a drawer is not
//   company.
// - Two fixes in a row beyond 1.5 R of p mean a choice, whatever their accuracy. One fix does not, nor does one that is
//   delivered twice. A last fix beyond R delays the alert, unless u follows the rest: walking home from a door takes a
//   while.
//
// Invariants: a slot has at most one entry; a member in state `notified` is not alerted again until they are back in C.

/// The detector of departures: tracks members who came apart from a gathering until it is known who left whom.
struct DepartureDetector: Sendable, Equatable {
    /// The time in milliseconds that the rest must be away.
    static let timeout: Int64 = 60_000
    /// The time in milliseconds after their last fix for which a member counts as left behind, if they have been silent
    /// since the rest went away.
    static let muteness: Int64 = 600_000

    /// The state of a member who came apart from the others.
    enum State: Sendable, Equatable {
        /// It is not known yet who left whom.
        case undecided(Undecided)
        /// The member and the rest had not both stayed there, so no one was left behind.
        case inPassing
        /// The member left the place first.
        case leftByChoice
        /// The member was left behind, and alerted unless the cooldown suppressed it.
        case notified
    }

    /// The evidence for an undecided departure.
    struct Undecided: Sendable, Equatable {
        /// The moment since which the rest is away; nil while it is not.
        var awaySince: Timestamp?
        /// Whether the rest has been away for long enough, so that time alone changes nothing any more.
        var isRipe = false
        /// The number of fixes in a row beyond 1.5 R of p, at most two.
        var fixesBeyond: UInt8 = 0
        /// The time of the last fix that was counted in `fixesBeyond`.
        var seen: Timestamp?
        /// The time of the member's last fix.
        var lastFix: Timestamp?
        /// Whether the member has been silent since the rest went away, for too long to count as left behind.
        var isMute = false
        /// The other part of C that the member came apart from.
        var rest = MemberSet()
    }

    /// The departure of one member.
    struct Entry: Sendable, Equatable {
        let slot: Int
        /// p: the member's position when they were last with the rest.
        let place: Coordinate
        /// C before the member came apart.
        var companions: MemberSet
        var state: State
        /// The seconds that the member and one of the rest had both stayed there; only for traces.
        var stayed: Int64 = 0

        /// Whether the member may still turn out to have been left by two or more.
        var isOpen: Bool {
            guard case .undecided(let undecided) = self.state else { return false }
            return undecided.rest.count >= 2
        }

        /// Whether the member counts as left behind, as far as is known.
        var isLeftBehind: Bool {
            switch self.state {
            case .undecided(let undecided): !undecided.isMute
            case .notified: true
            case .inPassing, .leftByChoice: false
            }
        }
    }

    /// C at the last observation: the members who can leave or be left.
    private(set) var bond: MemberSet
    /// The departures, in no particular order.
    private(set) var entries: [Entry] = []

    /// Whether any departure is undecided, so that positions matter.
    var needsExactPositions: Bool {
        self.entries.contains { if case .undecided = $0.state { true } else { false } }
    }

    /// Whether an undecided departure may still lead to an alert.
    func isPending(settings: GroupSettings) -> Bool {
        self.entries.contains {
            $0.isOpen && self.leftBehind(with: $0, settings: settings) <= max(1, settings.maxAbsent)
        }
    }

    /// The moment at which the passage of time alone decides something; nil if a fix is needed.
    var deadline: Timestamp? {
        var next: Timestamp?
        for entry in self.entries {
            guard case .undecided(let undecided) = entry.state, let since = undecided.awaySince else { continue }
            if !undecided.isRipe { next = min(next ?? .never, since + Self.timeout) }
            if !undecided.isMute, let lastFix = undecided.lastFix, lastFix < since {
                next = min(next ?? .never, lastFix + Self.muteness)
            }
        }
        return next
    }

    /// Removes a member, whose slot may be assigned again.
    mutating func remove(_ slot: Int) {
        self.bond.remove(slot)
        self.entries.removeAll { $0.slot == slot }
        for index in self.entries.indices { self.entries[index].companions.remove(slot) }
    }

    // MARK: Coming apart and returning

    /// Observes C at `instant`.
    ///
    /// `isLarge` says whether C is large enough for the gathering; `since` is when the gathering came together.
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
            case .inPassing, .leftByChoice, .notified: cluster.contains(entry.slot)
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
            // The largest part was not left by anyone, except by another part of the same size.
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
                // A pair that never met within this R met within an earlier, larger R.
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

    // MARK: Deciding

    /// Updates the undecided departures at `instant`.
    ///
    /// Returns the members who were left behind and marks them as `notified`.
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
            self.entries[index].state = .notified
        }
        return left
    }

    /// The reason why a member does not count as left behind at `instant`; nil if there is none.
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

    /// Whether a member follows the rest: the member is nearer to each of them than p is, by R/2.
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

extension DepartureDetector.Undecided {
    /// Updates for how long the rest has been away.
    fileprivate mutating func note(isAway: Bool, at instant: Timestamp) {
        self.awaySince = isAway ? self.awaySince ?? instant : nil
        self.isRipe = self.awaySince.map { $0 + DepartureDetector.timeout <= instant } ?? false
    }

    /// Updates whether the member has been silent for too long.
    fileprivate mutating func noteSilence(at instant: Timestamp) {
        guard let since = self.awaySince, let lastFix = self.lastFix, lastFix < since else {
            self.isMute = false
            return
        }
        self.isMute = lastFix + DepartureDetector.muteness <= instant
    }

    /// Updates the fixes beyond the limit from the member's position.
    fileprivate mutating func note(_ position: MemberPosition, from place: Coordinate, limit: Double) {
        self.lastFix = position.at
        guard self.seen.map({ position.at - $0 >= MemberStay.moment }) ?? true else { return }
        self.seen = position.at
        let distance = position.coordinate.distance(to: place)
        self.fixesBeyond = distance > limit ? min(self.fixesBeyond + 1, 2) : 0
    }
}

extension GroupSettings {
    /// The distance in metres from p beyond which a member left by choice.
    var strayDistance: Double { 1.5 * self.radius }
    /// The least distance in metres that counts as away.
    var awayDistance: Double { max(200, 2 * self.radius) }
}

extension MemberSet {
    /// Whether two members reported recently enough at `instant` to count as company.
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

// Rule (README.md, 4): a group is a candidate while its largest cluster C has at least two members and more than half
// of S. It gathers when it has been a candidate for `dwell` without a break. It ends when it has not been one for 60 s,
// or for up to 5 min while a departure is undecided. It also ends when no member of C was usable for 2 h.
//
//     scattered ⇄ candidate(since) ── dwell ──► gathered(Gathering) ── 60 s below, or 2 h silent ──► scattered
//
// Invariants: while C is below the threshold, the status shown to others stays the same and no `gathered` alert is
// sent; a member receives `gathered` at most once per gathering.

/// The phase of a group, from scattered to gathered.
enum GatheringPhase: Sendable, Equatable {
    /// No cluster is large enough.
    case scattered
    /// A cluster has been large enough since this moment.
    case candidate(since: Timestamp)
    /// A gathering is in progress.
    // Indirect, because few groups are in this case and its value is ten times as large as the other cases.
    indirect case gathered(Gathering)
}

/// A gathering, from its beginning on.
struct Gathering: Sendable, Equatable {
    /// The time in milliseconds that C may be below the threshold before the gathering ends.
    static let timeout: Int64 = 60_000
    /// The same time while a departure is undecided.
    static let departureTimeout: Int64 = 300_000
    /// The time in milliseconds without any usable member after which the gathering ends.
    static let silence: Int64 = 2 * 3_600_000

    /// The status last sent to the group.
    var status: GatheringStatus
    /// The beginning, which is `dwell` after the members came together.
    var begin: Timestamp
    /// C when it was last large enough.
    var together: MemberSet
    /// All members who were in C since the beginning.
    var participants: Set<UserID>
    /// The members for whom a `gathered` alert was decided, even if the cooldown suppressed it.
    var notified: Set<UserID>
    /// The detector of absent members.
    var absence: AbsenceDetector
    /// The detector of departures.
    var departures: DepartureDetector
    /// The detector of a move to another place.
    var movement = MoveDetector.resting
    /// The moment since which C is below the threshold; nil while it is large enough.
    var belowSince: Timestamp?

    /// The moment at which the gathering ends if C stays below the threshold; nil while it is large enough.
    func end(settings: GroupSettings) -> Timestamp? {
        let isPending = self.departures.isPending(settings: settings)
        return self.belowSince.map { $0 + (isPending ? Self.departureTimeout : Self.timeout) }
    }
}

extension GroupSettings {
    /// `dwell` in milliseconds.
    var dwellMilliseconds: Int64 { Int64(self.dwell) * 1000 }
    /// `cooldown` in milliseconds.
    var cooldownMilliseconds: Int64 { Int64(self.cooldown) * 1000 }
}

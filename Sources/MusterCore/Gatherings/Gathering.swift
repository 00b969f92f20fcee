// Rule (README.md, 4): a group is a candidate while its largest cluster C has at least two members and
// more than half of S. It gathers when it has been a candidate for `dwell` without a break, and ends when it has not been one
// for 60 s, waiting up to 5 min for an undecided departure, or when nobody of C was usable for 2 h.
//
//     scattered ⇄ candidate(since) ── dwell ──► gathered(Gathering) ── 60 s below, or 2 h silent ──► scattered
//
// Invariants: while C is below, what others are told stays as it was; nobody is told of a gathering that is below; a
// member is told `gathered` at most once a gathering.

/// Where a group stands between being scattered and being together.
enum GatheringPhase: Sendable, Equatable {
    /// No cluster is large enough.
    case scattered
    /// One is, since a moment.
    case candidate(since: Timestamp)
    /// They are together.
    // Few groups are, and what is known of one that is takes ten times as much as the rest of this.
    indirect case gathered(Gathering)
}

/// One gathering, from its beginning on.
struct Gathering: Sendable, Equatable {
    /// How long in milliseconds a gathering may be below before it ends.
    static let patience: Int64 = 60_000
    /// The same while it is not known who left whom.
    static let departurePatience: Int64 = 300_000
    /// How long in milliseconds nobody of it may be usable before it ends.
    static let silence: Int64 = 2 * 3_600_000

    /// What the group was told last.
    var status: GatheringStatus
    /// When it began, which is `dwell` after they came together.
    var begin: Timestamp
    /// C, as it was when it was last large enough.
    var together: MemberSet
    /// Everybody who was in C since it began.
    var participants: Set<UserID>
    /// Whom it told, or would have told but for the cooldown.
    var told: Set<UserID>
    /// Who is absent.
    var absence: AbsenceWatch
    /// Who left whom.
    var departures: DepartureWatch
    /// Whether it stays somewhere else.
    var movement = PlaceWatch.resting
    /// Since when it is below; nil while it is large enough.
    var belowSince: Timestamp?

    /// When it ends for being below, as things stand; nil while it is large enough.
    func end(settings: GroupSettings) -> Timestamp? {
        let isPending = self.departures.isPending(settings: settings)
        return self.belowSince.map { $0 + (isPending ? Self.departurePatience : Self.patience) }
    }
}

extension GroupSettings {
    /// `dwell` in milliseconds.
    var dwellMilliseconds: Int64 { Int64(self.dwell) * 1000 }
    /// `cooldown` in milliseconds.
    var cooldownMilliseconds: Int64 { Int64(self.cooldown) * 1000 }
}

// Rule (README.md, 3): A is the members of K who are more than R from every member of C, after accuracy credit. A
// single fix neither makes a member absent nor ends their absence, and a member at the edge does not alternate:
//
//     present ── far from C ──► doubted, for 60 s ── a fix of their own ──► absent
//     absent ── near C ──► doubted, for 60 s ── a fix of their own ──► present
//     doubted ── observed as they counted before ──► as before
//
// - For a member who stayed usable, a change must be observed for 60 s without a break, and then at a fix of their own.
// - An absent member within R of one of C at two fixes in a row has arrived. Their absence ends at once, because they
//   must not be alerted.
// - When C changes, or a member becomes usable, the observation counts at once: there is no earlier one to compare
//   with. A doubt about a member who stayed usable must still be confirmed, because a stray fix may have caused it.
//
// Invariants: absent members are usable; a member is in doubt exactly if the last observation differs from their
// counted state.

/// The absent members of a group, and the members whose absence is in doubt.
struct AbsentMembers: Sendable {
    /// The time in milliseconds for which a change must be observed.
    static let timeout: Int64 = 60_000

    /// A member whose observed state differs from the counted one.
    struct Doubt: Sendable {
        var slot: Int
        var since: Timestamp
        /// Whether a fix of their own confirmed the observation after it had lasted long enough.
        var isProven = false
    }

    /// The members who count as absent.
    private(set) var members: MemberSet
    /// The doubts, one per member.
    private(set) var doubts: [Doubt]
    /// C and the usable members at the last observation; nil if unknown.
    private var seen: (cluster: MemberSet, usable: MemberSet)?

    /// Creates the set from the members who are far from C.
    init(far: MemberSet, from cluster: MemberSet, usable: MemberSet) {
        self.members = far
        self.doubts = []
        self.seen = (cluster, usable)
    }

    /// Restores the stored state.
    init(members: MemberSet, doubts: [Doubt]) {
        self.members = members
        self.doubts = doubts
    }

    /// The members in doubt.
    var doubted: MemberSet {
        self.doubts.reduce(into: MemberSet()) { $0.insert($1.slot) }
    }

    /// Notes that a member reported a position.
    ///
    /// `observe` evaluates it afterwards.
    mutating func noteFix(of slot: Int, at instant: Timestamp) {
        guard let index = self.doubts.firstIndex(where: { $0.slot == slot }) else { return }
        self.doubts[index].isProven = instant - self.doubts[index].since >= Self.timeout
    }

    /// Updates the state from the members far from C and the members who arrived within R of one of C.
    mutating func observe(
        far: MemberSet,
        within: MemberSet,
        of cluster: MemberSet,
        usable: MemberSet,
        at instant: Timestamp
    ) {
        let seen = self.seen ?? (cluster, usable)
        self.seen = (cluster, usable)
        let stayed = seen.usable & usable
        // The members whose earlier state counts. Members of C are never absent.
        let held = (seen.cluster == cluster ? stayed : stayed & self.doubted) - cluster
        self.members = (self.members & held - within) | (far - held)
        guard self.members != far || !self.doubts.isEmpty else { return }
        for doubt in self.doubts where doubt.isProven && stayed.contains(doubt.slot) {
            if far.contains(doubt.slot) { self.members.insert(doubt.slot) } else { self.members.remove(doubt.slot) }
        }
        let differing = (self.members - far) | (far - self.members)
        self.doubts.removeAll { !differing.contains($0.slot) }
        let doubted = self.doubted
        for slot in differing - doubted { self.doubts.append(Doubt(slot: slot, since: instant)) }
    }
}

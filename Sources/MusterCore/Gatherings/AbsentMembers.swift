// Rule (README.md, 3): the members of K who are more than R, accuracy credited, from everybody in C. Read so that no single
// fix makes anybody absent or brings them back, and that nobody on the edge is absent in turns:
//
//     present ── far from C ──► doubted, for 60 s ── a fix of their own ──► absent
//     absent ── near C ──► doubted, for 60 s ── a fix of their own ──► present
//     doubted ── seen as they counted before ──► as before
//
// - What is seen of a member who stayed usable must be seen without a break for 60 s, and then at a fix of their own.
// - Who was absent and is within R of one of C at two fixes in a row has come: they are not to be told, and need not wait for it.
// - When C itself changes, or somebody is usable anew, what is seen counts at once: there is nothing to hold it against. Of who
//   was in doubt before and stayed usable, it has to be proven as before: what put them in doubt may have been a stray fix.
//
// Invariants: those absent are usable; doubted is nobody but whose absence and what is seen differ.

/// Who is absent from what a group has in common.
struct AbsentMembers: Sendable {
    /// How long in milliseconds it must be seen of a member that they went, or came back.
    static let patience: Int64 = 60_000

    /// A member of whom something else is seen than what counts.
    struct Doubt: Sendable {
        var slot: Int
        var since: Timestamp
        /// Whether a fix of their own came when it had been seen for long enough.
        var isProven = false
    }

    /// Who is absent.
    private(set) var members: MemberSet
    /// What is in doubt, a member at a time.
    private(set) var doubts: [Doubt]
    /// C, and those usable, when this was looked at last; nil when that is not known.
    private var seen: (cluster: MemberSet, usable: MemberSet)?

    /// Begins with those who are far from C.
    init(far: MemberSet, from cluster: MemberSet, usable: MemberSet) {
        self.members = far
        self.doubts = []
        self.seen = (cluster, usable)
    }

    /// Restores what was stored.
    init(members: MemberSet, doubts: [Doubt]) {
        self.members = members
        self.doubts = doubts
    }

    /// Of whom it is in doubt.
    var doubted: MemberSet {
        self.doubts.reduce(into: MemberSet()) { $0.insert($1.slot) }
    }

    /// A member reported a place; whether they are far from C is observed after it.
    mutating func noteFix(of slot: Int, at instant: Timestamp) {
        guard let index = self.doubts.firstIndex(where: { $0.slot == slot }) else { return }
        self.doubts[index].isProven = instant - self.doubts[index].since >= Self.patience
    }

    /// Takes note of who is far from C, and who has come within R of one of it.
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
        // Of whom it matters how they counted before; nobody of C is absent from it.
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

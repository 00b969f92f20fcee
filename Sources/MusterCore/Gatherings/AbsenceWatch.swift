// Rule (README.md, 5): when the same absent members, at least one and at most `maxAbsent`, have stood for `dwell`, they are to be
// told; at the beginning of a gathering at once. People arrive one by one, and each arrival changes who is absent, so only the
// last one missing is "without you".
//
//     watching(members, since) ── the same for `dwell` ──► spoken(members)
//        │ ▲   ▲                                               │
//        │ │   └──────────────── others are absent ────────────┘
//        │ └── all usable again ────────┐
//        └── some are not usable ──► gap(since) ── for `dwell` ──► watching(the others, since the gap began)
//
// Who pauses or is unknown for a moment has not come: the gap does not start the waiting anew, and nobody is told in it.
//
// Invariant: one set of absentees that stands is spoken of once.

/// Waits until it is settled who is absent.
struct AbsenceWatch: Sendable, Equatable {
    /// Who is absent.
    private(set) var absent: MemberSet
    /// Since when exactly they are; nil from the beginning of the gathering, when nothing needs to be waited for.
    private(set) var since: Timestamp?
    /// Whether they were spoken of.
    private(set) var isSpoken: Bool
    /// Since when some of them are not usable, and so not known to be absent; nil while all are.
    private(set) var gapSince: Timestamp?

    /// Begins with those who are absent when a gathering begins.
    init(absent: MemberSet) {
        self.absent = absent
        self.since = nil
        self.isSpoken = false
    }

    /// Restores a stored watch.
    init(absent: MemberSet, since: Timestamp?, isSpoken: Bool, gapSince: Timestamp? = nil) {
        self.absent = absent
        self.since = since
        self.isSpoken = isSpoken
        self.gapSince = gapSince
    }

    /// When those absent are to be told, or a gap becomes too long; nil when they were told, or are none or too many.
    func deadline(settings: GroupSettings, from begin: Timestamp) -> Timestamp? {
        if let gapSince = self.gapSince { return gapSince + settings.dwellMilliseconds }
        guard !self.isSpoken, 1...max(1, settings.maxAbsent) ~= self.absent.count else { return nil }
        return self.since.map { $0 + settings.dwellMilliseconds } ?? begin
    }

    /// Takes note of who is absent from `instant` on, of those usable.
    mutating func observe(_ absent: MemberSet, usable: MemberSet, settings: GroupSettings, at instant: Timestamp) {
        guard absent != self.absent else {
            self.gapSince = nil
            return
        }
        // Of those who are not usable it is not known that they came.
        guard absent == self.absent & usable else {
            self = Self(absent: absent, since: instant, isSpoken: false)
            return
        }
        let gapSince = self.gapSince ?? instant
        self.gapSince = gapSince
        if gapSince + settings.dwellMilliseconds <= instant {
            self = Self(absent: absent, since: gapSince, isSpoken: false)
        }
    }

    /// Starts to wait anew, whoever is absent.
    mutating func restart(at instant: Timestamp) {
        if !self.isSpoken { self.since = instant }
    }

    /// Marks those absent as spoken of.
    mutating func speak() { self.isSpoken = true }

    /// Forgets a slot that goes to somebody else.
    mutating func remove(_ slot: Int) {
        self.absent.remove(slot)
        if self.absent.isEmpty { self.gapSince = nil }
    }
}

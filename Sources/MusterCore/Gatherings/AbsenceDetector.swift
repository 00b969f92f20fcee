// Rule (README.md, 5): the alert is due when the same absent members, at least one and at most `maxAbsent`, have been
// absent for `dwell`. At the beginning of a gathering it is due at once. Members arrive one by one, and each arrival
// changes the set, so only the last missing member is "without you".
//
//     watching(members, since) ── the same for `dwell` ──► spoken(members)
//        │ ▲   ▲                                               │
//        │ │   └──────────────── others are absent ────────────┘
//        │ └── all usable again ────────┐
//        └── some are not usable ──► gap(since) ── for `dwell` ──► watching(the others, since the gap began)
//
// A member who pauses or is unknown for a moment has not arrived. The gap does not restart the wait, and no alert is
// sent during it.
//
// Invariant: an unchanged set of absent members leads to one alert.

/// The detector that waits until the set of absent members is stable.
struct AbsenceDetector: Sendable, Equatable {
    /// The absent members.
    private(set) var absent: MemberSet
    /// The moment since which this set is absent; nil at the beginning of the gathering, when there is no wait.
    private(set) var since: Timestamp?
    /// Whether this set was alerted.
    private(set) var isSpoken: Bool
    /// The moment since which some of them are not usable, so that their absence is unknown; nil while all are usable.
    private(set) var gapSince: Timestamp?

    /// Creates the detector with the members who are absent when a gathering begins.
    init(absent: MemberSet) {
        self.absent = absent
        self.since = nil
        self.isSpoken = false
    }

    /// Restores a stored detector.
    init(absent: MemberSet, since: Timestamp?, isSpoken: Bool, gapSince: Timestamp? = nil) {
        self.absent = absent
        self.since = since
        self.isSpoken = isSpoken
        self.gapSince = gapSince
    }

    /// The moment at which the alert is due or a gap becomes too long; nil if the set was alerted, is empty or is too
    /// large.
    func deadline(settings: GroupSettings, from begin: Timestamp) -> Timestamp? {
        if let gapSince = self.gapSince { return gapSince + settings.dwellMilliseconds }
        guard !self.isSpoken, 1...max(1, settings.maxAbsent) ~= self.absent.count else { return nil }
        return self.since.map { $0 + settings.dwellMilliseconds } ?? begin
    }

    /// Updates the set of absent members at `instant`.
    mutating func observe(_ absent: MemberSet, usable: MemberSet, settings: GroupSettings, at instant: Timestamp) {
        guard absent != self.absent else {
            self.gapSince = nil
            return
        }
        // If the missing ones are not usable, they are not known to have arrived.
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

    /// Restarts the wait for the same set.
    mutating func restart(at instant: Timestamp) {
        if !self.isSpoken { self.since = instant }
    }

    /// Marks the set as alerted.
    mutating func speak() { self.isSpoken = true }

    /// Removes a slot, which may be assigned again.
    mutating func remove(_ slot: Int) {
        self.absent.remove(slot)
        if self.absent.isEmpty { self.gapSince = nil }
    }
}

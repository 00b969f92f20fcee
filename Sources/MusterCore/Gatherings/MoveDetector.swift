// Rule (README.md, 4): a gathering has moved when its place stayed for max(`dwell`, 60 s) within R of a distant point.
// That point is more than max(200 m, 2 R) from the old place.
//
//                 more than max(200 m, 2 R) away             max(dwell, 60 s) within R
//     resting ───────────────────────────────────► elsewhere ─────────────────────────► resting, at the new place
//        ▲                                          │  ▲ │
//        └── not so far, or none usable ────────────┘  └─┘ beyond R of the point: that place is the point
//
// Invariants: passing through is not a move; members who fall silent do not move the place; the deadline is observed
// only while a member of C is usable, because only usable members show a stay.

/// The detector of a gathering that moves to another place.
enum MoveDetector: Sendable, Equatable {
    /// The gathering is at its place.
    case resting
    /// The gathering has been within R of a distant point since a moment.
    case elsewhere(near: Coordinate, since: Timestamp)

    /// The least time in milliseconds for which it must stay.
    static let timeout: Int64 = 60_000

    /// The moment at which the gathering has moved, if it stays; nil while it is at its place.
    func deadline(settings: GroupSettings) -> Timestamp? {
        guard case .elsewhere(_, let since) = self else { return nil }
        return since + max(settings.dwellMilliseconds, Self.timeout)
    }

    /// Updates the current place.
    ///
    /// Returns whether the gathering has moved there from `old`.
    mutating func observe(
        _ place: Coordinate,
        from old: Coordinate,
        settings: GroupSettings,
        at instant: Timestamp
    ) -> Bool {
        guard place.distance(to: old) > settings.awayDistance else {
            self = .resting
            return false
        }
        if case .elsewhere(let point, _) = self, place.distance(to: point) <= settings.radius {
            guard let due = self.deadline(settings: settings), due <= instant else { return false }
            self = .resting
            return true
        }
        self = .elsewhere(near: place, since: instant)
        return false
    }
}

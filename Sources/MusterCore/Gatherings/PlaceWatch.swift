// Rule (README.md, 4): a gathering has moved when its place stayed for max(`dwell`, 60 s) within R of a point that is
// more than max(200 m, 2 R) from the old one.
//
//                 more than max(200 m, 2 R) away             max(dwell, 60 s) within R
//     resting ───────────────────────────────────► elsewhere ─────────────────────────► resting, at the new place
//        ▲                                          │  ▲ │
//        └── not so far, or nobody usable ──────────┘  └─┘ beyond R of the point: that place is the point
//
// Invariants: who only passes through has not moved; who falls silent moves no place; the deadline is watched only while
// somebody of C is usable, for nobody else can stay anywhere.

/// Waits until a gathering that is on its way stays somewhere else.
enum PlaceWatch: Sendable, Equatable {
    /// It is where it was.
    case resting
    /// It is within R of a point far from there, since a moment.
    case elsewhere(near: Coordinate, since: Timestamp)

    /// The least time in milliseconds for which it must stay.
    static let patience: Int64 = 60_000

    /// When it has moved, if nothing is in the way; nil while it is where it was.
    func deadline(settings: GroupSettings) -> Timestamp? {
        guard case .elsewhere(_, let since) = self else { return nil }
        return since + max(settings.dwellMilliseconds, Self.patience)
    }

    /// Takes note of where the gathering is; whether it has moved there from `old`.
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

// Rule (README.md, 7): at most one alert of a variant to a member of a group within `cooldown`; what it suppresses is dropped,
// not postponed.

/// Remembers when members of a group were alerted.
struct AlertCooldown: Sendable, Equatable {
    /// One alert that still counts.
    struct Entry: Sendable, Equatable, Comparable {
        var user: UserID
        var variant: LeftWithoutYou.Variant
        var at: Timestamp

        static func < (left: Self, right: Self) -> Bool {
            (left.user, left.variant.rawValue) < (right.user, right.variant.rawValue)
        }
    }

    /// The last alert of each member and variant, in order.
    private(set) var entries: [Entry] = []

    /// Starts without any, or with stored ones.
    init(entries: [Entry] = []) { self.entries = entries.sorted() }

    /// When a member was alerted last, as long as it counts.
    func last(_ variant: LeftWithoutYou.Variant, to user: UserID) -> Timestamp? {
        self.entries.first { $0.user == user && $0.variant == variant }?.at
    }

    /// Whether an alert may go out at `instant`; if so, it counts from now on.
    mutating func admits(
        _ variant: LeftWithoutYou.Variant,
        to user: UserID,
        at instant: Timestamp,
        settings: GroupSettings
    ) -> Bool {
        self.entries.removeAll { instant - $0.at >= settings.cooldownMilliseconds }
        guard !self.entries.contains(where: { $0.user == user && $0.variant == variant }) else { return false }
        self.entries.append(Entry(user: user, variant: variant, at: instant))
        self.entries.sort()
        return true
    }
}

// Rule (README.md, 7): at most one alert of a variant to a member of a group within `cooldown`. A suppressed alert is
// dropped, not postponed.

/// The recent alerts to the members of a group.
struct AlertCooldown: Sendable, Equatable {
    /// An alert whose cooldown may still run.
    struct Entry: Sendable, Equatable, Comparable {
        var user: UserID
        var variant: LeftWithoutYou.Variant
        var at: Timestamp

        static func < (left: Self, right: Self) -> Bool {
            (left.user, left.variant.rawValue) < (right.user, right.variant.rawValue)
        }
    }

    /// The last alert of each member and variant, sorted.
    private(set) var entries: [Entry] = []

    /// Creates the list from stored entries.
    init(entries: [Entry] = []) { self.entries = entries.sorted() }

    /// The time of a member's last alert, if its cooldown still runs.
    func last(_ variant: LeftWithoutYou.Variant, to user: UserID) -> Timestamp? {
        self.entries.first { $0.user == user && $0.variant == variant }?.at
    }

    /// Whether an alert may be sent at `instant`; if so, records it.
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

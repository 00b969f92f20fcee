extension Freshness {
    /// The greatest age in milliseconds of a `live` position.
    static let liveAge: Int64 = 5 * 60_000
    /// The greatest age in milliseconds of a `recent` position.
    static let recentAge: Int64 = 45 * 60_000

    /// The freshness at `now` of a position taken at `taken`.
    package init(of taken: Timestamp, isStationary: Bool, at now: Timestamp) {
        let age = now - taken
        if age < -FixGate.tolerance {
            // The age of a time ahead of now is unknown.
            self = .stale
        } else if age <= Self.liveAge {
            self = .live
        } else if isStationary, age <= Self.recentAge {
            self = .recent
        } else {
            self = .stale
        }
    }

    /// The first moment after `now` at which the freshness of a position differs from the one at `now`; nil when never.
    static func nextChange(of taken: Timestamp, isStationary: Bool, after now: Timestamp) -> Timestamp? {
        switch Self(of: taken, isStationary: isStationary, at: now) {
        case .live: taken + (Self.liveAge + 1)
        case .recent: taken + (Self.recentAge + 1)
        case .stale, .unknown: nil
        }
    }

    /// The last moment at which a position may be used to evaluate gatherings.
    package static func usableUntil(_ taken: Timestamp, isStationary: Bool) -> Timestamp {
        taken + Self.usableAge(isStationary: isStationary)
    }

    /// The greatest age in milliseconds at which a position may be used to evaluate gatherings.
    static func usableAge(isStationary: Bool) -> Int64 { isStationary ? Self.recentAge : Self.liveAge }
}

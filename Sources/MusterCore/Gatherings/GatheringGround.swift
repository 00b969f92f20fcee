/// The clauses of the rule, as in README.md of this folder.
package enum GatheringClause: String, Sendable, Equatable {
    /// Usability: a recent position, shared `live`.
    case usable
    /// The closing of a link.
    case closing
    /// The opening of a link.
    case opening
    /// Membership in A.
    case absent
    /// The number of members together, compared with S.
    case candidate
    /// The time for which the members must be together before a gathering begins.
    case beginning
    /// The end of a gathering.
    case ending
    /// The time for which the same members must be absent, and the recipients of the alert.
    case gathered
    /// The number of members who may be missing.
    case maxAbsent
    /// The place where a member came apart from the others.
    case parting
    /// The stays of both sides at that place.
    case stays
    /// A departure by choice.
    case choice
    /// A member left behind.
    case departed
    /// The suppression of an alert after an earlier one.
    case cooldown
    /// The limit of one alert per gathering.
    case once
}

/// The ground of a step: a clause, and the value that was compared with its limit.
package struct GatheringGround: Sendable, Equatable {
    /// The unit of a value.
    package enum Unit: String, Sendable {
        case metres
        case seconds
        case members
        case fixes
    }

    package var clause: GatheringClause
    /// The compared value; nil if the clause compares nothing.
    package var value: Double?
    package var limit: Double?
    package var unit: Unit?

    /// Creates a ground whose clause compares nothing.
    init(_ clause: GatheringClause) { self.clause = clause }

    /// Creates a ground with the value and the limit.
    init(_ clause: GatheringClause, _ value: Double, of limit: Double, _ unit: Unit) {
        self.clause = clause
        self.value = value
        self.limit = limit
        self.unit = unit
    }

    /// Creates a ground from milliseconds, which it reports in seconds.
    init(_ clause: GatheringClause, milliseconds: Int64, of limit: Int64) {
        self.init(clause, Double(milliseconds) / 1000, of: Double(limit) / 1000, .seconds)
    }
}

/// The clauses of the rule by which things are decided, as README.md of this folder has them.
package enum GatheringClause: String, Sendable, Equatable {
    /// Who has a position that is good enough to decide about, and shares it.
    case usable
    /// When two count as together.
    case closing
    /// When two no longer do.
    case opening
    /// Who is absent.
    case absent
    /// How many must be together, and of how many.
    case candidate
    /// How long they must be together for a gathering to begin.
    case beginning
    /// When it ends.
    case ending
    /// How long the same members must be absent to be told, and who is told.
    case gathered
    /// How many may be missing.
    case maxAbsent
    /// Where somebody came apart from the others.
    case parting
    /// Whether both sides had stayed there.
    case stays
    /// Who went by choice.
    case choice
    /// Who was left behind.
    case departed
    /// What an earlier alert keeps back.
    case cooldown
    /// What is told once.
    case once
}

/// What a step on the way to a decision is grounded on: a clause, and the value that was held against its limit.
package struct GatheringGround: Sendable, Equatable {
    /// What a value is counted in.
    package enum Unit: String, Sendable {
        case metres
        case seconds
        case members
        case fixes
    }

    package var clause: GatheringClause
    /// Nil where the clause compares nothing.
    package var value: Double?
    package var limit: Double?
    package var unit: Unit?

    /// Names a clause that compares nothing.
    init(_ clause: GatheringClause) { self.clause = clause }

    /// Names a clause, and what was held against its limit.
    init(_ clause: GatheringClause, _ value: Double, of limit: Double, _ unit: Unit) {
        self.clause = clause
        self.value = value
        self.limit = limit
        self.unit = unit
    }

    /// The same with milliseconds, which are told in seconds.
    init(_ clause: GatheringClause, milliseconds: Int64, of limit: Int64) {
        self.init(clause, Double(milliseconds) / 1000, of: Double(limit) / 1000, .seconds)
    }
}

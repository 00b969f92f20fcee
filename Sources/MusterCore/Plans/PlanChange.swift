/// The answers of a group to a plan after a change.
package struct PlanChange: Sendable, Equatable {
    package var plan: PlanID
    package var group: GroupID
    package var answers: PlanAnswers
    /// The time of the count, in microseconds of the database's clock: of two counts of one share the later one wins.
    package var countedAt: Int64

    /// Creates a change.
    package init(plan: PlanID, group: GroupID, answers: PlanAnswers, countedAt: Int64) {
        self.plan = plan
        self.group = group
        self.answers = answers
        self.countedAt = countedAt
    }
}

/// What members of a group say to a plan after some have changed their minds, or left.
package struct PlanChange: Sendable, Equatable, Codable {
    package var plan: PlanID
    package var group: GroupID
    package var answers: PlanAnswers
    /// When they were counted, in microseconds of the database's clock: of two counts of one share the later one stands.
    package var countedAt: Int64

    /// Describes what they say.
    package init(plan: PlanID, group: GroupID, answers: PlanAnswers, countedAt: Int64) {
        self.plan = plan
        self.group = group
        self.answers = answers
        self.countedAt = countedAt
    }
}

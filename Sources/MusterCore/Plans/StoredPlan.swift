/// A plan that somebody keeps, as its person sees it, or as a group does with which they shared it.
package struct StoredPlan: Sendable, Equatable {
    package var id: PlanID
    package var name: String
    /// Whose it is.
    package var person: UserProfile
    package var plan: DayPlan
    /// The groups that it is shared with, as far as whoever looks may know.
    package var shares: [PlanShare]

    /// Describes a plan.
    package init(id: PlanID, name: String, person: UserProfile, plan: DayPlan, shares: [PlanShare] = []) {
        self.id = id
        self.name = name
        self.person = person
        self.plan = plan
        self.shares = shares
    }
}

/// A group that a plan is shared with, and what its members say.
package struct PlanShare: Sendable, Equatable {
    package var group: GroupID
    package var at: Timestamp
    package var answers: PlanAnswers
    /// What the one who looks says.
    package var answer: PlanAnswer

    /// Describes a share.
    package init(group: GroupID, at: Timestamp, answers: PlanAnswers = PlanAnswers(), answer: PlanAnswer = .none) {
        self.group = group
        self.at = at
        self.answers = answers
        self.answer = answer
    }
}

/// What somebody says to a plan that is proposed to them.
package enum PlanAnswer: String, Sendable, Codable, CaseIterable {
    case `in`
    case maybe
    case out
    /// Nothing, or not any more.
    case none
}

/// How many members of a group say what to a plan.
package struct PlanAnswers: Sendable, Equatable, Codable {
    package var `in`: Int
    package var maybe: Int
    package var out: Int

    /// Counts answers.
    package init(in: Int = 0, maybe: Int = 0, out: Int = 0) {
        self.in = `in`
        self.maybe = maybe
        self.out = out
    }
}

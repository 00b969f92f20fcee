/// A stored plan, as its owner or a group that it is shared with sees it.
package struct StoredPlan: Sendable, Equatable {
    package var id: PlanID
    package var name: String
    /// The owner.
    package var person: UserProfile
    package var plan: DayPlan
    /// The groups that it is shared with, as far as the viewer may know.
    package var shares: [PlanShare]

    /// Creates a stored plan.
    package init(id: PlanID, name: String, person: UserProfile, plan: DayPlan, shares: [PlanShare] = []) {
        self.id = id
        self.name = name
        self.person = person
        self.plan = plan
        self.shares = shares
    }
}

/// A group that a plan is shared with, and the members' answers.
package struct PlanShare: Sendable, Equatable {
    package var group: GroupID
    package var at: Timestamp
    package var answers: PlanAnswers
    /// The viewer's answer.
    package var answer: PlanAnswer

    /// Creates a share.
    package init(group: GroupID, at: Timestamp, answers: PlanAnswers = PlanAnswers(), answer: PlanAnswer = .none) {
        self.group = group
        self.at = at
        self.answers = answers
        self.answer = answer
    }
}

/// The answer of a user to a proposed plan.
package enum PlanAnswer: String, Sendable, CaseIterable, Encodable {
    case `in`
    case maybe
    case out
    /// No answer, or a withdrawn one.
    case none
}

/// The number of members of a group per answer to a plan.
package struct PlanAnswers: Sendable, Equatable {
    package var `in`: Int
    package var maybe: Int
    package var out: Int

    /// Creates counts.
    package init(in: Int = 0, maybe: Int = 0, out: Int = 0) {
        self.in = `in`
        self.maybe = maybe
        self.out = out
    }
}

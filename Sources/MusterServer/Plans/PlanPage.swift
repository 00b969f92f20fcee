import MusterCore

/// A page of a user's or a group's plans, newest first.
struct PlanPage: Sendable, Equatable {
    var plans: [StoredPlan]
    /// The id after which the next page begins; nil on the last page.
    var next: PlanID?
}

/// The result of sharing a plan with a group.
struct PlanProposal: Sendable, Equatable {
    /// The notification to the other members.
    var content: NotificationContent
    /// The recipients with their numbers; empty when the group already had the plan.
    var numbers: [NotificationNumber]
}

/// The result of withdrawing a plan.
struct PlanWithdrawal: Sendable, Equatable {
    /// The groups that had the plan.
    var groups: [GroupID]
    /// The withdrawn notifications.
    var notifications: [NotificationNumber]
}

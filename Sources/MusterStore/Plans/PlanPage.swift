package import MusterCore

/// A page of a user's or a group's plans, newest first.
package struct PlanPage: Sendable, Equatable {
    package var plans: [StoredPlan]
    /// The id after which the next page begins; nil on the last page.
    package var next: PlanID?

    /// Creates a page.
    package init(plans: [StoredPlan], next: PlanID?) {
        self.plans = plans
        self.next = next
    }
}

/// The result of sharing a plan with a group.
package struct PlanProposal: Sendable, Equatable {
    /// The notification to the other members.
    package var content: NotificationContent
    /// The recipients with their numbers; empty when the group already had the plan.
    package var numbers: [NotificationNumber]
}

/// The result of withdrawing a plan.
package struct PlanWithdrawal: Sendable, Equatable {
    /// The groups that had the plan.
    package var groups: [GroupID]
    /// The withdrawn notifications.
    package var notifications: [NotificationNumber]
}

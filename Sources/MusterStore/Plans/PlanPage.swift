package import MusterCore

/// Some of a person's or a group's plans, the newest first.
package struct PlanPage: Sendable, Equatable {
    package var plans: [StoredPlan]
    /// Behind which plan the next page begins; nil when this is the last.
    package var next: PlanID?

    /// Creates a page.
    package init(plans: [StoredPlan], next: PlanID?) {
        self.plans = plans
        self.next = next
    }
}

/// What became of a plan that is proposed to a group.
package struct PlanProposal: Sendable, Equatable {
    /// What the others are told.
    package var content: NotificationContent
    /// Their numbers; empty when the group had the plan already.
    package var numbers: [NotificationNumber]
}

/// What became of a plan that is taken back.
package struct PlanWithdrawal: Sendable, Equatable {
    /// The groups that had it.
    package var groups: [GroupID]
    /// What nobody needs to see any more.
    package var notifications: [NotificationNumber]
}

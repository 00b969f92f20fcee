extension NotificationKind {
    /// A member proposes a plan to the group.
    package static let planProposed = NotificationKind(
        "plan_proposed",
        actions: [.comeAlong, .stayAway],
        push: PushRule(lifetime: .milliseconds(86_400_000), urgency: .normal, collapse: "plan"),
        text: { content, language in
            let name = (content.payload["by"]?["name"]?.text).map(Isolation.of)
            let plan = (content.payload["name"]?.text).map(Isolation.of)
            return NotificationWords.planProposed.text(
                in: language,
                [
                    "name": name ?? NotificationWords.somebody.text(in: language),
                    "plan": plan ?? NotificationWords.aPlan.text(in: language),
                ]
            )
        }
    )
}

extension NotificationContent {
    /// Creates the notification about a plan that is shared with a group.
    package static func planProposed(
        _ shared: StoredPlan,
        to group: GroupID,
        called name: String,
        at: Timestamp
    ) -> Self {
        NotificationContent(
            kind: NotificationKind.planProposed.name,
            group: group,
            groupName: name,
            from: shared.person.id,
            subject: Self.subject(of: shared.id, in: group),
            at: at,
            payload: NotificationPayload([
                .init("plan", .text(shared.id.description)),
                .init("name", .text(shared.name)),
                .init(
                    "by",
                    .object([.init("id", .user(shared.person.id)), .init("name", .text(shared.person.name))])
                ),
                .init("places", .list(shared.plan.placeNames.map { .text($0) })),
            ])
        )
    }

    /// The deduplication key of a plan that is proposed to a group.
    package static func subject(of plan: PlanID, in group: GroupID) -> String { "\(plan):\(group)" }
}

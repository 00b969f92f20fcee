/// A notification as it is for everybody who gets it: all but the person and their number.
package struct NotificationContent: Sendable, Equatable, Codable {
    /// What kind of thing, as in `NotificationKind.table` and in `muster.notification_kind`.
    package var kind: String
    /// The group that it is about; whoever leaves that loses it.
    package var group: GroupID?
    /// What that group is called.
    package var groupName: String?
    /// The person who caused it; it goes with their account.
    package var from: UserID?
    /// What makes a repeat known as one: a person is given one number for a kind and a subject.
    package var subject: String?
    /// When it was decided.
    package var at: Timestamp
    /// What the client is told beside the head that all kinds have.
    package var payload: NotificationPayload

    /// Creates the content.
    package init(
        kind: String,
        group: GroupID? = nil,
        groupName: String? = nil,
        from: UserID? = nil,
        subject: String? = nil,
        at: Timestamp,
        payload: NotificationPayload = NotificationPayload([])
    ) {
        self.kind = kind
        self.group = group
        self.groupName = groupName
        self.from = from
        self.subject = subject
        self.at = at
        self.payload = payload
    }
}

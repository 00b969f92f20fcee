/// The content of a notification, which is the same for all recipients; user and number are separate.
package struct NotificationContent: Sendable, Equatable {
    /// The kind, as in `NotificationKind.table` and in `muster.notification_kind`.
    package var kind: String
    /// The group that it is about; a user who leaves the group loses the notification.
    package var group: GroupID?
    /// The name of that group.
    package var groupName: String?
    /// The user who caused it; it is deleted with their account.
    package var from: UserID?
    /// The deduplication key: a user gets one number per kind and subject.
    package var subject: String?
    /// The time of the decision.
    package var at: Timestamp
    /// The fields that the client gets in addition to the common ones.
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

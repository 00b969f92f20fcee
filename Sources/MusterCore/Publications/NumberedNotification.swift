/// A notification of one user.
package struct NumberedNotification: Sendable, Equatable {
    /// The recipient.
    package var user: UserID
    /// The number, which rises per user in the order of commits; assigned by storage.
    package var number: Int64
    /// The content.
    package var content: NotificationContent

    /// Creates a notification.
    package init(user: UserID, number: Int64, content: NotificationContent) {
        self.user = user
        self.number = number
        self.content = content
    }
}

/// The number that storage assigned to a notification of a user.
package struct NotificationNumber: Sendable, Equatable {
    /// The recipient.
    package var user: UserID
    /// The number.
    package var number: Int64

    /// Creates a number.
    package init(user: UserID, number: Int64) {
        self.user = user
        self.number = number
    }
}

/// The number that storage assigned to the notification of a journal record.
package struct NumberedRecord: Sendable, Equatable {
    /// The number of the record.
    package var record: Int64
    /// The number of the notification.
    package var number: Int64

    /// Creates a numbered record.
    package init(record: Int64, number: Int64) {
        self.record = record
        self.number = number
    }
}

/// A notification of one person.
package struct NumberedNotification: Sendable, Equatable, Codable {
    /// Whose it is.
    package var user: UserID
    /// Rises per person in the order of commits; given by storage.
    package var number: Int64
    /// What they are told.
    package var content: NotificationContent

    /// Creates a notification.
    package init(user: UserID, number: Int64, content: NotificationContent) {
        self.user = user
        self.number = number
        self.content = content
    }
}

/// The number that storage gave a notification of a person.
package struct NotificationNumber: Sendable, Equatable, Codable {
    /// Whose it is.
    package var user: UserID
    /// The number.
    package var number: Int64

    /// Names a number.
    package init(user: UserID, number: Int64) {
        self.user = user
        self.number = number
    }
}

/// The number that storage gave a notification which came by a record of the journal.
package struct NumberedRecord: Sendable, Equatable, Codable {
    /// The record's own number.
    package var record: Int64
    /// The notification's.
    package var number: Int64

    /// Names a number.
    package init(record: Int64, number: Int64) {
        self.record = record
        self.number = number
    }
}

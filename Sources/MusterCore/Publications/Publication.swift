/// A message with its audience.
///
/// Answers and acknowledgements are not publications: they go to one session.
package struct Publication: Sendable, Equatable {
    /// The message and its delivery guarantee.
    package enum Message: Sendable, Equatable {
        /// Sent to online users only.
        case live(LiveMessage)
        /// Sent to all recipients until they have seen it; the journal stores it first.
        case durable(NotificationContent)
        /// Like `durable`, but stored by a directory transaction, which assigned the numbers.
        case stored(NotificationContent, [NotificationNumber])
        /// Withdraws notifications that a directory transaction deleted.
        case withdrawn([NotificationNumber])
    }

    /// The recipients.
    package var audience: Audience
    /// The message.
    package var message: Message

    /// Creates a publication for an audience.
    package init(to audience: Audience, _ message: Message) {
        self.audience = audience
        self.message = message
    }

    /// Creates a publication of a notification that a directory transaction stored.
    package init(stored content: NotificationContent, numbers: [NotificationNumber]) {
        self.init(to: .people(numbers.map(\.user)), .stored(content, numbers))
    }

    /// Creates a withdrawal of notifications that a directory transaction deleted.
    package init(withdrawn numbers: [NotificationNumber]) {
        self.init(to: .people(numbers.map(\.user)), .withdrawn(numbers))
    }
}

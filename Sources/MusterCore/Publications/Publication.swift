/// Something that people are to be told.
///
/// Answers and acknowledgements are none: they are for one session.
package struct Publication: Sendable, Equatable, Codable {
    /// How it is told.
    package enum Message: Sendable, Equatable, Codable {
        /// To whoever is there.
        case live(LiveMessage)
        /// To everybody, until they have seen it; the journal is to store it first.
        case durable(NotificationContent)
        /// The same, stored by a transaction of the directory, which gave everybody a number.
        case stored(NotificationContent, [NotificationNumber])
        /// What people need not see any more, because a transaction of the directory took it back.
        case withdrawn([NotificationNumber])
    }

    /// Who is told.
    package var audience: Audience
    /// What they are told.
    package var message: Message

    /// Tells an audience.
    package init(to audience: Audience, _ message: Message) {
        self.audience = audience
        self.message = message
    }

    /// Tells those whom a transaction of the directory gave numbers.
    package init(stored content: NotificationContent, numbers: [NotificationNumber]) {
        self.init(to: .people(numbers.map(\.user)), .stored(content, numbers))
    }

    /// Takes back what a transaction of the directory deleted.
    package init(withdrawn numbers: [NotificationNumber]) {
        self.init(to: .people(numbers.map(\.user)), .withdrawn(numbers))
    }
}

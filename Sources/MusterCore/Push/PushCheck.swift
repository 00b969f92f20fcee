/// The last look at a push, right before it is sent.
package struct PushCheck: Sendable {
    /// The reason why a push is not sent.
    package enum Reason: String, Sendable, CaseIterable {
        case expired
        case seen
        case muted
        case quiet
        case unwanted
        case left
    }

    /// The decision.
    package enum Decision: Sendable, Equatable {
        case send
        case drop(Reason)
        /// Not yet, because the app is open; a push that is unseen then is sent.
        case wait(until: Timestamp)
    }

    /// How long a push waits while the app is open, in milliseconds after the notification.
    package static let foregroundWait: Int64 = 60_000

    package var kind: NotificationKind
    package var group: GroupID?
    package var at: Timestamp
    package var expiresAt: Timestamp
    package var isSeen = false
    /// Whether the user is a member of the group.
    package var isMember = true
    /// Whether the user has the app open.
    package var isInForeground = false
    /// Whether it has already waited because of that.
    package var hasWaited = false
    package var settings = PushSettings()
    /// The minute of the user's day, for the quiet hours.
    package var minute = 0

    /// Creates a look at a push of a kind.
    package init(_ kind: NotificationKind, group: GroupID?, at: Timestamp, expiresAt: Timestamp) {
        self.kind = kind
        self.group = group
        self.at = at
        self.expiresAt = expiresAt
    }

    /// Decides whether to send.
    package func decide(at now: Timestamp) -> Decision {
        if now >= self.expiresAt { return .drop(.expired) }
        if self.isSeen { return .drop(.seen) }
        if !self.isMember { return .drop(.left) }
        if !self.settings.wants(self.kind) { return .drop(.unwanted) }
        if let group, self.settings.isMuted(group, at: now) { return .drop(.muted) }
        if self.settings.quiet?.silence(self.kind.name, at: self.minute) == true { return .drop(.quiet) }
        if self.isInForeground, !self.hasWaited, self.kind.push.waitsForOpenApp {
            return .wait(until: max(now, self.at + Self.foregroundWait))
        }
        return .send
    }
}

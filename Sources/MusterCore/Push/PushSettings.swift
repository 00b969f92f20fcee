/// What a user wants to be told while the app is closed.
package struct PushSettings: Sendable, Equatable {
    /// The kinds that the user has chosen or refused; others follow their rule.
    package var kinds: [String: Bool] = [:]
    /// The groups of which nothing is pushed, and the end of that; nil for no end.
    package var muted: [GroupID: Timestamp?] = [:]
    package var quiet: QuietHours?

    /// Creates the settings of a user who has chosen nothing.
    package init() {}

    /// Whether a kind is pushed.
    package func wants(_ kind: NotificationKind) -> Bool { self.kinds[kind.name] ?? kind.push.isOn }

    /// Whether nothing of a group is pushed at a time.
    package func isMuted(_ group: GroupID, at now: Timestamp) -> Bool {
        guard let end = self.muted[group] else { return false }
        return end.map { now < $0 } ?? true
    }
}

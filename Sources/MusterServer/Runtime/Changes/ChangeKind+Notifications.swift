import MusterCore

extension ChangeKind {
    /// The numbers of notifications that storage created by itself, for example when a waiting guest gets a place.
    static func notifications(_ world: any WorldLink) -> ChangeKind {
        ChangeKind(
            "notification",
            // The world reads from storage itself, if it holds the user. So no read is left to do here.
            isKnown: { user, number in
                world.send(.notificationsGiven([NotificationNumber(user: UserID(user), number: number)]))
                return true
            },
            readAgain: { _, _ in },
            // Missed notifications are read at the next number, or at `hello`.
            compare: { _, _ in nil }
        )
    }
}

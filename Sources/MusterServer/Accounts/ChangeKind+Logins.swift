import MusterCore

extension ChangeKind {
    /// The entry of logins and accounts in the table of change kinds.
    ///
    /// No trigger announces them, because requests of this process report their changes to the world. But a request
    /// that loses the database for a long time does not learn whether its change was stored. So the world compares the
    /// logins and users that it holds.
    static func logins(_ world: any WorldLink) -> ChangeKind {
        ChangeKind(
            "login",
            isKnown: { _, _ in true },
            readAgain: { _, _ in },
            compare: { _, _ in
                world.send(.loginsSuspected)
                return nil
            }
        )
    }
}

extension ChangeKind {
    /// All kinds: a feature adds its line.
    static func all(_ services: Services) -> [ChangeKind] {
        services.router.changeKinds + [
            .notifications(services.world), services.chat.changeKind, .takeDowns(services.node, services.router),
            .groups(services.world), .logins(services.world),
        ]
    }
}

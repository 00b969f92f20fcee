extension ChangeKind {
    /// All kinds: a feature adds its line.
    static func all(_ services: Services) -> [ChangeKind] {
        let takeDowns = TakeDowns(
            world: services.world,
            maps: services.spotMaps,
            chat: services.chat,
            clock: services.node.clock
        )
        return [
            services.pins.changeKind, services.events.changeKind, services.events.notificationKind,
            services.chat.changeKind, takeDowns.changeKind, .groups(services.world),
            .logins(services.world),
        ]
    }
}

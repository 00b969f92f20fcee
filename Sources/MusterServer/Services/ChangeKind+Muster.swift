extension ChangeKind {
    /// All kinds: a feature adds its line.
    static func all(_ services: Services) -> [ChangeKind] {
        [
            services.pins.changeKind, services.events.changeKind, services.events.notificationKind,
            services.chat.changeKind, TakeDowns(services).changeKind,
        ]
    }
}

extension RequestTable {
    /// All requests of the protocol.
    static func standard(_ services: Services) -> RequestTable {
        RequestTable(
            self.groups(services) + self.sharing(services, services.sharing) + self.locate()
                + self.spots(services, services.spotMaps) + self.tiles() + self.pins(services, services.pins)
                + self.places(services, services.geocoding) + self.positions(services.providers)
                + self.plans(services, services.planning) + self.events(services, services.events, services.chat)
                + self.chat(services, services.chat) + self.blocks(services)
        )
    }
}

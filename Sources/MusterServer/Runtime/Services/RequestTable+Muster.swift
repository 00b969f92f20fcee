import MusterWire

extension RequestTable {
    /// All requests of the protocol: a feature adds its list here.
    static func standard(_ services: Services) -> RequestTable {
        let node = services.node
        return RequestTable(
            self.groups(node) + self.groupPlaces(node) + self.sharing(node, services.sharing)
                + self.locate(node, hasPush: services.push != nil)
                + self.spots(node) + self.tiles() + self.pins(node)
                + self.places(node, services.geocoding) + self.positions(services.providers)
                + self.plans(node, services.planning) + self.events(node, services.router)
                + self.chat(node, services.chat) + self.blocks(node),
            limits: { $0 == .chatSend ? .chatSend(node.configuration.chatRate) : $0 }
        )
    }
}

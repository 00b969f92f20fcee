import WebSocketGateway

extension RouteTable {
    /// The routes of the server: a feature adds its own here.
    static func server(_ services: Services) -> RouteTable {
        RouteTable(
            AccountRoutes(services).routes
                + GlanceRoutes(services).routes
                + GroupRoutes(services).routes
                + LocationRoutes(services).routes
                + PhotoRoutes(services).routes
                + TileRoutes(services).routes
                + PlaceRoutes(services).routes
                + EventRoutes(services).routes
                + ChatRoutes(services).routes
                + ShareRoutes(services).routes
                + OperationsRoutes(services).routes,
            origins: OriginPolicy(named: services.configuration.gateway.allowedOrigins),
            statistics: services.http,
            clock: services.clock,
            logger: services.logger
        )
    }
}

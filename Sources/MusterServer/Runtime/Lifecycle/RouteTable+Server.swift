import EventLoop
import WebSocketGateway

extension RouteTable {
    /// The routes of the server.
    ///
    /// A feature adds its own here, with its dependencies.
    static func server(_ services: Services, _ requests: RequestTable? = nil) -> RouteTable {
        let (node, world) = (services.node, services.world)
        // Thirty accounts at once from an address, and one every five seconds.
        let signUps = RateMeter<String>(rate: 0.2, burst: 30)
        let accounts = AccountRoutes(node, services.router, services.signIns, signUps: signUps)
        let tiles = TileRoutes(
            node,
            world: world,
            clusters: services.clusters,
            reads: services.tileReads,
            encodings: services.tileEncodings
        )
        let renderer = SharePictureRenderer(
            node: node,
            world: world,
            sights: services.sights,
            imaging: services.imaging,
            tiles: services.providers.tiles,
            streets: ShareStreets(node, services.streets, reads: services.streetReads),
            statistics: services.shares,
            router: services.router
        )
        let shares = ShareRoutes(
            node,
            world: world,
            sights: services.sights,
            statistics: services.shares,
            renderer: renderer
        )
        let actions = PushActions(
            services,
            requests ?? .standard(services),
            world: world,
            clock: { node.clock.milliseconds }
        )
        return RouteTable(
            accounts.routes
                + SignInRoutes(node, services.signIns, services.router, signUps: signUps).routes
                + GlanceRoutes(node, world: world, streams: services.glances).routes
                + GroupRoutes(node).routes
                + LocationRoutes(node, world: world, reports: services.reports).routes
                + TrackerRoutes(node).routes
                + IngestRoutes(
                    node,
                    world: world,
                    reports: services.reports,
                    views: services.phoneViews,
                    statistics: services.ingest
                ).routes
                + PhotoRoutes(node, services.imaging).routes
                + tiles.routes
                + MapRoutes(node, services.streets, reads: services.streetReads).routes
                + PlaceRoutes(node, services.geocoding).routes
                + EventRoutes(node).routes
                + ChatRoutes(node, services.chat).routes
                + shares.routes
                + PushRoutes(node, services.push, actions).routes
                + OperationsRoutes(services).routes,
            origins: OriginPolicy(named: node.configuration.pageOrigins),
            statistics: services.http,
            clock: node.clock,
            logger: node.logger,
            convert: node.frameError
        )
    }
}

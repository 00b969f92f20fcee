import MusterCore
package import Postgres
package import WebSocketGateway

/// All settings of a server.
package struct ServerConfiguration: Sendable {
    /// The location of the data.
    package enum Database: Sendable, Equatable {
        /// A private cluster in a folder, which this process creates and runs.
        case embedded(folder: String, EmbeddedCluster.Placement = .exactly)
        /// An external server, by its libpq connection string or URL.
        case external(connectionString: String)
    }

    /// The location of the data.
    package var database = Database.embedded(folder: ".muster/postgres", .elsewhereWhenClosed)
    /// The folder with `migrations/`.
    package var sqlDirectory = "sql"
    /// The folder of the page.
    package var publicDirectory = "public"
    /// The folder of the map of streets, which need not exist.
    package var mapDirectory = ".muster/map"
    /// Raster tiles of another host for the page; nil for none.
    package var rasterTiles: RasterTiles?
    /// The folder of the bundled page, which `scripts/bundle` makes; nil serves the page's modules one by one.
    package var bundleDirectory: String?
    /// The folder in which Leaflet is installed.
    package var leafletDirectory = "/usr/share/javascript/leaflet"
    /// The listener, its limits and times.
    package var gateway = GatewayConfiguration()
    /// Milliseconds between two ticks of the world.
    package var tick: Int64 = 1000
    /// The maximum number of instants of one decision about a group, before the group is set aside.
    package var instantBudget = GatheringMachine.instantBudget
    /// The number of this node, which is a part of every id that it creates.
    package var node: UInt8 = 0
    /// The sustained rate limit of a session, in fixes a second.
    package var fixRate: Double = 10
    /// The burst limit of a session, in fixes.
    package var fixBurst: Double = 400
    /// Days for which fixes are kept.
    package var retentionDays = 30
    /// Milliseconds for which fixes are kept.
    var retention: Int64 { Int64(self.retentionDays) * 86_400_000 }
    /// The number of messages a minute that a user may send in one room; in all rooms, four times as many.
    package var chatRate = 30
    /// The number of connections to PostgreSQL, without that of the journal.
    package var poolSize = 8
    /// The secret of the server that its database does not contain.
    package var secretKey = SecretKey()
    /// The cost of a password hash; lower only for tests.
    package var passwordCost = PasswordCost.interactive
    /// The address of this server in links; nil for the address in each request.
    package var publicURL: String?
    /// The origins of pages that may connect: those that the operator named, and that of `publicURL`.
    ///
    /// A proxy may omit the port of the latter from `Host`.
    var pageOrigins: Set<String> {
        let own = self.publicURL.flatMap { url -> String? in
            let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
            return parts.count >= 3 ? parts[..<3].joined(separator: "/") : nil
        }
        return self.gateway.allowedOrigins.union([own].compactMap(\.self))
    }
    /// Milliseconds over which clients spread their reconnects after a shutdown.
    var drainJitter: Int64 = 4000
    /// The program that decodes pictures; nil when there is none, and photos are refused.
    package var imagingProgram: String?
    /// The folder of the cities to import when there is no gazetteer yet; nil for no import.
    package var placesDirectory: String?
    /// The external servers to query.
    package var providers = ProviderConfiguration()
    /// The providers that people may sign in with; nil for none.
    package var signIn: SignInConfiguration?
    /// Whether people may sign up and log in with passwords.
    package var hasPasswords = true
    /// Notifications to people whose app is closed.
    package var push = PushConfiguration()
    /// A separate listener for `/metrics`, as host and port; nil serves them on the main listener.
    package var metricsListen: (host: String, port: UInt16)?

    /// Creates a configuration with the defaults.
    package init() {}

    /// The configuration of the listener for `/metrics`, if there is one.
    var metricsGateway: GatewayConfiguration? {
        guard let (host, port) = self.metricsListen else { return nil }
        var gateway = GatewayConfiguration()
        gateway.host = host
        gateway.port = port
        gateway.subprotocols = []
        gateway.limits.connections = 32
        // The main gateway reserves the descriptors for files and databases.
        gateway.limits.reservedDescriptors = 0
        gateway.applicationPaths = ["/"]
        gateway.loopPrefix = "metrics-"
        return gateway
    }

    /// Lowers the limit of connections to the number that the system's hard limit of descriptors permits.
    package mutating func fitConnectionsToDescriptors() {
        self.gateway.fitConnectionsToDescriptors(besides: self.metricsGateway?.descriptors ?? 0)
    }
}

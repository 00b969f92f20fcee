import MusterCore
package import MusterStore
package import Postgres
package import WebSocketGateway

/// Everything that can be set about a server.
package struct ServerConfiguration: Sendable {
    /// Where the data lives.
    package enum Database: Sendable, Equatable {
        /// A private cluster in a folder, made and run by this process.
        case embedded(folder: String, EmbeddedCluster.Placement = .exactly)
        /// A server that somebody else runs, by its libpq connection string or URL.
        case external(connectionString: String)
    }

    /// Where the data lives.
    package var database = Database.embedded(folder: ".muster/postgres", .elsewhereWhenClosed)
    /// The folder with `migrations/`.
    package var sqlDirectory = "sql"
    /// The folder of the page.
    package var publicDirectory = "public"
    /// The folder in which Leaflet is installed.
    package var leafletDirectory = "/usr/share/javascript/leaflet"
    /// The listener, its limits and times.
    package var gateway = GatewayConfiguration()
    /// Milliseconds between two looks of the world at what is due.
    package var tick: Int64 = 1000
    /// The most instants that one decision about a group may take, before the group is set aside.
    package var instantBudget = GatheringMachine.instantBudget
    /// The number of this node, in every id that it makes.
    package var node: UInt8 = 0
    /// Fixes a second that a session may send for long.
    package var fixRate: Double = 10
    /// Fixes that a session may send at once.
    package var fixBurst: Double = 400
    /// Days for which fixes are kept.
    package var retentionDays = 30
    /// Milliseconds for which fixes are kept.
    var retention: Int64 { Int64(self.retentionDays) * 86_400_000 }
    /// Connections to PostgreSQL for everything but the journal.
    package var poolSize = 8
    /// What the server knows and its database does not.
    package var secretKey = SecretKey()
    /// How much work a password costs; less only for tests.
    package var passwordCost = PasswordCost.interactive
    /// The address by which clients reach this server, for links; nil for the one that a request names.
    package var publicURL: String?
    /// Origins of pages that may connect: those that were named, and that of our own address, whose port a proxy in front may
    /// leave out of `Host`.
    var pageOrigins: Set<String> {
        let own = self.publicURL.flatMap { url -> String? in
            let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
            return parts.count >= 3 ? parts[..<3].joined(separator: "/") : nil
        }
        return self.gateway.allowedOrigins.union([own].compactMap(\.self))
    }
    /// Milliseconds over which clients are spread when they come back after a shutdown.
    package var drainJitter: Int64 = 4000
    /// The program that decodes pictures; nil when there is none, and no photos are taken.
    package var imagingProgram: String?
    /// The folder of the cities that are imported when there is no gazetteer yet; nil when none are.
    package var placesDirectory: String?
    /// Whom the server may ask beyond itself.
    package var providers = ProviderConfiguration()
    /// A second listener for `/metrics` alone, as host and port; nil serves them with everything else.
    package var metricsListen: (host: String, port: UInt16)?

    /// Creates a configuration with the defaults.
    package init() {}

    /// The listener for `/metrics` alone, if there is one.
    package var metricsGateway: GatewayConfiguration? {
        guard let (host, port) = self.metricsListen else { return nil }
        var gateway = GatewayConfiguration()
        gateway.host = host
        gateway.port = port
        gateway.subprotocols = []
        gateway.limits.connections = 32
        // The main gateway keeps free what files and databases need.
        gateway.limits.reservedDescriptors = 0
        gateway.applicationPaths = ["/"]
        gateway.loopPrefix = "metrics-"
        return gateway
    }

    /// Lowers the cap on connections to what the system's hard limit on descriptors leaves room for.
    package mutating func fitConnectionsToDescriptors() {
        self.gateway.fitConnectionsToDescriptors(besides: self.metricsGateway?.descriptors ?? 0)
    }
}

import EventLoop
import Foundation
import MusterCommands
import MusterServer
import Postgres
import WebSocketGateway

/// `muster serve`: the server.
enum ServeCommand: Command {
    static let name = "serve"
    static let summary = "Serve clients over WebSocket and HTTP."
    static let usage = "[options]"
    static let discussion = """
        Without --database-url, a private PostgreSQL is created in the data folder on first use, started, and stopped
        on exit. The first line on standard output is JSON with the address for clients. The log goes to standard
        error, one JSON object per line. SIGTERM and SIGINT shut the server down gracefully: clients are told when to
        reconnect, received fixes are committed, and the exit status is 0.
        """
    static let options = serving + OptionValues.signInOptions + OptionValues.providerOptions + OptionValues.pushOptions

    private static let serving = [
        Option(
            "listen",
            .one("HOST:PORT"),
            default: "127.0.0.1:8080",
            help: "the address to listen on; port 0 for any free port"
        ),
        Option(
            "database-url",
            .one("URL"),
            alias: "DATABASE_URL",
            help: "use this PostgreSQL, which must have PostGIS, instead of a private one (also: DATABASE_URL)"
        ),
        Option(
            "data-dir",
            .one("DIR"),
            default: ".muster",
            help: "the folder of the private PostgreSQL, the map and the secret key"
        ),
        Option(
            "secret-key-file",
            .one("FILE"),
            help: "the file of the secret key, created if missing [secret.key in the data folder]"
        ),
        Option("gateways", .one("N"), default: "1", help: "number of threads that serve sockets"),
        Option(
            "processors",
            .one("LIST"),
            help: "bind each gateway thread to one of these processors, such as 0,2-3 [any]"
        ),
        Option("tick", .one("MS"), default: "1000", help: "milliseconds between two evaluations of who is together"),
        Option(
            "group-budget",
            .one("N"),
            default: "100000",
            help: "maximum steps of one evaluation of a group; a group that needs more is suspended for a while"
        ),
        Option(
            "allow-origin",
            .many("ORIGIN"),
            help: "an origin whose web pages may connect, such as https://app.example"
        ),
        Option(
            "public-url",
            .one("URL"),
            help: "the server's public address, used in links; its pages may connect whatever Host a proxy sends"
        ),
        Option("tls-cert", .one("FILE"), help: "serve HTTPS with this certificate chain (PEM)"),
        Option("tls-key", .one("FILE"), help: "the private key of the certificate (PEM)"),
        Option("metrics-listen", .one("HOST:PORT"), help: "serve /metrics only at this address"),
        Option("fix-rate", .one("N"), default: "10", help: "fixes per second that a session may send on average"),
        Option(
            "chat-rate",
            .one("N"),
            default: "30",
            help: "messages per minute that a user may send in a chat on average; four times as many in all chats"
        ),
        Option(
            "max-connections",
            .one("N"),
            help: "maximum connections [10000, or fewer if file descriptors are limited]"
        ),
        Option(
            "max-per-address",
            .one("N"),
            default: "200",
            help: "maximum connections of one address, except loopback"
        ),
        Option(
            "trusted-proxy",
            .many("ADDRESS"),
            help:
                "address or network of a proxy: its X-Forwarded-For is trusted, and limits per address do not apply"
        ),
        Option("retention-days", .one("N"), default: "30", help: "days until fixes and notifications are deleted"),
        Option("pool-size", .one("N"), default: "8", help: "connections to PostgreSQL, in addition to the journal's"),
        Option(
            "node",
            .one("N"),
            default: "0",
            help: "the number of this node, 0 to 255, which is part of the ids that it creates"
        ),
        Option(
            "raster-tiles",
            .one("URL"),
            help: "map tiles of another host instead of the imported map: https://tile.example.org/{z}/{x}/{y}.png; "
                + "that host learns from each browser which part of the map it shows"
        ),
        Option(
            "raster-attribution",
            .one("TEXT"),
            help: "attribution of these tiles, shown on the map; required with --raster-tiles"
        ),
        Option("public-dir", .one("DIR"), help: "the folder of the web page [public, here or beside the program]"),
        Option(
            "bundle-dir",
            .one("DIR"),
            help: "the folder of the page as scripts/bundle makes it, or none [bundle, if here or beside the program]"
        ),
        Option("sql-dir", .one("DIR"), help: "the folder of the migrations [sql, here or beside the program]"),
        Option(
            "leaflet-dir",
            .one("DIR"),
            default: "/usr/share/javascript/leaflet",
            help: "the folder in which Leaflet is installed"
        ),
        Option(
            "places-dir",
            .one("DIR"),
            default: AreaTable.installedFolder,
            help: "the folder of the GeoNames cities, imported if the database has none; 'none' to import nothing"
        ),
        Option(
            "password-cost",
            .one("COST"),
            default: "interactive",
            help: "cost of a password check: interactive (64 MiB), or minimal, for tests only"
        ),
        Option("log-level", .one("LEVEL"), default: "info", help: "debug, info, warning or error"),
    ]

    static func run(_ values: OptionValues) async throws -> Int32 {
        let logger = Logger(level: try self.logLevel(values))
        var configuration = try self.configuration(values)
        configuration.secretKey = try self.secretKey(values, logger)
        if configuration.imagingProgram == nil {
            logger.warning(
                "muster-imaging is not in the folder of this program; photos and share pictures are unavailable"
            )
        }
        let server = MusterServer(configuration, logger: logger)
        let signals = TerminationSignals { server.limitShutdown() }
        await SessionNiceness.preferOwn()
        AllocatorArenas.limit(to: configuration.gateway.shards + 1)
        do {
            try await server.start()
        } catch let error as GatewayError {
            // The clients' listener is opened first.
            throw StartupProblem(error, isOfMetrics: server.port != 0, values)
        }
        FileHandle.standardOutput.write(Data(#"{"listening":"\#(server.url)"}\#n"#.utf8))
        let reload = ReloadSignal { server.reload() }
        await signals.first()
        await server.stop()
        // Until here, so that a second Ctrl-C has an effect.
        withExtendedLifetime((signals, reload)) {}
        return 0
    }

    private static func configuration(_ values: OptionValues) throws(UsageError) -> ServerConfiguration {
        guard values.operands.isEmpty else { throw UsageError("unexpected argument '\(values.operands[0])'") }
        var configuration = ServerConfiguration()
        configuration.database = values.database
        if let url = values.text("database-url"), let problem = PostgresSession.problem(inConnectionString: url) {
            throw UsageError(
                "--database-url: \(problem). It must be a URL such as postgresql://user@host/database, or 'host=… dbname=…'"
            )
        }
        let listen = try Endpoint(values.text("listen") ?? "", option: "listen")
        configuration.gateway.host = listen.host
        configuration.gateway.port = listen.port
        configuration.gateway.shards = try values.integer("gateways", in: 1...64)
        if let list = values.text("processors") {
            configuration.gateway.processors = try ProcessorList(list, option: "processors").numbers
        }
        configuration.gateway.allowedOrigins = try values.origins("allow-origin")
        if values.isGiven("max-connections") {
            configuration.gateway.limits.connections = try values.integer("max-connections", in: 1...1_000_000)
        }
        configuration.gateway.limits.connectionsPerAddress = try values.integer("max-per-address", in: 1...1_000_000)
        configuration.gateway.limits.exemptAddresses = try values.addresses("trusted-proxy")
        configuration.gateway.tls = try self.tls(values)
        configuration.tick = Int64(try values.integer("tick", in: 50...60_000))
        configuration.instantBudget = try values.integer("group-budget", in: 1...1_000_000_000)
        configuration.node = UInt8(try values.integer("node", in: 0...255))
        configuration.fixRate = try values.number("fix-rate", in: 0.1...1_000_000)
        configuration.fixBurst = max(400, configuration.fixRate * 40)
        configuration.chatRate = try values.integer("chat-rate", in: 1...1_000_000)
        configuration.retentionDays = try values.integer("retention-days", in: 1...3650)
        configuration.poolSize = try values.integer("pool-size", in: 1...200)
        configuration.passwordCost = try self.passwordCost(values)
        configuration.publicURL = try values.site("public-url")
        configuration.signIn = try values.signIn()
        configuration.hasPasswords = try values.hasPasswords()
        configuration.imagingProgram = ImagingCommand.program
        configuration.publicDirectory = try self.folder("public", values)
        configuration.bundleDirectory = try self.bundle(values)
        configuration.sqlDirectory = try self.folder("sql", values)
        configuration.mapDirectory = "\(values.dataFolder)/map"
        configuration.rasterTiles = try self.rasterTiles(values)
        try self.requireNoTiles(in: configuration.publicDirectory)
        configuration.leafletDirectory = try values.existingFolder("leaflet-dir")
        configuration.placesDirectory =
            values.text("places-dir") == "none" ? nil : try values.existingFolder("places-dir")
        configuration.providers = try values.providers(
            secret: ProcessInfo.processInfo.environment["MUSTER_PLACES_KEY"]
        )
        configuration.push = try values.push()
        if let text = values.text("metrics-listen") {
            let endpoint = try Endpoint(text, option: "metrics-listen")
            guard endpoint != listen || listen.port == 0 else {
                throw UsageError("--metrics-listen and --listen must have different ports: '\(text)'")
            }
            configuration.metricsListen = (endpoint.host, endpoint.port)
        }
        if !values.isGiven("max-connections") { configuration.fitConnectionsToDescriptors() }
        return configuration
    }

    /// The secret key; a new one at each start when it cannot be stored.
    private static func secretKey(_ values: OptionValues, _ logger: Logger) throws(UsageError) -> SecretKey {
        let file = values.text("secret-key-file")
        do throws(SecretKey.Problem) {
            return try SecretKey(file: file ?? "\(values.dataFolder)/secret.key")
        } catch {
            if let file {
                throw UsageError(
                    "--secret-key-file: \(error). Use a file that this account may read and write, or restore '\(file)' "
                        + "from your backup; if the file does not exist, a new key is created"
                )
            }
            logger.warning(
                "the secret key is not stored: a restart invalidates hashes of login addresses and hides share links",
                ["error": .text("\(error)")]
            )
            return SecretKey()
        }
    }

    private static func tls(_ values: OptionValues) throws(UsageError) -> GatewayConfiguration.TLS? {
        switch (values.text("tls-cert"), values.text("tls-key")) {
        case (nil, nil):
            return nil
        case (let certificate?, let key?):
            for (option, file) in [("tls-cert", certificate), ("tls-key", key)]
            where !FileManager.default.isReadableFile(atPath: file) {
                throw UsageError("--\(option): cannot read '\(file)'")
            }
            return GatewayConfiguration.TLS(certificateFile: certificate, keyFile: key)
        case (nil, _), (_, nil):
            throw UsageError("--tls-cert and --tls-key require each other")
        }
    }

    /// The raster tiles of another host; their attribution is required.
    private static func rasterTiles(_ values: OptionValues) throws(UsageError) -> RasterTiles? {
        let attribution = values.text("raster-attribution")
        guard let url = values.text("raster-tiles") else {
            guard attribution == nil else { throw UsageError("--raster-attribution requires --raster-tiles") }
            return nil
        }
        guard let attribution else { throw UsageError("--raster-tiles requires --raster-attribution") }
        guard let tiles = RasterTiles(url: url, attribution: attribution) else {
            throw UsageError("--raster-tiles must be an http or https URL with {z}, {x} and {y} once each: '\(url)'")
        }
        return tiles
    }

    /// Refuses a `config.json` that still names raster tiles, which are an option now.
    private static func requireNoTiles(in folder: String) throws(UsageError) {
        let path = "\(folder)/config.json"
        guard let data = FileManager.default.contents(atPath: path),
            let fields = try? JSONSerialization.jsonObject(with: data) as? [String: Any], fields["tiles"] != nil
        else { return }
        throw UsageError(
            "'\(path)' contains \"tiles\", which is no longer read: remove it, and use --raster-tiles URL and "
                + "--raster-attribution TEXT, or import a map with muster import map"
        )
    }

    private static func logLevel(_ values: OptionValues) throws(UsageError) -> LogEvent.Level {
        let text = values.text("log-level") ?? ""
        guard let level = LogEvent.Level(rawValue: text) else {
            throw UsageError("--log-level must be debug, info, warning or error, not '\(text)'")
        }
        return level
    }

    private static func passwordCost(_ values: OptionValues) throws(UsageError) -> PasswordCost {
        switch values.text("password-cost") {
        case "interactive": .interactive
        case "minimal": .minimal
        case let text: throw UsageError("--password-cost must be interactive or minimal, not '\(text ?? "")'")
        }
    }

    private static func bundle(_ values: OptionValues) throws(UsageError) -> String? {
        switch values.text("bundle-dir") {
        case "none": return nil
        case nil:
            return ResourceFolder.find("bundle").flatMap { ResourceFolder.exists("\($0)/bundle") ? $0 : nil }
        case let given?:
            guard ResourceFolder.exists("\(given)/bundle") else {
                throw UsageError("--bundle-dir: no bundled page in '\(given)'; scripts/bundle makes one")
            }
            return given
        }
    }

    private static func folder(_ name: String, _ values: OptionValues) throws(UsageError) -> String {
        if let given = values.text("\(name)-dir") {
            guard ResourceFolder.exists(given) else { throw UsageError("--\(name)-dir: no folder '\(given)'") }
            return given
        }
        guard let found = ResourceFolder.find(name) else {
            throw UsageError("no folder '\(name)' here or beside the program; set --\(name)-dir")
        }
        return found
    }
}

import EventLoop
import Foundation
import MusterCommands
import MusterServer
import MusterStore
import Postgres
import WebSocketGateway

/// `muster serve`: the server.
enum ServeCommand: Command {
    static let name = "serve"
    static let summary = "Serve clients over WebSocket and HTTP."
    static let usage = "[options]"
    static let discussion = """
        Without --database-url a private PostgreSQL is made in the data folder on first use, started, and stopped again
        on exit. The first line on standard output says where clients connect, as JSON; the log goes to standard error,
        one JSON object a line. SIGTERM and SIGINT drain: clients are told when to come back, what was received is
        committed, and the exit status is 0.
        """
    static let options = serving + OptionValues.providerOptions

    private static let serving = [
        Option(
            "listen",
            .one("HOST:PORT"),
            default: "127.0.0.1:8080",
            help: "where to listen; port 0 takes a free one"
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
            help: "the folder of the private PostgreSQL and the secret key"
        ),
        Option(
            "secret-key-file",
            .one("FILE"),
            help: "the file of the secret key, made when it is missing [secret.key in the data folder]"
        ),
        Option("gateways", .one("N"), default: "1", help: "threads that serve sockets"),
        Option(
            "processors",
            .one("LIST"),
            help: "bind the threads of the gateways to these, one each in turn, such as 0,2-3 [any]"
        ),
        Option("tick", .one("MS"), default: "1000", help: "milliseconds between two looks at who is together"),
        Option(
            "group-budget",
            .one("N"),
            default: "100000",
            help: "instants of one decision about a group; a group that needs more is set aside for a while"
        ),
        Option(
            "allow-origin",
            .many("ORIGIN"),
            help: "a web page's origin that may connect, such as https://app.example"
        ),
        Option(
            "public-url",
            .one("URL"),
            help: "the address for links that are handed out, whose pages may connect whatever Host a proxy sends"
        ),
        Option("tls-cert", .one("FILE"), help: "serve HTTPS with this certificate chain (PEM)"),
        Option("tls-key", .one("FILE"), help: "the certificate's key (PEM)"),
        Option("metrics-listen", .one("HOST:PORT"), help: "serve /metrics here and nowhere else"),
        Option("fix-rate", .one("N"), default: "10", help: "fixes a second that one session may send for long"),
        Option(
            "chat-rate",
            .one("N"),
            default: "30",
            help: "messages a minute that one person may send in one chat for long; in all chats four times as many"
        ),
        Option("max-connections", .one("N"), help: "connections in all [10000, or what the descriptors allow]"),
        Option("max-per-address", .one("N"), default: "200", help: "connections of one address, loopback apart"),
        Option(
            "trusted-proxy",
            .many("ADDRESS"),
            help:
                "a proxy's address or network (10.0.0.0/8), free of the limits per address, believed in X-Forwarded-For"
        ),
        Option("retention-days", .one("N"), default: "30", help: "days for which fixes are kept"),
        Option("pool-size", .one("N"), default: "8", help: "connections to PostgreSQL besides the journal's"),
        Option("node", .one("N"), default: "0", help: "this node's number, 0 to 255, in the ids that it makes"),
        Option("public-dir", .one("DIR"), help: "the folder of the page [public, here or beside the program]"),
        Option("sql-dir", .one("DIR"), help: "the folder of the migrations [sql, likewise]"),
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
            help: "the folder of GeoNames' cities, imported when the database does not have them; 'none' for none"
        ),
        Option(
            "password-cost",
            .one("COST"),
            default: "interactive",
            help: "what it costs to check a password: interactive (64 MiB), or minimal, for tests and never for users"
        ),
        Option("log-level", .one("LEVEL"), default: "info", help: "debug, info, warning or error"),
    ]

    static func run(_ values: OptionValues) async throws -> Int32 {
        let logger = Logger(level: try self.logLevel(values))
        var configuration = try self.configuration(values)
        configuration.secretKey = try self.secretKey(values, logger)
        if configuration.imagingProgram == nil {
            logger.warning(
                "muster-imaging is not beside this program; photos are not taken, and share pictures not drawn"
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
        // Without a file to reload, SIGHUP ends the server as by default.
        let reload = configuration.providers.addressFile.map { _ in ReloadSignal { server.reload() } }
        await signals.first()
        await server.stop()
        // Until here, so that a second Ctrl-C has an effect.
        withExtendedLifetime((signals, reload)) {}
        return 0
    }

    private static func configuration(_ values: OptionValues) throws(UsageError) -> ServerConfiguration {
        guard values.operands.isEmpty else { throw UsageError("takes no operand: '\(values.operands[0])'") }
        var configuration = ServerConfiguration()
        configuration.database = values.database
        if let url = values.text("database-url"), let problem = PostgresSession.problem(inConnectionString: url) {
            throw UsageError(
                "--database-url: \(problem). It is a URL such as postgresql://user@host/database, or 'host=… dbname=…'"
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
        configuration.imagingProgram = ImagingCommand.program
        configuration.publicDirectory = try self.folder("public", values)
        configuration.sqlDirectory = try self.folder("sql", values)
        configuration.leafletDirectory = try values.existingFolder("leaflet-dir")
        configuration.placesDirectory =
            values.text("places-dir") == "none" ? nil : try values.existingFolder("places-dir")
        configuration.providers = try values.providers(
            secret: ProcessInfo.processInfo.environment["MUSTER_PLACES_KEY"]
        )
        if let text = values.text("metrics-listen") {
            let endpoint = try Endpoint(text, option: "metrics-listen")
            guard endpoint != listen || listen.port == 0 else {
                throw UsageError("--metrics-listen and --listen name the same port: '\(text)'")
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
                    "--secret-key-file: \(error). Name a file that this account may read and write, or bring '\(file)' back "
                        + "from your backup; without one at all a new key is made"
                )
            }
            logger.warning(
                "no secret key is kept: after a restart addresses of logins, and of share pictures to members, are unknown",
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
            throw UsageError("--tls-cert and --tls-key go together")
        }
    }

    private static func logLevel(_ values: OptionValues) throws(UsageError) -> LogEvent.Level {
        let text = values.text("log-level") ?? ""
        guard let level = LogEvent.Level(rawValue: text) else {
            throw UsageError("--log-level is debug, info, warning or error, not '\(text)'")
        }
        return level
    }

    private static func passwordCost(_ values: OptionValues) throws(UsageError) -> PasswordCost {
        switch values.text("password-cost") {
        case "interactive": .interactive
        case "minimal": .minimal
        case let text: throw UsageError("--password-cost is interactive or minimal, not '\(text ?? "")'")
        }
    }

    private static func folder(_ name: String, _ values: OptionValues) throws(UsageError) -> String {
        if let given = values.text("\(name)-dir") {
            guard ResourceFolder.exists(given) else { throw UsageError("--\(name)-dir: no folder '\(given)'") }
            return given
        }
        guard let found = ResourceFolder.find(name) else {
            throw UsageError("no folder '\(name)' here or beside the program: name it with --\(name)-dir")
        }
        return found
    }
}

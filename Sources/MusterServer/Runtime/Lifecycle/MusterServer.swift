package import EventLoop
import MusterCore
import MusterWire
import Postgres
import Synchronization
import WebSocketGateway

/// The whole server: gateway, world, journal and directory, wired together, started and stopped in order.
package final class MusterServer: Sendable {
    private let configuration: ServerConfiguration
    let logger: Logger
    private let clock: MonotonicClock
    let database: DatabaseHost
    let services: Services
    private let world: LocalWorld
    private let clusters: LocalClusterService
    private let gazetteers: FirstGazetteer
    private let metricsGateway = Mutex<Gateway<MetricsApplication>?>(nil)
    private let background = Mutex<[Task<Void, Never>]>([])

    /// Creates a server; nothing is started yet.
    package init(_ configuration: ServerConfiguration, logger: Logger, clock: MonotonicClock = .system) {
        self.configuration = configuration
        self.logger = logger
        self.clock = clock
        self.database = DatabaseHost(configuration.database, logger: logger)
        self.world = LocalWorld()
        self.clusters = LocalClusterService()
        self.gazetteers = FirstGazetteer(folder: configuration.placesDirectory, clock: clock, logger: logger)
        self.services = Services(
            configuration: configuration,
            clock: clock,
            logger: logger,
            world: self.world,
            clusters: self.clusters
        )
    }

    /// The address at which clients connect; valid once `start` has returned.
    package var url: String { self.services.node.url }

    /// The port of the listener; valid once `start` has returned.
    package var port: UInt16 { self.services.node.gateway?.port ?? 0 }

    /// A libpq connection string for operators and tests; valid once `start` has returned.
    package var databaseConnectionString: String { self.database.connectionString }

    /// The port of the metrics listener, if there is one.
    var metricsPort: UInt16? { self.metricsGateway.withLock { $0?.port } }

    /// Reads files again that the operator may have replaced: the map, and the database of network addresses.
    package func reload() {
        self.services.streets.refresh()
        self.services.providers.reload()
    }

    /// Opens the listener, connects to PostgreSQL, brings the schema up to date, and serves.
    ///
    /// If PostgreSQL cannot be reached, the server listens nevertheless, reports this in `/readyz`, and keeps trying.
    ///
    /// - Throws: an error that prevents the server from ever serving: an unusable address or certificate, a login or
    ///   database that PostgreSQL does not know, or a broken migration.
    package func start() async throws {
        self.services.node.loops.start()
        self.services.node.loops.monitor(self.services.providers.heartbeats + self.services.signIns.heartbeats)
        if let push = self.services.push { self.services.node.loops.monitor(push.heartbeats) }
        await self.openMap()
        try await self.listen()
        do {
            try await self.openStorage()
        } catch let error where error.isConnectionProblem && !error.isRefusal && !self.database.isEmbedded {
            self.logger.warning(
                "PostgreSQL cannot be reached; serving without it and connecting again",
                ["error": .text(error.description)]
            )
            self.inBackground { await self.openStorageWhenReachable() }
        } catch {
            await self.closeListeners(farewell: nil)
            await self.stopDatabase()
            throw error
        }
        self.logger.info("serving", ["url": .text(self.url), "version": .text(MusterVersion.current)])
    }

    /// Drains and stops: clients are asked to reconnect later, and received data is committed.
    package func stop() async {
        self.logger.info("draining")
        self.services.node.isDraining.store(true, ordering: .releasing)
        self.services.world.send(.drainBegan)
        self.services.glances.endAll()
        for task in self.background.withLock({ $0 }) { task.cancel() }
        let farewell = ServerFrame.goaway(
            reason: "shutdown",
            retryAfter: 800,
            jitter: self.configuration.drainJitter
        )
        await self.closeListeners(farewell: farewell.encoded)
        await self.gazetteers.end()
        await self.services.node.blocking.step { [world, clusters, services, logger] () throws(Never) in
            world.stop()
            clusters.stop()
            services.tileReads.endAll()
            services.reports.endAll()
            services.sights.endAll()
            services.phoneViews.endAll()
            services.imaging.close()
            if let storage = services.node.storage {
                storage.changes.close()
                if !Self.flush(storage.journal) {
                    logger.error(
                        "the journal could not be flushed; clients will resend unacknowledged fixes",
                        ["journal.waiting": .number(Int64(storage.journal.metrics.waiting))]
                    )
                }
                storage.journal.close()
            }
        }
        await self.services.chat.close()
        if let storage = self.services.node.storage {
            await self.services.chat.receipts.flush(in: storage.directory)
            await storage.pool.close()
        }
        await self.stopDatabase()
        self.services.node.loops.stop()
        self.logger.info("stopped")
    }

    /// Waits up to 10 s until received data is committed, and no longer than 2 s if PostgreSQL is unavailable.
    ///
    /// Blocks.
    ///
    /// - Returns: whether everything is committed.
    private static func flush(_ journal: Journal) -> Bool {
        for _ in 0..<5 {
            if journal.flush(timeout: .seconds(2)) { return true }
            guard journal.state == .ready else { return false }
        }
        return false
    }

    // MARK: - Listeners

    /// The folder of the bundled page; nil when there is none, or it is older than the page's files.
    private var bundle: String? {
        guard let folder = self.configuration.bundleDirectory else { return nil }
        guard PageBundle(folder: folder).isMade(from: self.configuration.publicDirectory) else {
            self.logger.warning(
                "the bundled page is older than the page's files, which are served one by one; scripts/bundle makes it anew",
                ["bundle": .text(folder), "page": .text(self.configuration.publicDirectory)]
            )
            return nil
        }
        return folder
    }

    private func listen() async throws(GatewayError) {
        let services = self.services
        let logger = self.logger
        var configuration = self.configuration.gateway
        configuration.node = self.configuration.node
        configuration.allowedOrigins = self.configuration.pageOrigins
        configuration.staticMounts = [
            StaticMount(prefix: "/", directory: self.configuration.publicDirectory),
            StaticMount(
                prefix: "/vendor/leaflet/",
                directory: self.configuration.leafletDirectory,
                cacheControl: "public, max-age=86400"
            ),
        ]
        if let bundle = self.bundle {
            configuration.staticMounts += [
                StaticMount(prefix: "/", directory: bundle),
                // Names of these files have a hash of their content.
                StaticMount(
                    prefix: "/bundle/",
                    directory: "\(bundle)/bundle",
                    cacheControl: "public, max-age=31536000, immutable"
                ),
            ]
        }
        configuration.staticListing = "/sw.js"
        let requests = RequestTable.standard(services)
        let routes = RouteTable.server(services, requests)
        configuration.applicationPaths = routes.paths
        configuration.bodyReception = { routes.bodyReception($0, $1) }
        configuration.requestHeaders = routes.headers
        configuration.responseHeaders = ResponsePolicy.headers(
            isTLS: configuration.tls != nil,
            tiles: self.configuration.rasterTiles?.source
        )
        configuration.stallReport = { services.node.loops.report ?? "The server is stalled." }
        let wanted = configuration
        services.node.gateway = try await services.node.blocking.step { () throws(GatewayError) in
            try Gateway(
                configuration: wanted,
                kinds: .muster,
                clock: self.clock,
                log: { logger.log($0, component: "gateway") },
                makeApplication: {
                    SessionApplication(services: services, requests: requests, routes: routes, shard: $0)
                }
            )
        }
        if let gateway = services.node.gateway {
            let outlets = ClusterOutlets(
                shards: gateway,
                reads: services.tileReads,
                encodings: services.tileEncodings,
                world: services.world
            )
            self.clusters.start(tick: self.configuration.tick, clock: self.clock, outlets: outlets)
            services.node.loops.monitor(gateway.heartbeats + [self.clusters.heartbeat])
        }
        guard let wantedMetrics = self.configuration.metricsGateway else { return }
        let gateway = try await services.node.blocking.step { () throws(GatewayError) in
            try Gateway(
                configuration: wantedMetrics,
                kinds: [:],
                clock: self.clock,
                log: { logger.log($0, component: "gateway") },
                makeApplication: { MetricsApplication(services: services, shard: $0) }
            )
        }
        self.metricsGateway.withLock { $0 = gateway }
        services.node.loops.monitor(gateway.heartbeats)
        // With port 0 the system chooses the port, so it is logged.
        let host = wantedMetrics.host
        let authority = host.contains(":") ? "[\(host)]" : host
        self.logger.info("serving metrics", ["url": .text("http://\(authority):\(gateway.port)/metrics")])
    }

    private func closeListeners(farewell: [UInt8]?) async {
        let gateway = self.services.node.gateway
        let metrics = self.metricsGateway.withLock { $0.take() }
        await self.services.node.blocking.step { () throws(Never) in
            gateway?.shutDown(farewell: farewell, code: .restarting, timeout: 10_000)
            metrics?.shutDown(farewell: nil, code: .restarting, timeout: 1000)
        }
    }

    // MARK: - Storage

    private func openStorageWhenReachable() async {
        var backoff = Backoff(shortest: 250, longest: 5000)
        var failures = FailureLog()
        while !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(backoff.fail()))
            do {
                try await self.openStorage()
                self.logger.info("PostgreSQL is connected")
                return
            } catch {
                let event = failures.failed(at: self.clock.milliseconds) {
                    LogEvent(.warning, "PostgreSQL still cannot be reached", [("error", error.description)])
                }
                if let event { self.logger.log(event, component: "storage") }
            }
        }
    }

    /// Brings the schema up to date, opens the journal and starts the world.
    private func openStorage() async throws(PostgresError) {
        let database = self.database
        let sqlDirectory = self.configuration.sqlDirectory
        let applied = try await self.services.node.blocking.step { () throws(PostgresError) in
            try database.start()
            return try database.migrate(from: sqlDirectory)
        }
        for migration in applied {
            self.logger.info(
                "migration applied",
                ["number": .number(Int64(migration.number)), "name": .text(migration.name)]
            )
        }
        let storage = self.makeStorage()
        do {
            try await storage.directory.maintain()
        } catch {
            // The next attempt has a journal of its own, which would wait for this one's lock.
            await self.services.node.blocking.step { () throws(Never) in storage.journal.close() }
            await storage.pool.close()
            throw error as? PostgresError ?? PostgresError(.misuse, message: "\(error)")
        }
        guard let gateway = self.services.node.gateway else {
            preconditionFailure("storage was opened before listening")
        }
        var configuration = WorldConfiguration(startedAt: Timestamp(milliseconds: self.clock.wallMilliseconds))
        configuration.node = self.configuration.node
        configuration.retention = self.configuration.retention
        let chatLoops = self.services.chat.open(self.database.connectionString)
        configuration.instantBudget = self.configuration.instantBudget
        configuration.stopwatch = { [clock = self.clock] in clock.nanoseconds }
        self.world.start(
            configuration,
            tick: self.configuration.tick,
            clock: self.clock,
            outlets: WorldOutlets(
                shards: gateway,
                journal: storage.journal,
                storage: DirectoryAnswers(directory: storage.directory, world: self.world, logger: self.logger),
                chat: self.services.chat,
                reports: self.services.reports,
                sights: self.services.sights,
                phoneViews: self.services.phoneViews,
                glances: self.services.glances,
                clusters: self.clusters,
                terms: self.services.node.terms,
                log: { [logger = self.logger] in logger.log($0, component: "world") }
            )
        )
        self.services.node.loops.monitor(
            [self.world.heartbeat, storage.pool.heartbeat, storage.journal.heartbeat] + chatLoops
        )
        await self.waitForJournal(storage.journal)
        let loading = StorageLoading(services: self.services, storage: storage, logger: self.logger)
        // Before the first read, so that no change after it is missed.
        let feed = storage.changes.listen(on: self.database.connectionString, clock: self.clock)
        self.services.node.loops.monitor([feed])
        var failures = FailureLog()
        let isLoaded = await loading.load(&failures)
        self.services.open(storage)
        self.inBackground { [chat = self.services.chat] in await chat.notify(from: storage.directory) }
        if let push = self.services.push { self.inBackground { await push.run(storage.directory) } }
        self.inBackground { [failures] in
            if !isLoaded { await loading.loadWhenReady(failures) }
            await loading.loadOpenGatherings()
        }
        self.inBackground { await loading.readAgainAfterOutages() }
        self.inBackground { await self.maintain(storage.directory) }
        self.inBackground { [signIns = self.services.signIns] in await signIns.run(in: storage.directory) }
        self.inBackground { await storage.changes.run() }
        self.gazetteers.begin(in: self.database.connectionString, directory: storage.directory)
        if self.database.isEmbedded {
            let supervisor = DatabaseSupervisor(
                database: self.database,
                blocking: self.services.node.blocking,
                logger: self.logger
            )
            self.inBackground { await supervisor.run() }
        }
    }

    private func stopDatabase() async {
        await self.services.node.blocking.step { [database, logger] () throws(Never) in
            do throws(PostgresError) {
                try database.stop()
            } catch {
                logger.warning("the private PostgreSQL did not stop", ["error": .text(error.description)])
            }
        }
    }

    private func makeStorage() -> ServerNode.Storage {
        let logger = self.logger
        let world = self.world
        var poolConfiguration = PostgresPool.Configuration(connectionString: self.database.connectionString)
        poolConfiguration.name = "directory"
        poolConfiguration.size = self.configuration.poolSize
        let pool = PostgresPool(poolConfiguration, clock: self.clock, log: { logger.log($0, component: "pool") })
        var directoryConfiguration = Directory.Configuration()
        directoryConfiguration.node = self.configuration.node
        directoryConfiguration.retention = self.configuration.retention
        directoryConfiguration.passwordCost = self.configuration.passwordCost
        directoryConfiguration.addressKey = self.configuration.secretKey.bytes
        let directory = Directory(
            pool: pool,
            configuration: directoryConfiguration,
            clock: self.clock,
            blocking: self.services.node.blocking,
            logins: self.services.node.logins
        )
        var journalConfiguration = Journal.Configuration(connectionString: self.database.connectionString)
        journalConfiguration.retentionDays = self.configuration.retentionDays
        let journal = Journal(
            journalConfiguration,
            clock: self.clock,
            log: { logger.log($0, component: "journal") },
            onCommitted: { world.send(.committed(through: $0, failed: $1, numbers: $2)) }
        )
        let changes = Changes(ChangeKind.all(self.services), directory: directory, logger: logger)
        return ServerNode.Storage(pool: pool, directory: directory, journal: journal, changes: changes)
    }

    /// Waits a moment until the journal owns the database, so that clients can say `hello` as soon as the log says
    /// `serving`.
    private func waitForJournal(_ journal: Journal) async {
        for _ in 0..<200 where journal.state == .connecting {
            try? await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Opens the map of streets, and looks every 10 s for a new one.
    private func openMap() async {
        let (services, logger) = (self.services, self.logger)
        await services.node.blocking.step { () throws(Never) in services.streets.refresh() }
        if services.streets.edition == nil {
            logger.info(
                "there is no map of streets; import one: muster import map FILE.osm.pbf",
                ["folder": .text(self.configuration.mapDirectory)]
            )
        }
        self.inBackground {
            while (try? await Task.sleep(for: .seconds(10))) != nil {
                await services.node.blocking.step { () throws(Never) in services.streets.refresh() }
            }
        }
    }

    private func maintain(_ directory: Directory) async {
        while !Task.isCancelled {
            do {
                try await Task.sleep(for: .seconds(3600))
                try await directory.maintain()
            } catch is CancellationError {
                return
            } catch {
                self.logger.warning("maintenance failed", ["error": .text(String(reflecting: error))])
            }
        }
    }

    private func inBackground(_ body: @escaping @Sendable () async -> Void) {
        self.background.withLock { $0.append(Task { await body() }) }
    }
}

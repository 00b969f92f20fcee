import EventLoop
import Foundation
package import Postgres
import Synchronization

/// A PostgreSQL server for the tests of one process, started at first use and removed when the process ends.
package final class ThrowawayCluster: Sendable {
    private struct State {
        var cluster: EmbeddedCluster
        var lastDatabase = 0
    }

    private static let theShared = SharedValue { try ThrowawayCluster() }

    /// The server that all tests of this process share.
    package static func shared() async throws -> ThrowawayCluster { try await self.theShared.value }

    /// A server for one caller, for tests that stop or kill it.
    package static func dedicated() async throws -> ThrowawayCluster {
        try await onWorkerThread { try ThrowawayCluster() }
    }

    /// Empties PostGIS's table of reference systems except for the row that is used: nearly half of a database.
    private static let shrinking = """
        DO $$
        BEGIN
            IF to_regclass('public.spatial_ref_sys') IS NOT NULL THEN
                CREATE TEMPORARY TABLE used ON COMMIT DROP AS SELECT * FROM spatial_ref_sys WHERE srid = 4326;
                TRUNCATE spatial_ref_sys;
                INSERT INTO spatial_ref_sys SELECT * FROM used;
            END IF;
        END $$
        """

    private let folder: String
    private let state: Mutex<State>
    private let watcher: FolderWatcher
    private let templates = Mutex<[String: SharedValue<String>]>([:])

    /// The folder of the clusters: a memory file system with enough room if there is one.
    ///
    /// A database has hundreds of files, which a file system on a disk creates several times slower.
    private static let parent: String = {
        var volume = statvfs()
        guard statvfs("/dev/shm", &volume) == 0, access("/dev/shm", W_OK) == 0 else { return "/tmp" }
        let memory = (try? String(contentsOfFile: "/proc/meminfo", encoding: .utf8)) ?? ""
        let free = memory.firstMatch(of: /MemAvailable: +([0-9]+) kB/).flatMap { UInt64($0.1) } ?? 0
        let needed = 6 << 30 as UInt64
        let isRoomy = UInt64(volume.f_bavail) * UInt64(volume.f_frsize) > needed && free * 1024 > needed
        return isRoomy ? "/dev/shm" : "/tmp"
    }()

    private init() throws {
        self.folder = "\(Self.parent)/muster-test-\(UUID().uuidString.prefix(8))"
        // Created before the server, so that any later failure is cleaned up.
        self.watcher = try FolderWatcher(cluster: self.folder, scratch: self.folder)
        self.state = Mutex(State(cluster: try EmbeddedCluster.start(folder: self.folder, durability: .relaxed)))
    }

    private var cluster: EmbeddedCluster { self.state.withLock(\.cluster) }

    /// The connection string of a database that all tests share, for tests that leave no data behind.
    package var connectionString: String { self.cluster.connectionString }

    /// Creates an empty database and returns its connection string.
    package func makeDatabase() async throws -> String { try await self.makeDatabase(template: "template1") }

    /// Creates an empty database with another locale.
    package func makeDatabase(locale: String) async throws -> String {
        try await self.makeDatabase(template: "template0 LC_COLLATE '\(locale)' LC_CTYPE '\(locale)'")
    }

    /// Creates a database with the migrations of `directory` applied.
    ///
    /// The template is created once per process and cloned.
    package func makeDatabase(migratedFrom directory: String) async throws -> String {
        let template = self.templates.withLock { templates in
            if let template = templates[directory] { return template }
            let name = "template_\(templates.count)"
            let template = SharedValue {
                try self.administer { try $0.execute("CREATE DATABASE \(name)") }
                try self.withSession(on: name) { session in
                    try Migrator(directory: directory).migrate(session)
                    try session.execute(Self.shrinking)
                }
                return name
            }
            templates[directory] = template
            return template
        }
        return try await self.makeDatabase(template: template.value)
    }

    /// Deletes a database of this cluster with its sessions.
    package func remove(_ connectionString: String) async throws {
        guard let name = connectionString.firstMatch(of: /test_[0-9]+/)?.output else { return }
        try await onWorkerThread { try self.administer { try $0.execute("DROP DATABASE \(name) WITH (FORCE)") } }
    }

    /// Terminates all sessions of the server except the caller's.
    package func killBackends() async throws {
        try await onWorkerThread {
            try self.administer { session in
                try session.execute(
                    """
                    SELECT pg_terminate_backend(pid) AS ended FROM pg_stat_activity
                    WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'
                    """
                )
            }
        }
    }

    /// Stops the server as in a crash.
    package func stopImmediately() async throws { try await self.stop(.immediate) }

    /// Stops the server.
    package func stop(_ mode: EmbeddedCluster.StopMode = .fast) async throws {
        try await onWorkerThread { try self.cluster.stop(mode) }
    }

    /// Kills the server's first process with SIGKILL, so that it cannot clean up.
    package func killServer() async throws {
        guard let process = self.cluster.serverProcess else { return }
        kill(process, SIGKILL)
        // Stopping a dead server only releases its folder.
        try await onWorkerThread {
            while self.cluster.serverProcess != nil { sched_yield() }
            try self.cluster.stop()
        }
    }

    /// Starts the server again.
    package func start() async throws {
        try await onWorkerThread {
            let cluster = try EmbeddedCluster.start(folder: self.folder, durability: .relaxed)
            self.state.withLock { $0.cluster = cluster }
        }
    }

    private func makeDatabase(template: String) async throws -> String {
        let number = self.state.withLock { state in
            state.lastDatabase += 1
            return state.lastDatabase
        }
        return try await onWorkerThread {
            // Copying files takes less time than copying pages through the log.
            try self.administer {
                try $0.execute("CREATE DATABASE test_\(number) TEMPLATE \(template) STRATEGY FILE_COPY")
            }
            return self.cluster.connectionString(database: "test_\(number)")
        }
    }

    /// Runs `body` in a superuser session; blocks.
    private func administer(_ body: (PostgresSession) throws -> Void) throws {
        try self.withSession(on: "postgres", body)
    }

    private func withSession(on database: String, _ body: (PostgresSession) throws -> Void) throws {
        let session = PostgresSession(
            connectionString: self.cluster.connectionString(database: database),
            timeout: .seconds(300)
        )
        try session.connectWithRetries()
        try body(session)
    }
}

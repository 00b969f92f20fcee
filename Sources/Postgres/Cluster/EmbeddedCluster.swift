package import EventLoop
import Glibc
import Synchronization

/// A private PostgreSQL server in a folder of its own, reached only by a unix socket.
///
/// The folder contains `data` (the cluster), `socket`, `log` and `lock`, which the process that uses the cluster keeps
/// locked. The server outlives a crash of this process. The next `start` adopts it if it still runs; otherwise it
/// recovers and starts it. All calls block: use them before serving, or on a separate thread.
package final class EmbeddedCluster: Sendable {
    /// The durability of commits when the machine fails.
    package enum Durability: Sendable {
        /// Every commit reaches the disk.
        case full
        /// Nothing is forced to disk, for temporary clusters.
        case relaxed
    }

    /// The lifetime of the server.
    package enum Lifetime: Sendable {
        /// It outlives a crash of this process, and the next start adopts it.
        case independent
        /// The system ends it when the thread that called `start` ends, for whatever reason.
        case thread
    }

    /// The action when the server's account may not enter the requested folder, which only happens if this process runs
    /// as root.
    package enum Placement: Sendable {
        /// An error, unless an earlier start has created the cluster elsewhere.
        case exactly
        /// The cluster is created below `/var/lib/muster`, with a log entry.
        case elsewhereWhenClosed
    }

    /// The way in which a server is stopped.
    package enum StopMode: Sendable {
        /// Ends all sessions, rolls back open transactions, and writes a checkpoint.
        case fast
        /// Ends at once, as in a crash. The next start recovers.
        case immediate
    }

    /// The database that is created on first use, and the name of its superuser.
    static let databaseName = "muster"

    /// The folder of the cluster; another than the requested one if the server's account could not enter that.
    package var folder: String { self.place.folder }

    /// A libpq connection string for the database `muster`.
    package let connectionString: String

    private let place: ClusterPlace
    private let tools: ServerTools
    private let durability: Durability
    private let lifetime: Lifetime
    /// Locked while the server is started or stopped, so that the two never overlap; nil after `stop`.
    private let lock: Mutex<FolderLock?>

    /// Creates the cluster in `folder` if there is none, starts it if it does not run, and creates the database
    /// `muster`.
    ///
    /// - Parameters:
    ///   - folder: the folder of the cluster; created when it is missing.
    ///   - placement: the action when the server's account may not enter the folder.
    ///   - durability: the durability of commits when the machine fails.
    ///   - lifetime: the lifetime of the server.
    ///   - timeout: the time limit of a start, including recovery after a crash.
    ///   - log: called when something is created, started, adopted, or placed elsewhere, with the reason.
    /// - Returns: the running cluster.
    /// - Throws: `cluster`, with the reason, and with the server's messages if there are any.
    package static func start(
        folder: String,
        placement: Placement = .exactly,
        durability: Durability = .full,
        lifetime: Lifetime = .independent,
        timeout: Duration = .seconds(60),
        log: @Sendable (LogEvent) -> Void = { _ in }
    ) throws(PostgresError) -> EmbeddedCluster {
        let place = try ClusterPlace(asked: folder, placement, log: log)
        let lock = try FolderLock(folder: place.folder)
        let tools = try ServerTools(place: place)
        let cluster = EmbeddedCluster(
            place: place,
            tools: tools,
            durability: durability,
            lifetime: lifetime,
            lock: lock
        )
        let deadline = Deadline(after: timeout, on: .system)
        if !place.exists("data/PG_VERSION") {
            log(LogEvent(.info, "creating a PostgreSQL cluster in \(place.folder)"))
            try tools.makeCluster(durability, lifetime)
        }
        if let process = place.runningServer() {
            log(
                LogEvent(
                    .info,
                    "using the PostgreSQL server that already runs in \(place.folder), process \(process)"
                )
            )
        } else {
            try tools.startServer(durability, lifetime, until: deadline)
            log(LogEvent(.info, "started PostgreSQL in \(place.folder), socket in \(place.socketFolder)"))
        }
        try cluster.makeDatabase(until: deadline)
        return cluster
    }

    /// Returns a libpq connection string for the database `muster` of a cluster whose server runs; nil when it does not
    /// run.
    ///
    /// - Parameter folder: the folder as passed to `start`.
    /// - Returns: the connection string, or nil.
    package static func connectionString(ofRunningIn folder: String) -> String? {
        guard let place = try? ClusterPlace(finding: folder, .elsewhereWhenClosed, log: { _ in }),
            place.runningServer() != nil
        else { return nil }
        return place.connectionString(database: self.databaseName)
    }

    /// Returns whether a cluster exists for a folder.
    ///
    /// Creates nothing.
    ///
    /// - Parameter folder: the folder as passed to `start`.
    /// - Returns: whether `start` would find a cluster.
    package static func exists(in folder: String) -> Bool {
        (try? ClusterPlace(finding: folder, .elsewhereWhenClosed, log: { _ in }))?.exists("data/PG_VERSION") ?? false
    }

    private init(
        place: ClusterPlace,
        tools: ServerTools,
        durability: Durability,
        lifetime: Lifetime,
        lock: FolderLock
    ) {
        self.place = place
        self.tools = tools
        self.durability = durability
        self.lifetime = lifetime
        self.lock = Mutex(lock)
        self.connectionString = place.connectionString(database: Self.databaseName)
    }

    /// Returns a libpq connection string for another database of the cluster.
    package func connectionString(database: String) -> String { self.place.connectionString(database: database) }

    /// Restarts the server if it has died.
    ///
    /// Without effect while it runs, and after `stop`.
    ///
    /// Returns when it has recovered and accepts sessions.
    ///
    /// - Returns: whether it had died.
    @discardableResult
    package func revive(timeout: Duration = .seconds(60)) throws(PostgresError) -> Bool {
        try self.lock.withLock { lock throws(PostgresError) in
            guard lock != nil, self.place.runningServer() == nil else { return false }
            try self.tools.startServer(self.durability, self.lifetime, until: Deadline(after: timeout, on: .system))
            return true
        }
    }

    /// Stops the server and waits for its end.
    ///
    /// Without effect when it does not run.
    package func stop(_ mode: StopMode = .fast) throws(PostgresError) {
        try self.lock.withLock { lock throws(PostgresError) in
            if let process = self.place.runningServer() {
                try self.tools.stopServer(mode)
                switch self.lifetime {
                case .independent: break
                // The server is our child.
                case .thread: waitpid(process, nil, 0)
                }
            }
            // A socket folder below /tmp, because the path was too long. The next start creates it again.
            if self.place.socketFolder != "\(self.folder)/socket" { rmdir(self.place.socketFolder) }
            lock = nil
        }
    }

    /// Deletes the cluster of a folder, and ends its server at once.
    ///
    /// No other process may be using it: the caller has stopped its own, or holds a lock that rules out others.
    ///
    /// - Parameters:
    ///   - folder: the folder as passed to `start`.
    ///   - placement: the placement as passed to `start`.
    /// - Throws: `cluster`, when the server does not end or the folder cannot be deleted.
    package static func remove(folder: String, placement: Placement = .exactly) throws(PostgresError) {
        let place = try ClusterPlace(finding: folder, placement, log: { _ in })
        let deadline = Deadline(after: .seconds(10), on: .system)
        while let process = place.runningServer() {
            kill(process, SIGQUIT)
            guard !deadline.hasPassed(on: .system) else {
                throw PostgresError(
                    .cluster,
                    message: "the PostgreSQL in \(place.folder), process \(process), does not end"
                )
            }
            WakeSignal().wait(timeoutMilliseconds: 20)
        }
        let removal = ChildProcess(
            arguments: ["/bin/rm", "-rf", place.folder],
            user: nil,
            folder: "/",
            outputFile: "/dev/null"
        )
        // Programs of a process that was killed may still write files there.
        while try removal.run().status != 0 {
            guard !deadline.hasPassed(on: .system) else {
                throw PostgresError(.cluster, message: "cannot delete \(place.folder)")
            }
            WakeSignal().wait(timeoutMilliseconds: 100)
        }
    }

    /// The server's process; nil when it does not run.
    package var serverProcess: Int32? { self.place.runningServer() }

    /// Waits until the server accepts sessions, and creates the database on the first start.
    private func makeDatabase(until deadline: Deadline) throws(PostgresError) {
        let session = PostgresSession(connectionString: self.connectionString(database: "postgres"))
        while true {
            do {
                try session.connect()
                break
            } catch {
                guard !deadline.hasPassed(on: .system) else { throw error }
                // An adopted server may still be recovering.
                WakeSignal().wait(timeoutMilliseconds: 100)
            }
        }
        let name = PostgresValue.text(Self.databaseName)
        if try session.execute("SELECT 1 AS one FROM pg_database WHERE datname = $1", [name]).isEmpty {
            try session.execute("CREATE DATABASE \(Self.databaseName)")
        }
    }
}

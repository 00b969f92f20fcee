package import EventLoop
import Glibc
import Synchronization

/// A private PostgreSQL server in a folder of its own, reached by a unix socket only.
///
/// The folder holds `data` (the cluster), `socket`, `log`, and `lock`, which the process that uses the cluster holds
/// locked. The server outlives a crash of this process; the next `start` adopts it when it still runs, and recovers
/// and starts it otherwise. All calls block: make them before serving, or on a thread of their own.
package final class EmbeddedCluster: Sendable {
    /// Whether a commit must survive the machine's failing.
    package enum Durability: Sendable {
        /// Every commit reaches the disk.
        case full
        /// Nothing is forced to disk: for throw-away clusters.
        case relaxed
    }

    /// What is done when the server's account may not enter the folder asked for, which only happens to root.
    package enum Placement: Sendable {
        /// That is an error, unless an earlier start has made the cluster elsewhere.
        case exactly
        /// The cluster lives below `/var/lib/muster`, and the log says so.
        case elsewhereWhenClosed
    }

    /// How a server is stopped.
    package enum StopMode: Sendable {
        /// Ends its sessions, rolls back what they were at, and writes everything down.
        case fast
        /// Ends at once, as in a crash; the next start recovers.
        case immediate
    }

    /// The database that is made at first use, and the name of its superuser.
    package static let databaseName = "muster"

    /// The folder that holds the cluster; not the one asked for when the server's account could not enter that.
    package var folder: String { self.place.folder }

    /// A libpq connection string for the database `muster`.
    package let connectionString: String

    private let place: ClusterPlace
    private let tools: ServerTools
    private let durability: Durability
    /// Held while the server is started or stopped, so that one never runs into the other; nil once it was stopped.
    private let lock: Mutex<FolderLock?>

    /// Makes the cluster in `folder` if there is none, starts it if it does not run, and makes the database `muster`.
    ///
    /// - Parameters:
    ///   - folder: where it lives; made when it is missing.
    ///   - placement: what is done when the server's account may not enter the folder.
    ///   - durability: whether commits survive the machine's failing.
    ///   - timeout: how long a start may take, recovery after a crash included.
    ///   - log: told what is made, started, adopted, or placed elsewhere, and why.
    /// - Returns: the running cluster.
    /// - Throws: `cluster`, with the reason, and what the server said where it said something.
    package static func start(
        folder: String,
        placement: Placement = .exactly,
        durability: Durability = .full,
        timeout: Duration = .seconds(60),
        log: @Sendable (LogEvent) -> Void = { _ in }
    ) throws(PostgresError) -> EmbeddedCluster {
        let place = try ClusterPlace(asked: folder, placement, log: log)
        let lock = try FolderLock(folder: place.folder)
        let tools = try ServerTools(place: place)
        let cluster = EmbeddedCluster(place: place, tools: tools, durability: durability, lock: lock)
        let deadline = Deadline(after: timeout, on: .system)
        if !place.exists("data/PG_VERSION") {
            log(LogEvent(.info, "making a PostgreSQL cluster in \(place.folder)"))
            try tools.makeCluster(durability)
        }
        if let process = place.runningServer() {
            log(
                LogEvent(
                    .info,
                    "adopted the PostgreSQL server that runs in \(place.folder), process \(process)"
                )
            )
        } else {
            try tools.startServer(durability, until: deadline)
            log(LogEvent(.info, "started PostgreSQL in \(place.folder), socket in \(place.socketFolder)"))
        }
        try cluster.makeDatabase(until: deadline)
        return cluster
    }

    /// A libpq connection string for the database `muster` of a cluster whose server runs; nil when none does.
    ///
    /// - Parameter folder: the folder that its `start` was asked for.
    /// - Returns: the connection string, or nil.
    package static func connectionString(ofRunningIn folder: String) -> String? {
        guard let place = try? ClusterPlace(finding: folder, .elsewhereWhenClosed, log: { _ in }),
            place.runningServer() != nil
        else { return nil }
        return place.connectionString(database: self.databaseName)
    }

    /// Whether a cluster has been made for a folder; makes nothing.
    ///
    /// - Parameter folder: the folder that its `start` would be asked for.
    /// - Returns: whether `start` would find one.
    package static func exists(in folder: String) -> Bool {
        (try? ClusterPlace(finding: folder, .elsewhereWhenClosed, log: { _ in }))?.exists("data/PG_VERSION") ?? false
    }

    private init(place: ClusterPlace, tools: ServerTools, durability: Durability, lock: FolderLock) {
        self.place = place
        self.tools = tools
        self.durability = durability
        self.lock = Mutex(lock)
        self.connectionString = place.connectionString(database: Self.databaseName)
    }

    /// A libpq connection string for another database of the cluster.
    package func connectionString(database: String) -> String { self.place.connectionString(database: database) }

    /// Starts the server again when it has died; does nothing while it runs, and after `stop`.
    ///
    /// Returns when it has recovered and takes sessions.
    ///
    /// - Returns: whether it had died.
    @discardableResult
    package func revive(timeout: Duration = .seconds(60)) throws(PostgresError) -> Bool {
        try self.lock.withLock { lock throws(PostgresError) in
            guard lock != nil, self.place.runningServer() == nil else { return false }
            try self.tools.startServer(self.durability, until: Deadline(after: timeout, on: .system))
            return true
        }
    }

    /// Stops the server and waits for it; does nothing when it does not run.
    package func stop(_ mode: StopMode = .fast) throws(PostgresError) {
        try self.lock.withLock { lock throws(PostgresError) in
            if self.place.runningServer() != nil { try self.tools.stopServer(mode) }
            // Made below /tmp when the path was too long; the next start makes it again.
            if self.place.socketFolder != "\(self.folder)/socket" { rmdir(self.place.socketFolder) }
            lock = nil
        }
    }

    /// The process of the server, while it runs.
    package var serverProcess: Int32? { self.place.runningServer() }

    /// Waits until the server takes sessions, and makes the database if this is the first time.
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

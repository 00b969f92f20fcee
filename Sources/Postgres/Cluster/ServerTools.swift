import EventLoop
import Glibc

/// The programs of a PostgreSQL installation, run on one cluster.
struct ServerTools: Sendable {
    private let programs: String
    private let place: ClusterPlace
    private var data: String { "\(self.place.folder)/data" }

    /// Finds the installation of the version that created the cluster, or the newest one.
    init(place: ClusterPlace) throws(PostgresError) {
        self.place = place
        let made = readFile("\(place.folder)/data/PG_VERSION").map { String(decoding: $0, as: UTF8.self) }
        let version = made.flatMap { Int($0.prefix { $0.isNumber }) }
        let installed = (listFolder("/usr/lib/postgresql") ?? []).compactMap(Int.init).sorted(by: >)
        let candidates = installed.map { (version: Int?($0), folder: "/usr/lib/postgresql/\($0)/bin") } + searchPath()
        let match = candidates.first { candidate in
            let isRight = version == nil || candidate.version == nil || candidate.version == version
            return isRight && access("\(candidate.folder)/initdb", X_OK) == 0
        }
        guard let match else {
            let wanted =
                version.map { "PostgreSQL \($0), which created the cluster in \(place.folder)," } ?? "PostgreSQL"
            throw PostgresError(.cluster, message: "\(wanted) is not installed (Debian: apt install postgresql)")
        }
        self.programs = match.folder
    }

    /// Creates the cluster.
    ///
    /// Starts over if an earlier attempt crashed.
    func makeCluster(
        _ durability: EmbeddedCluster.Durability,
        _ lifetime: EmbeddedCluster.Lifetime
    ) throws(PostgresError) {
        let unfinished = "\(self.data).new"
        try self.run("/bin/rm", ["-rf", unfinished], folder: self.place.folder)
        var arguments = [
            "--pgdata=\(unfinished)", "--username=\(EmbeddedCluster.databaseName)", "--auth=trust", "--encoding=UTF8",
            "--locale=C.UTF-8", "--no-instructions",
        ]
        switch durability {
        case .full: arguments.append("--data-checksums")
        case .relaxed: arguments.append("--no-sync")
        }
        try self.run(
            "\(self.programs)/initdb",
            arguments,
            folder: self.place.folder,
            boundToThread: lifetime == .thread
        )
        guard rename(unfinished, self.data) == 0 else {
            throw PostgresError(.cluster, message: "cannot name \(self.data): \(systemMessage())")
        }
    }

    /// Starts the server and waits until it accepts sessions; a server that is bound to its thread may need a moment
    /// more.
    func startServer(
        _ durability: EmbeddedCluster.Durability,
        _ lifetime: EmbeddedCluster.Lifetime,
        until deadline: Deadline
    ) throws(PostgresError) {
        try self.disownPidFile()
        // The socket's lock file contains the same process number. Only a server of this cluster can have created it.
        unlink("\(self.place.socketFolder)/.s.PGSQL.5432.lock")
        let settings = "\(self.data)/muster.conf"
        guard writeFile(settings, self.configuration(durability)) else {
            throw PostgresError(.cluster, message: "cannot write \(settings): \(systemMessage())")
        }
        if let user = self.place.user { lchown(settings, user.id, user.group) }
        switch lifetime {
        case .independent: break
        case .thread:
            try self.startBoundServer(settings, until: deadline)
            return
        }
        while true {
            rename(self.serverLog, "\(self.serverLog).old")
            do {
                let seconds = max(1, Int(deadline.pollTimeout(on: .system)) / 1000)
                try self.run(
                    "\(self.programs)/pg_ctl",
                    [
                        "--pgdata=\(self.data)", "--wait", "--timeout=\(seconds)", "--log=\(self.serverLog)",
                        "--options=-c config_file=\(shellQuoted(settings))", "start",
                    ],
                    folder: self.data
                )
                return
            } catch {
                let said = readFile(self.serverLog, limit: 2048).map { String(decoding: $0, as: UTF8.self) } ?? ""
                // The children of a killed server need a moment to exit.
                guard said.contains("shared memory block"), !deadline.hasPassed(on: .system) else {
                    let lines = said.split(separator: "\n").suffix(6).joined(separator: "; ")
                    throw PostgresError(.cluster, message: "\(error.message); \(lines)")
                }
                WakeSignal().wait(timeoutMilliseconds: 100)
            }
        }
    }

    /// Starts the server as a child that ends with the calling thread, and waits until its socket exists.
    private func startBoundServer(_ settings: String, until deadline: Deadline) throws(PostgresError) {
        let server = ChildProcess(
            arguments: ["\(self.programs)/postgres", "-D", self.data, "-c", "config_file=\(settings)"],
            user: self.place.user,
            folder: self.data,
            outputFile: self.serverLog
        )
        let process = try server.start(boundToThread: true)
        while access("\(self.place.socketFolder)/.s.PGSQL.5432", F_OK) != 0 {
            let hasEnded = waitpid(process, nil, WNOHANG) == process
            guard !hasEnded, !deadline.hasPassed(on: .system) else {
                if !hasEnded { kill(process, SIGKILL) }
                let said = readFile(self.serverLog, limit: 2048).map { String(decoding: $0, as: UTF8.self) } ?? ""
                let lines = said.split(separator: "\n").suffix(6).joined(separator: "; ")
                throw PostgresError(.cluster, message: "the PostgreSQL in \(self.place.folder) did not start: \(lines)")
            }
            WakeSignal().wait(timeoutMilliseconds: 20)
        }
    }

    /// Stops the server and waits for its end.
    func stopServer(_ mode: EmbeddedCluster.StopMode) throws(PostgresError) {
        let mode =
            switch mode {
            case .fast: "fast"
            case .immediate: "immediate"
            }
        try self.run(
            "\(self.programs)/pg_ctl",
            ["--pgdata=\(self.data)", "--wait", "--timeout=60", "--mode=\(mode)", "stop"],
            folder: self.data
        )
    }

    private var serverLog: String { "\(self.place.folder)/log/postgres.log" }

    /// Invalidates the process number in `postmaster.pid` when the server is gone but the number is in use.
    ///
    /// The number may belong to an unrelated process, or to the dead server as a zombie. PostgreSQL would mistake
    /// either for a running server and refuse to start. The file must stay, because it also identifies the shared
    /// memory in which children of the dead server may still work. So only the number is replaced, by one that no
    /// process can have.
    private func disownPidFile() throws(PostgresError) {
        let path = "\(self.data)/postmaster.pid"
        guard let recorded = self.place.recordedServer(), kill(recorded, 0) == 0 || errno == EPERM,
            let content = readFile(path)
        else { return }
        let rest = content.drop { $0 != UInt8(ascii: "\n") }
        guard writeFile(path, "\(Int32.max - 1)\(String(decoding: rest, as: UTF8.self))") else {
            throw PostgresError(.cluster, message: "cannot write \(path): \(systemMessage())")
        }
    }

    /// Returns the whole configuration.
    ///
    /// All other settings have PostgreSQL's defaults.
    private func configuration(_ durability: EmbeddedCluster.Durability) -> String {
        // Temporary clusters serve many concurrent tests, whose databases autovacuum would visit in turn.
        let (forced, connections, more) =
            switch durability {
            case .full: ("on", 50, "")
            case .relaxed: ("off", 1000, "autovacuum = off\nshared_preload_libraries = 'postgis-3'")
            }
        return """
            # Written anew at each start.
            listen_addresses = ''
            port = 5432
            unix_socket_directories = '\(self.place.socketFolder.replacing("'", with: "''"))'
            unix_socket_permissions = 0700
            max_connections = \(connections)
            shared_buffers = '128MB'
            max_wal_size = '512MB'
            jit = off
            timezone = 'UTC'
            log_timezone = 'UTC'
            lc_messages = 'C'
            fsync = \(forced)
            full_page_writes = \(forced)
            log_checkpoints = off
            log_line_prefix = '%m [%p] %u@%d '
            \(more)

            """
    }

    @discardableResult
    private func run(
        _ program: String,
        _ arguments: [String],
        folder: String,
        boundToThread isBound: Bool = false
    ) throws(PostgresError) -> String {
        let output = "\(self.place.folder)/log/tools.log"
        let child = ChildProcess(
            arguments: [program] + arguments,
            user: self.place.user,
            folder: folder,
            outputFile: output
        )
        let ending = try child.run(boundToThread: isBound)
        guard ending.status == 0 else {
            let said = ending.output.split(separator: "\n").suffix(8).joined(separator: "; ")
            throw PostgresError(.cluster, message: "\(program) failed with status \(ending.status): \(said)")
        }
        return ending.output
    }
}

/// Returns the folders of `PATH`, whose versions are unknown.
func searchPath() -> [(version: Int?, folder: String)] {
    guard let path = getenv("PATH") else { return [] }
    return String(cString: path).split(separator: ":").map { (version: nil, folder: String($0)) }
}

/// Quotes a word for `sh`, through which `pg_ctl` passes its options.
private func shellQuoted(_ word: String) -> String {
    "'\(word.replacing("'", with: #"'\''"#))'"
}

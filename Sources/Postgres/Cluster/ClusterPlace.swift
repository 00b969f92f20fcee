import EventLoop
import Glibc

/// The folders of a private cluster and the account of its server.
struct ClusterPlace: Sendable {
    /// The maximum length of a unix socket path, without the terminating NUL.
    private static let longestSocketPath = 107

    /// The folder of the cluster: absolute, and used for nothing else.
    let folder: String
    /// The folder of the socket: absolute, and used for nothing else.
    let socketFolder: String
    /// The account of the server; `nil` for our own account.
    let user: SystemUser?

    /// Chooses and creates the folders.
    init(asked: String, _ placement: EmbeddedCluster.Placement, log: (LogEvent) -> Void) throws(PostgresError) {
        try self.init(finding: asked, placement, log: log)
        try makeFolders(self.folder)
        for path in [self.folder, "\(self.folder)/log", self.socketFolder] {
            try makePrivate(path, owner: self.user)
        }
    }

    /// Chooses the folders without creating them.
    ///
    /// PostgreSQL refuses to run as root, so the account `postgres` or `nobody` owns the cluster then. If that account
    /// may not enter the requested folder, the cluster is below `/var/lib/muster`. This requires that `placement`
    /// allows it, or that such a cluster already exists.
    init(
        finding asked: String,
        _ placement: EmbeddedCluster.Placement,
        log: (LogEvent) -> Void
    ) throws(PostgresError) {
        let asked = try makeAbsolute(asked)
        let key = hexadecimal(hash(asked))
        if geteuid() == 0 {
            guard let user = SystemUser(named: "postgres") ?? SystemUser(named: "nobody") else {
                throw PostgresError(.cluster, message: "PostgreSQL cannot run as root, and no account for it exists")
            }
            self.user = user
        } else {
            self.user = nil
        }
        if let user = self.user, let barrier = firstBarrier(to: asked, for: user) {
            let elsewhere = "/var/lib/muster/\(key)"
            let reason = "PostgreSQL runs as \(user.name), which may not enter \(barrier)"
            guard placement == .elsewhereWhenClosed || access("\(elsewhere)/data/PG_VERSION", F_OK) == 0 else {
                let advice =
                    "choose a folder that it may enter, such as /var/lib/muster/data, or run chmod o+x \(barrier)"
                throw PostgresError(.cluster, message: "no PostgreSQL cluster in \(asked): \(reason); \(advice)")
            }
            self.folder = elsewhere
            log(LogEvent(.warning, "the PostgreSQL cluster of \(asked) is in \(self.folder): \(reason)"))
        } else {
            self.folder = asked
        }
        let socketFolder = "\(self.folder)/socket"
        // libpq and the server both treat a comma as the end of a path.
        if "\(socketFolder)/.s.PGSQL.5432".utf8.count > Self.longestSocketPath || socketFolder.contains(",") {
            self.socketFolder = "/tmp/muster-\(getuid())-\(key)"
            log(
                LogEvent(
                    .info,
                    "the socket is in \(self.socketFolder), because the path of the folder is too long for a socket"
                )
            )
        } else {
            self.socketFolder = socketFolder
        }
    }

    /// Returns whether a path inside the folder exists.
    func exists(_ path: String) -> Bool { access("\(self.folder)/\(path)", F_OK) == 0 }

    /// Returns a libpq connection string for a database of the cluster.
    func connectionString(database: String) -> String {
        let host = self.socketFolder.flatMap { "\\'".contains($0) ? "\\\($0)" : "\($0)" }
        return "host='\(String(host))' port=5432 user=\(EmbeddedCluster.databaseName) dbname=\(database)"
    }

    /// Returns the process in `postmaster.pid`, if it is alive and is a server of this folder.
    ///
    /// After a crash of the machine the number may belong to another process. A server's working directory is its data
    /// folder.
    func runningServer() -> pid_t? {
        guard let process = self.recordedServer(), kill(process, 0) == 0 || errno == EPERM else { return nil }
        var link = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        guard readlink("/proc/\(process)/cwd", &link, Int(PATH_MAX)) > 0,
            let data = realpath("\(self.folder)/data", nil)
        else { return nil }
        defer { free(data) }
        return strcmp(link, data) == 0 ? process : nil
    }

    /// Returns the process in `postmaster.pid`, alive or not.
    func recordedServer() -> pid_t? {
        guard let content = readFile("\(self.folder)/data/postmaster.pid") else { return nil }
        let firstLine = content.prefix { $0 != UInt8(ascii: "\n") }
        // A server in single-user mode writes a negative number.
        return pid_t(String(decoding: firstLine, as: UTF8.self)).map(abs)
    }
}

private func makeAbsolute(_ path: String) throws(PostgresError) -> String {
    guard !path.hasPrefix("/") else { return path }
    guard let current = getcwd(nil, 0) else {
        throw PostgresError(.cluster, message: "the current folder no longer exists: \(systemMessage())")
    }
    defer { free(current) }
    return "\(String(cString: current))/\(path)"
}

/// Returns the first existing folder on the way to `path` that `user` may not enter.
private func firstBarrier(to path: String, for user: SystemUser) -> String? {
    var ancestor = ""
    for name in path.split(separator: "/").dropLast() {
        ancestor += "/\(name)"
        var status = stat()
        // Missing folders are created so that every account may enter them.
        guard stat(ancestor, &status) == 0 else { return nil }
        let needed: mode_t =
            if status.st_uid == user.id { S_IXUSR } else if status.st_gid == user.group { S_IXGRP } else { S_IXOTH }
        if status.st_mode & needed == 0 { return ancestor }
    }
    return nil
}

private func makeFolders(_ path: String) throws(PostgresError) {
    var ancestor = ""
    for name in path.split(separator: "/") {
        ancestor += "/\(name)"
        guard access(ancestor, F_OK) != 0 else { continue }
        guard mkdir(ancestor, 0o755) == 0 || errno == EEXIST else {
            throw PostgresError(.cluster, message: "cannot create \(ancestor): \(systemMessage())")
        }
        // Independent of the umask.
        chmod(ancestor, 0o755)
    }
}

/// Creates a folder that only `owner` may enter, or takes over an existing one of ours.
private func makePrivate(_ path: String, owner: SystemUser?) throws(PostgresError) {
    let isMade = mkdir(path, 0o700) == 0
    var status = stat()
    // Not `stat`, because below /tmp another user could have created a link with this name.
    guard isMade || errno == EEXIST, lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
        throw PostgresError(.cluster, message: "cannot create the folder \(path): \(systemMessage())")
    }
    let isOurs = status.st_uid == geteuid() || status.st_uid == owner?.id
    guard isOurs else { throw PostgresError(.cluster, message: "the folder \(path) belongs to another user") }
    let ownerID = owner?.id ?? geteuid()
    let groupID = owner?.group ?? getegid()
    guard chown(path, ownerID, groupID) == 0, chmod(path, 0o700) == 0 else {
        throw PostgresError(.cluster, message: "cannot restrict the permissions of \(path): \(systemMessage())")
    }
}

/// Returns the error message of the last system call.
func systemMessage() -> String { String(cString: strerror(errno)) }

/// Returns the FNV-1a hash, which is the same in every run.
private func hash(_ text: String) -> UInt64 {
    text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
}

private func hexadecimal(_ number: UInt64) -> String { String(number, radix: 16) }

import EventLoop
import Foundation
import MusterTestSupport
import Synchronization
import Testing

@testable import Postgres

@Suite struct EmbeddedClusterTests {
    /// Runs `body` with a folder for one cluster, which is stopped and deleted with the test.
    private func withFolder(
        _ name: String = "cluster",
        _ body: @escaping @Sendable (String) throws -> Void
    ) async throws {
        let scratch = "/tmp/muster-test-\(UUID().uuidString.prefix(8))"
        let watched = "\(scratch)/\(name)"
        try await onWorkerThread {
            let watcher = try FolderWatcher(cluster: watched, scratch: scratch)
            try withExtendedLifetime(watcher) { try body(watched) }
        }
    }

    private static func write(_ number: Int64, to cluster: EmbeddedCluster) throws {
        let session = PostgresSession(connectionString: cluster.connectionString)
        try session.connectWithRetries()
        try session.executeScript("CREATE TABLE IF NOT EXISTS t (n bigint)")
        try session.execute("INSERT INTO t VALUES ($1)", [.int64(number)])
    }

    private static func read(_ cluster: EmbeddedCluster) throws -> [Int64] {
        let session = PostgresSession(connectionString: cluster.connectionString)
        try session.connectWithRetries()
        return try session.execute("SELECT n FROM t ORDER BY n").map { try $0.int64("n") }
    }

    @Test("a cluster is made at first use, durable, private, and there again at the next start")
    func firstUse() async throws {
        try await self.withFolder { folder in
            let cluster = try EmbeddedCluster.start(folder: folder)
            try Self.write(1, to: cluster)
            let session = PostgresSession(connectionString: cluster.connectionString)
            try session.connectWithRetries()
            let settings = try session.execute(
                "SELECT current_setting('fsync') AS fsync, current_setting('listen_addresses') AS addresses"
            )
            #expect(try settings[0].text("fsync") == "on")
            #expect(try settings[0].text("addresses") == "")
            for path in [folder, "\(folder)/socket", "\(folder)/data"] {
                let attributes = try FileManager.default.attributesOfItem(atPath: path)
                #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o700, "\(path)")
            }
            try cluster.stop()
            #expect(cluster.serverProcess == nil)
            let again = try EmbeddedCluster.start(folder: folder)
            #expect(try Self.read(again) == [1])
            try again.stop()
        }
    }

    @Test("the server does not run as root", .enabled(if: geteuid() == 0))
    func unprivileged() async throws {
        try await self.withFolder { folder in
            let cluster = try EmbeddedCluster.start(folder: folder, durability: .relaxed)
            let process = try #require(cluster.serverProcess)
            let attributes = try FileManager.default.attributesOfItem(atPath: "/proc/\(process)")
            #expect((attributes[.ownerAccountID] as? NSNumber)?.intValue != 0)
            try cluster.stop()
        }
    }

    @Test(
        "a folder that the server's account may not enter is refused; the default one moves, says where, and is found again",
        .enabled(if: geteuid() == 0)
    )
    func closedFolder() async throws {
        try await self.withFolder("closed/cluster") { folder in
            let closed = String(folder.dropLast("/cluster".count))
            try FileManager.default.createDirectory(atPath: closed, withIntermediateDirectories: true)
            #expect(chmod(closed, 0o700) == 0)
            let refusal = #expect(throws: PostgresError.self) {
                _ = try EmbeddedCluster.start(folder: folder, durability: .relaxed)
            }
            #expect(refusal?.code == .cluster)
            #expect(refusal?.message.contains("may not enter \(closed)") == true)
            #expect(refusal?.message.contains("chmod o+x \(closed)") == true)
            #expect(try FileManager.default.contentsOfDirectory(atPath: closed).isEmpty)
            let warnings = Mutex<[String]>([])
            let cluster = try EmbeddedCluster.start(
                folder: folder,
                placement: .elsewhereWhenClosed,
                durability: .relaxed
            ) { entry in
                if entry.level == .warning { warnings.withLock { $0.append(entry.message) } }
            }
            defer { try? FileManager.default.removeItem(atPath: cluster.folder) }
            try Self.write(1, to: cluster)
            #expect(EmbeddedCluster.connectionString(ofRunningIn: folder) == cluster.connectionString)
            try cluster.stop()
            #expect(EmbeddedCluster.connectionString(ofRunningIn: folder) == nil)
            #expect(cluster.folder.hasPrefix("/var/lib/muster/"))
            #expect(
                warnings.withLock {
                    $0.contains { $0.contains("may not enter \(closed)") && $0.contains(cluster.folder) }
                }
            )
            // Simulates a move by an earlier server, without a request.
            let again = try EmbeddedCluster.start(folder: folder, durability: .relaxed)
            #expect(try Self.read(again) == [1])
            try again.stop()
        }
    }

    @Test("after kill -9 of the server, the next start recovers what was committed")
    func serverKilled() async throws {
        try await self.withFolder { folder in
            let cluster = try EmbeddedCluster.start(folder: folder)
            try Self.write(1, to: cluster)
            kill(try #require(cluster.serverProcess), SIGKILL)
            while cluster.serverProcess != nil { sched_yield() }
            try cluster.stop()
            let again = try EmbeddedCluster.start(folder: folder)
            #expect(try Self.read(again) == [1])
            try again.stop()
        }
    }

    @Test(
        "a server that died while it was used is started again with what was committed, a stopped one is not",
        arguments: [SIGKILL, SIGQUIT]
    )
    func revival(signal: Int32) async throws {
        try await self.withFolder { folder in
            let cluster = try EmbeddedCluster.start(folder: folder)
            try Self.write(1, to: cluster)
            #expect(try !cluster.revive(), "it runs")
            let first = try #require(cluster.serverProcess)
            kill(first, signal)
            while cluster.serverProcess != nil { sched_yield() }
            #expect(try cluster.revive())
            #expect(cluster.serverProcess != nil && cluster.serverProcess != first)
            try Self.write(2, to: cluster)
            #expect(try Self.read(cluster) == [1, 2])
            try cluster.stop()
            #expect(try !cluster.revive())
            #expect(cluster.serverProcess == nil)
        }
    }

    @Test("a server that outlived its user is adopted, and a second user is turned away")
    func adopts() async throws {
        try await self.withFolder { folder in
            let server: Int32?
            do {
                let cluster = try EmbeddedCluster.start(folder: folder, durability: .relaxed)
                try Self.write(1, to: cluster)
                server = cluster.serverProcess
                let refused = #expect(throws: PostgresError.self) { _ = try EmbeddedCluster.start(folder: folder) }
                #expect(refused?.message.contains("another server uses") == true)
                // The object is released without `stop`, as in a crash: its lock is released, and the server keeps
                // running.
            }
            let again = try EmbeddedCluster.start(folder: folder, durability: .relaxed)
            #expect(again.serverProcess == server)
            #expect(try Self.read(again) == [1])
            try again.stop()
        }
    }

    @Test("a stale pid file, be its number free or taken by a stranger, does not keep the server from starting")
    func stalePidFile() async throws {
        try await self.withFolder { folder in
            var cluster = try EmbeddedCluster.start(folder: folder, durability: .relaxed)
            let free = try #require(cluster.serverProcess)
            try cluster.stop()
            // A stopping server closes its files a moment before its process id is free.
            #expect(eventually { Self.hasExited(free) })
            for number in [free, getpid()] {
                let stale = "\(number)\n\(folder)/data\n1\n5432\n\(folder)/socket\n\n"
                try Data(stale.utf8).write(to: URL(fileURLWithPath: "\(folder)/data/postmaster.pid"))
                cluster = try EmbeddedCluster.start(folder: folder, durability: .relaxed)
                #expect(cluster.serverProcess != number)
                try cluster.stop()
            }
        }
    }

    /// Whether a process has ended, or is a zombie.
    private static func hasExited(_ process: Int32) -> Bool {
        guard let state = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return true }
        return state.contains(") Z ")
    }

    @Test("a first start that was cut short is made good")
    func unfinishedCluster() async throws {
        try await self.withFolder { folder in
            try EmbeddedCluster.start(folder: folder, durability: .relaxed).stop()
            #expect(rename("\(folder)/data", "\(folder)/data.new") == 0)
            let cluster = try EmbeddedCluster.start(folder: folder, durability: .relaxed)
            try Self.write(1, to: cluster)
            try cluster.stop()
        }
    }

    @Test(
        "odd and long paths work",
        arguments: ["with space and 'quote'", String(repeating: "long", count: 25), "comma,comma"]
    )
    func paths(name: String) async throws {
        try await self.withFolder(name) { folder in
            let cluster = try EmbeddedCluster.start(folder: folder, durability: .relaxed)
            try Self.write(1, to: cluster)
            try cluster.stop()
        }
    }
}

import EventLoop
import Foundation
import Glibc
import MusterTestSupport
import Postgres
import Testing

@Suite("A server that cannot start", .blocking)
struct StartupErrorTests {
    /// The environment of a server.
    struct Scene {
        /// The test's own folder, with the files that the row has written.
        let folder: String
        /// The database of a running server, its port, and its metrics port.
        let database: String
        let port: UInt16
        let metricsPort: UInt16
    }

    /// A configuration error, and the expected error line: the option, the cause, and a remedy.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var status: Int32 = 1
        /// Prepares the folder; the returned object is kept until the end.
        var prepare: @Sendable (Scene) throws -> AnyObject? = { _ in nil }
        let options: @Sendable (Scene) -> [String]
        let says: [String]
    }

    static let rows = [
        Row(
            testDescription: "the port is taken",
            options: { ["--listen", "127.0.0.1:\($0.port)", "--database-url", $0.database] },
            says: ["--listen: 127.0.0.1:", "in use", "another port"]
        ),
        Row(
            testDescription: "the port for metrics is taken",
            options: {
                Self.free + ["--metrics-listen", "127.0.0.1:\($0.metricsPort)", "--database-url", $0.database]
            },
            says: ["--metrics-listen: 127.0.0.1:", "in use", "another port"]
        ),
        Row(
            testDescription: "the address is another machine's",
            options: { ["--listen", "192.0.2.1:0", "--database-url", $0.database] },
            says: ["--listen: 192.0.2.1:0", "does not have this address", "0.0.0.0"]
        ),
        Row(
            testDescription: "another server has the data folder",
            prepare: { try FolderLockHolder("\($0.folder)/data/postgres") },
            options: { Self.free + ["--data-dir", "\($0.folder)/data"] },
            says: ["--data-dir", "/data", "another server uses", "Use a folder"]
        ),
        Row(
            testDescription: "the data folder cannot be made",
            prepare: { scene in
                _ = FileManager.default.createFile(atPath: "\(scene.folder)/file", contents: nil)
                return nil
            },
            options: { Self.free + ["--data-dir", "\($0.folder)/file"] },
            says: ["--data-dir", "/file", "Use a folder"]
        ),
        Row(
            testDescription: "PostgreSQL does not know the user",
            options: { Self.free + ["--database-url", $0.database.replacing("user=muster", with: "user=nobody")] },
            says: ["--database-url", "role \"nobody\" does not exist", "pg_hba.conf"]
        ),
        Row(
            testDescription: "there is no such database",
            options: { Self.free + ["--database-url", $0.database.replacing(/dbname=\w+/, with: "dbname=nowhere")] },
            says: ["--database-url", "database \"nowhere\" does not exist", "createdb"]
        ),
        Row(
            testDescription: "the user may not make PostGIS",
            prepare: { scene in
                let session = PostgresSession(connectionString: scene.database)
                try session.connectWithRetries()
                try session.execute("CREATE ROLE plain LOGIN")
                try session.execute("CREATE DATABASE plain OWNER plain")
                return nil
            },
            options: {
                Self.free + [
                    "--database-url",
                    $0.database.replacing("user=muster", with: "user=plain").replacing(
                        /dbname=\w+/,
                        with: "dbname=plain"
                    ),
                ]
            },
            says: ["--database-url", "permission denied to create extension", "CREATE EXTENSION postgis"]
        ),
        Row(
            testDescription: "the database is a newer Muster's",
            prepare: { scene in
                let session = PostgresSession(connectionString: scene.database)
                try session.connectWithRetries()
                try session.execute("CREATE DATABASE newer")
                let newer = PostgresSession(
                    connectionString: scene.database.replacing(/dbname=\w+/, with: "dbname=newer")
                )
                try newer.connectWithRetries()
                try Migrator(directory: MusterProcess.checkout.appending(path: "sql/migrations").path).migrate(newer)
                try newer.execute("INSERT INTO muster.schema_migration VALUES (9999, 'tomorrow', 'x')")
                return nil
            },
            options: { Self.free + ["--database-url", $0.database.replacing(/dbname=\w+/, with: "dbname=newer")] },
            says: ["--sql-dir", "9999 (tomorrow) was applied", "newer"]
        ),
        Row(
            testDescription: "the URL of the database is none",
            status: 2,
            options: { _ in Self.free + ["--database-url", "postgresql://[::1/x"] },
            says: ["--database-url", "postgresql://user@host/database"]
        ),
        Row(
            testDescription: "the certificate is none",
            prepare: Self.makeCertificates,
            options: {
                Self.free + [
                    "--database-url", $0.database, "--tls-cert", "\($0.folder)/a.key", "--tls-key",
                    "\($0.folder)/a.key",
                ]
            },
            says: ["--tls-cert", "--tls-key", "a.key", "PEM"]
        ),
        Row(
            testDescription: "certificate and key do not belong together",
            prepare: Self.makeCertificates,
            options: {
                Self.free + [
                    "--database-url", $0.database, "--tls-cert", "\($0.folder)/a.pem", "--tls-key",
                    "\($0.folder)/b.key",
                ]
            },
            says: ["--tls-cert", "a.pem", "b.key", "its private key"]
        ),
        Row(
            testDescription: "the certificate is missing",
            status: 2,
            options: { ["--tls-cert", "\($0.folder)/nowhere.pem", "--tls-key", "\($0.folder)/nowhere.key"] },
            says: ["--tls-cert", "nowhere.pem", "read"]
        ),
        Row(
            testDescription: "the page's configuration still names raster tiles",
            status: 2,
            prepare: { scene in
                let file = "\(scene.folder)/config.json"
                try #"{"tiles": {"url": null}, "zoom": 3}"#.write(toFile: file, atomically: true, encoding: .utf8)
                return nil
            },
            options: { ["--public-dir", $0.folder] },
            says: ["config.json", "--raster-tiles", "muster import map"]
        ),
        Row(
            testDescription: "raster tiles have no attribution",
            status: 2,
            options: { _ in ["--raster-tiles", "https://tile.example/{z}/{x}/{y}.png"] },
            says: ["--raster-tiles requires --raster-attribution"]
        ),
        Row(
            testDescription: "the address of raster tiles has no column",
            status: 2,
            options: { _ in ["--raster-tiles", "https://tile.example/{z}/{y}.png", "--raster-attribution", "A"] },
            says: ["--raster-tiles", "{x}"]
        ),
        Row(
            testDescription: "the secret key is none",
            status: 2,
            prepare: { scene in
                try "not a key".write(toFile: "\(scene.folder)/key", atomically: true, encoding: .utf8)
                return nil
            },
            options: { ["--secret-key-file", "\($0.folder)/key"] },
            says: ["--secret-key-file", "/key", "64 hexadecimal digits", "backup"]
        ),
        Row(
            testDescription: "the secret key cannot be read",
            status: 2,
            prepare: { scene in
                try FileManager.default.createDirectory(
                    atPath: "\(scene.folder)/key",
                    withIntermediateDirectories: true
                )
                return nil
            },
            options: { ["--secret-key-file", "\($0.folder)/key"] },
            says: ["--secret-key-file", "/key", "cannot read", "backup"]
        ),
        Row(
            testDescription: "there are more connections than descriptors",
            options: { Self.free + ["--database-url", $0.database, "--max-connections", "1000000"] },
            says: ["--max-connections", "descriptors are needed", "ulimit -Hn"]
        ),
    ]

    private static let free = ["--listen", "127.0.0.1:0"]

    @Test("names the option, the cause and the remedy in one line, and ends")
    func table() async throws {
        try await ServerFixture.open(["--metrics-listen", "127.0.0.1:0"]) { fixture in
            for (number, row) in Self.rows.enumerated() {
                let folder = "/tmp/muster-start-\(UUID().uuidString.prefix(12))"
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                defer { try? FileManager.default.removeItem(atPath: folder) }
                let scene = Scene(
                    folder: folder,
                    database: fixture.database,
                    port: fixture.server.port,
                    metricsPort: try fixture.metricsPort()
                )
                if row.testDescription.contains("descriptors"), try Self.hardLimit() > 1_000_000 { continue }
                let kept = try row.prepare(scene)
                let run = try MusterProcess.run(["serve"] + row.options(scene), within: 60_000)
                withExtendedLifetime(kept) {}
                let name = Comment(rawValue: "\(number) \(row.testDescription): \(run.status)\n\(run.log.suffix(1500))")
                #expect(run.status == row.status, name)
                let lines = run.log.split(separator: "\n").filter { $0.hasPrefix("muster serve:") }
                #expect(lines.count == 1, name)
                #expect(run.output.isEmpty, name)
                for part in row.says { #expect(lines.first?.contains(part) == true, "'\(part)' in \(name)") }
            }
        }
    }

    private static func hardLimit() throws -> UInt {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return geteuid() == 0 ? .max : UInt(limit.rlim_max)
    }

    @Sendable
    private static func makeCertificates(_ scene: Scene) throws -> AnyObject? {
        let folder = scene.folder
        for name in ["a", "b"] {
            try Tool.run(
                "/usr/bin/openssl",
                [
                    "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                    "-keyout", "\(folder)/\(name).key", "-out", "\(folder)/\(name).pem",
                ]
            )
        }
        return nil
    }
}

/// The lock of a private PostgreSQL's folder, as another server would take it.
private final class FolderLockHolder {
    private let descriptor: Int32

    init(_ folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        self.descriptor = open("\(folder)/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard self.descriptor >= 0, flock(self.descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw ProgramError("cannot lock \(folder)")
        }
    }

    deinit { close(self.descriptor) }
}

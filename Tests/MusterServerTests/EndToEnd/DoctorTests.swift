import Foundation
import MusterTestSupport
import Postgres
import Testing

@Suite("The doctor", .blocking)
struct DoctorTests {
    /// An installation that works, but for `fsync`, which clusters of tests do without.
    struct Scene: Sendable {
        let folder: String
        let database: String
        let url: String

        var key: String { "\(self.folder)/server.key" }

        /// Options of an installation without other faults, but for those that are given.
        func options(_ others: [String: String] = [:]) -> [String] {
            let usual = ["database-url": self.database, "secret-key-file": self.key, "data-dir": self.folder]
            return usual.merging(others) { $1 }.sorted { $0.key < $1.key }.flatMap { ["--\($0.key)", $0.value] }
        }

        /// Changes the database.
        func query(_ sql: String) throws {
            let session = PostgresSession(connectionString: self.database)
            try session.connect()
            defer { session.close() }
            try session.executeScript(sql)
        }

        /// Makes a certificate for a host.
        func certificate(_ name: String, host: String, days: Int) throws {
            try Tool.run(
                "/usr/bin/openssl",
                [
                    "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "\(days)", "-subj", "/CN=\(host)",
                    "-addext", "subjectAltName=DNS:\(host)", "-keyout", "\(self.folder)/\(name).key", "-out",
                    "\(self.folder)/\(name).pem",
                ]
            )
        }

        /// The options of a certificate.
        func files(_ certificate: String, key: String? = nil) -> [String: String] {
            [
                "tls-cert": "\(self.folder)/\(certificate).pem", "tls-key": "\(self.folder)/\(key ?? certificate).key",
                "public-url": "https://muster.example",
            ]
        }
    }

    /// A fault, and the line that names it.
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let said: String
        /// Plants the fault, and returns the options that it needs.
        let plant: @Sendable (Scene) async throws -> [String: String]

        init(
            _ description: String,
            said: String,
            _ plant: @escaping @Sendable (Scene) async throws -> [String: String]
        ) {
            self.testDescription = description
            self.said = said
            self.plant = plant
        }
    }

    static let faults = [
        Fault("PostgreSQL does not run", said: "wrong  PostgreSQL: --database-url") { _ in
            ["database-url": "postgresql://127.0.0.1:1/muster"]
        },
        Fault("the secret key is missing", said: "wrong  secret key: there is no file '/nowhere/key'") { _ in
            ["secret-key-file": "/nowhere/key"]
        },
        Fault("the secret key is damaged", said: "must contain a secret key of 64 hexadecimal digits") { scene in
            try "1234".write(toFile: "\(scene.folder)/short.key", atomically: true, encoding: .utf8)
            return ["secret-key-file": "\(scene.folder)/short.key"]
        },
        Fault("others may read the secret key", said: "wrong  secret key: others may read") { scene in
            let path = "\(scene.folder)/open.key"
            try FileManager.default.copyItem(atPath: scene.key, toPath: path)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
            return ["secret-key-file": path]
        },
        Fault(
            "migrations are pending",
            said: "migrations are pending, from 1 on. Start the server, or run muster migrate"
        ) {
            _ in ["database-url": try await ThrowawayCluster.shared().makeDatabase()]
        },
        Fault("the database is of a newer version", said: "wrong  schema: ") { scene in
            try scene.query(
                """
                INSERT INTO muster.schema_migration (number, name, checksum, applied_at)
                VALUES ((SELECT max(number) + 1 FROM muster.schema_migration), 'later', repeat('0', 64), now())
                """
            )
            return [:]
        },
        Fault("tomorrow's partition is missing", said: "so fixes of these days wait") { scene in
            try scene.query(
                """
                DO $$ BEGIN
                EXECUTE 'DROP TABLE muster.fix_' || to_char((now() AT TIME ZONE 'UTC')::date + 1, 'YYYYMMDD');
                END $$
                """
            )
            return [:]
        },
        Fault("there is no certificate", said: "is no PEM file of a certificate") { scene in scene.files("none") },
        Fault("the certificate's key is missing", said: "is no PEM file of a private key") { scene in
            try scene.certificate("a", host: "muster.example", days: 90)
            return scene.files("a", key: "none")
        },
        Fault("the key is that of another certificate", said: "is the key of another certificate") { scene in
            for name in ["a", "b"] { try scene.certificate(name, host: "muster.example", days: 90) }
            return scene.files("a", key: "b")
        },
        Fault("the certificate is for another name", said: "it is not for 'muster.example'") { scene in
            try scene.certificate("a", host: "other.example", days: 90)
            return scene.files("a")
        },
        Fault("the certificate expires soon", said: " days. Renew it, and send the server SIGHUP") { scene in
            try scene.certificate("a", host: "muster.example", days: 5)
            return scene.files("a")
        },
        Fault("no authority vouches for the certificate", said: "no authority that this machine trusts") { scene in
            try scene.certificate("a", host: "muster.example", days: 90)
            return scene.files("a")
        },
        Fault("there is no backup", said: "wrong  last backup: there is none in") { scene in ["backups": scene.folder]
        },
        Fault("the last backup is old", said: "hours old. Run muster backup") { scene in
            let folder = "\(scene.folder)/old"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try #"{"form":1,"program":"0.1.0","at":"2020-01-01T00:00:00Z","schema":1,"rows":{},"files":{}}"#.write(
                toFile: "\(folder)/backup.json",
                atomically: true,
                encoding: .utf8
            )
            return ["backups": scene.folder]
        },
        Fault("nothing answers at the address", said: "wrong  address: http://127.0.0.1:1") { _ in
            ["url": "http://127.0.0.1:1"]
        },
    ]

    private static func withScene(_ body: (Scene) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "muster-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await ServerFixture.open(["--secret-key-file", "\(folder)/server.key"]) { fixture in
            try await body(Scene(folder: folder, database: fixture.database, url: fixture.server.url))
        }
    }

    @Test("each fault is named, with what mends it", arguments: faults)
    func named(_ fault: Fault) async throws {
        try await Self.withScene { scene in
            let run = try MusterProcess.run(["doctor"] + scene.options(try await fault.plant(scene)))
            #expect(run.status == 1)
            let line = run.output.split(separator: "\n").first { $0.contains(fault.said) }
            #expect(line?.hasPrefix("wrong  ") == true, "\(run.output)\(run.log)")
        }
    }

    @Test("beside a server that works nothing is wrong but that its database has no fsync")
    func healthy() async throws {
        try await Self.withScene { scene in
            let run = try MusterProcess.run(["doctor"] + scene.options(["url": scene.url]))
            let wrong = run.output.split(separator: "\n").filter { $0.hasPrefix("wrong") }
            #expect(wrong.count == 1 && wrong[0].contains("fsync, full_page_writes"), "\(run.output)\(run.log)")
            for subject in ["address", "WebSocket", "clocks", "schema", "partitions", "secret key"] {
                #expect(run.output.contains("ok     \(subject): "), "\(run.output)")
            }
            let limited = try Tool.run(
                "/usr/bin/prlimit",
                ["--nofile=600:600", "--", MusterProcess.executable.path, "doctor", "--sql-dir"]
                    + ["\(MusterProcess.checkout.path)/sql"] + scene.options()
            )
            #expect(limited.status == 1 && limited.output.contains("wrong  file descriptors: "), "\(limited.output)")
        }
    }
}

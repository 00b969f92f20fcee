import Foundation
import MusterTestSupport
import Postgres
import Testing

@testable import MusterClient
@testable import MusterWire

@Suite("Backup and restore", .blocking, .serialized)
struct BackupTests {
    /// A backup of a small town in a folder of its own.
    private struct Saved {
        let folder: String
        let ada: Account
        /// The file of the server's secret key.
        let key: String

        var backup: String { "\(self.folder)/backup" }
    }

    private static func withBackup(_ body: (Saved) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "muster-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let key = "\(folder)/server.key"
        var saved: Saved?
        try await ServerFixture.open(["--secret-key-file", key]) { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo")
            try people[0].sendFix(48.2, 16.37)
            try people[0].request("chat.send", ["room": .string(group), "key": "a", "text": "Kept"])
            saved = Saved(folder: folder, ada: people[0].account, key: key)
            let run = try MusterProcess.run([
                "backup", "\(folder)/backup", "--database-url", fixture.database, "--secret-key-file", key,
            ])
            #expect(run.status == 0, "\(run.log)")
            #expect(run.output.contains("saved ") && run.output.contains("map of streets"))
            // It is not in the backup.
            try people[0].request("chat.send", ["room": .string(group), "key": "b", "text": "Lost"])
        }
        try await body(try #require(saved))
    }

    private static func restore(
        _ saved: Saved,
        _ database: String,
        key: String? = nil,
        _ options: [String] = []
    ) throws -> (status: Int32, output: String, log: String) {
        try MusterProcess.run(
            [
                "restore", saved.backup, "--database-url", database, "--secret-key-file",
                key ?? "\(saved.folder)/restored.key",
            ] + options
        )
    }

    @Test("what was saved beside a running server is there again, and nobody is seen until they want to be")
    func story() async throws {
        try await Self.withBackup { saved in
            let mode = try FileManager.default.attributesOfItem(atPath: saved.backup)[.posixPermissions] as? Int
            #expect(mode == 0o700)
            let database = try await ThrowawayCluster.shared().makeDatabase()
            let run = try Self.restore(saved, database)
            #expect(run.status == 0, "\(run.log)")
            #expect(run.output.contains("restored "))
            let key = "\(saved.folder)/restored.key"
            #expect(
                FileManager.default.contentsEqual(atPath: key, andPath: saved.key),
                "links of share pictures depend on the key"
            )
            try await ServerFixture.open(["--secret-key-file", key], database: database) { fixture in
                _ = try fixture.enter(saved.ada, device: "tablet", resume: ["rooms": [:]])
                let texts = try fixture.query("SELECT text FROM muster.message WHERE kind = 'text'").map {
                    try $0.text("text")
                }
                #expect(texts == ["Kept"])
                #expect(try fixture.count(of: "muster.membership WHERE sharing = 'paused'") == 2)
            }
        }
    }

    @Test("a backup is verified beside the server, and nothing of that is left")
    func verification() async throws {
        try await Self.withBackup { saved in
            let database = try await ThrowawayCluster.shared().makeDatabase()
            let run = try Self.restore(saved, database, ["--verify"])
            #expect(run.status == 0, "\(run.log)")
            #expect(run.output.contains("verified "))
            let left = try await onWorkerThread {
                let session = PostgresSession(connectionString: database)
                try session.connect()
                defer { session.close() }
                return try session.execute(
                    "SELECT count(*) AS count FROM pg_database WHERE datname LIKE 'muster_verify_%'"
                ).onlyRow()?.int64("count")
            }
            #expect(left == 0)
            #expect(!FileManager.default.fileExists(atPath: "\(saved.folder)/restored.key"))
        }
    }

    /// A backup that cannot be restored.
    struct BadBackup: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// What is done to the folder of the backup.
        let damage: @Sendable (_ folder: String) throws -> Void
        /// Words of the answer.
        let said: String

        init(_ description: String, said: String, _ damage: @escaping @Sendable (String) throws -> Void) {
            self.testDescription = description
            self.damage = damage
            self.said = said
        }
    }

    private static func rewrite(_ path: String, _ change: (inout Data) -> Void) throws {
        var content = try Data(contentsOf: URL(filePath: path))
        change(&content)
        try content.write(to: URL(filePath: path))
    }

    static let bad = [
        BadBackup("a byte of the database is another", said: "is damaged") { folder in
            try Self.rewrite("\(folder)/database.dump") { $0[$0.count / 2] ^= 1 }
        },
        BadBackup("the database is torn", said: "is damaged") { folder in
            try Self.rewrite("\(folder)/database.dump") { $0.removeLast($0.count / 2) }
        },
        BadBackup("the secret key is missing", said: "is missing") { folder in
            try FileManager.default.removeItem(atPath: "\(folder)/secret.key")
        },
        BadBackup("its description is missing", said: "is no backup") { folder in
            try FileManager.default.removeItem(atPath: "\(folder)/backup.json")
        },
        BadBackup("its description is torn", said: "is damaged, or of a newer version") { folder in
            try Self.rewrite("\(folder)/backup.json") { $0.removeLast($0.count / 2) }
        },
        BadBackup("it is of a newer schema", said: "is of a newer version") { folder in
            try Self.rewrite("\(folder)/backup.json") { content in
                let text = String(decoding: content, as: UTF8.self)
                content = Data(text.replacing(/"schema" : \d+/, with: "\"schema\" : 9999").utf8)
            }
        },
        BadBackup("its description names a file elsewhere", said: "which no backup has") { folder in
            try Self.rewrite("\(folder)/backup.json") { content in
                let text = String(decoding: content, as: UTF8.self)
                content = Data(
                    text.replacing("\"files\" : {", with: "\"files\" : {\"../x\": {\"bytes\": 0, \"sha256\": \"\"},")
                        .utf8
                )
            }
        },
        BadBackup("it has fewer rows than it says", said: "muster.message has") { folder in
            try Self.rewrite("\(folder)/backup.json") { content in
                let text = String(decoding: content, as: UTF8.self)
                content = Data(text.replacing(/"muster.message" : \d+/, with: "\"muster.message\" : 7").utf8)
            }
        },
    ]

    @Test("a backup that is not as it was made is refused, and leaves nothing")
    func badBackups() async throws {
        try await Self.withBackup { saved in
            for bad in Self.bad {
                let copy = Saved(
                    folder: "\(saved.folder)/\(UUID().uuidString)",
                    ada: saved.ada,
                    key: saved.key
                )
                try FileManager.default.createDirectory(atPath: copy.folder, withIntermediateDirectories: true)
                try FileManager.default.copyItem(atPath: saved.backup, toPath: copy.backup)
                try bad.damage(copy.backup)
                let run = try Self.restore(copy, try await ThrowawayCluster.shared().makeDatabase(), ["--verify"])
                #expect(run.status == 1 && run.log.contains(bad.said), "\(bad.testDescription): \(run.log)")
                #expect(!FileManager.default.fileExists(atPath: "\(copy.folder)/restored.key"))
            }
        }
    }

    @Test("nothing is saved or restored over something else")
    func occupied() async throws {
        try await Self.withBackup { saved in
            let database = try await ThrowawayCluster.shared().makeDatabase()
            // The folder exists.
            let again = try MusterProcess.run([
                "backup", saved.backup, "--database-url", database, "--secret-key-file", saved.key,
            ])
            #expect(again.status == 2 && again.log.contains("exists; name a new folder"), "\(again.log)")
            // Nothing has used the database.
            let empty = try MusterProcess.run([
                "backup", "\(saved.folder)/empty", "--database-url", database, "--secret-key-file", saved.key,
            ])
            #expect(empty.status == 1 && empty.log.contains("the database is empty"), "\(empty.log)")
            #expect(!FileManager.default.fileExists(atPath: "\(saved.folder)/empty.partial"))
            // There is no secret key.
            let keyless = try MusterProcess.run([
                "backup", "\(saved.folder)/keyless", "--database-url", database, "--secret-key-file", "/nowhere/key",
            ])
            #expect(keyless.status == 2 && keyless.log.contains("--secret-key-file"), "\(keyless.log)")
            // Another secret key is in the place.
            let other = "\(saved.folder)/other.key"
            try (String(repeating: "ab", count: 32) + "\n").write(toFile: other, atomically: true, encoding: .utf8)
            let refused = try Self.restore(saved, database, key: other)
            #expect(refused.status == 1 && refused.log.contains("another secret key"), "\(refused.log)")
            // The database has tables.
            #expect(try Self.restore(saved, database).status == 0)
            let twice = try Self.restore(saved, database)
            #expect(twice.status == 1 && twice.log.contains("the database has tables"), "\(twice.log)")
        }
    }
}

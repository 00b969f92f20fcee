import Foundation
import MusterTestSupport
import Postgres
import Testing

@testable import MusterClient
@testable import MusterWire

@Suite("After a restore", .blocking)
struct RestoreTests {
    /// Runs a program of the newest installed PostgreSQL.
    private static func postgres(_ program: String, _ arguments: [String]) throws {
        let folder = "/usr/lib/postgresql"
        let newest = try FileManager.default.contentsOfDirectory(atPath: folder).compactMap { Int($0) }.max()
        let run = try Tool.run("\(folder)/\(try #require(newest))/bin/\(program)", arguments)
        guard run.status == 0 else { throw TestFailure("\(program): \(run.output)") }
    }

    /// Creates a fresh database from a dump.
    private static func restore(_ dump: URL) async throws -> String {
        let database = try await ThrowawayCluster.shared().makeDatabase()
        try Self.postgres(
            "psql",
            ["--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--dbname=\(database)", "--file=\(dump.path)"]
        )
        return database
    }

    private static func settle(
        _ database: String,
        _ options: String...
    ) throws -> (status: Int32, output: String, log: String) {
        try MusterProcess.run(["migrate", "--after-restore", "--database-url", database] + options)
    }

    /// A client's state from before the backup and from after it.
    private struct ClientState {
        let ada: Account
        let bo: Account
        let group: String
        let event: String
        /// The `resume` of Bo's client when it reconnects.
        let resume: JSON
        let epoch: String
        let roomVersion: Int64
        let notification: Int64
        let eventVersion: Int64
    }

    /// Creates data in a town, backs it up into `dump`, and then changes more.
    private static func story(_ fixture: ServerFixture, _ dump: URL) throws -> ClientState {
        let (people, group) = try fixture.friends("Ada", "Bo")
        let ada = people[0]
        let bo = try fixture.enter(people[1].account, device: "tablet", resume: ["rooms": [:]])
        let room = try bo.room(group)
        try bo.request("sharing.set", ["mode": "approximate"])
        let draft: JSON = [
            "key": "a", "title": "Climbing", "lat": 48.2, "lon": 16.4, "startsAt": .now(plus: 86_400_000), "tz": "UTC",
            "visibility": "public",
        ]
        let event = try ada.request("event.create", draft)["event"]["id"].string ?? ""
        try bo.request("event.rsvp", ["event": .string(event), "rsvp": "yes"])
        var held: (notification: Int64, version: Int64) = (0, 1)
        func happen(_ number: Int) throws {
            let say: JSON = [
                "room": .string(group), "key": .string("k\(number)"), "text": .string("Message \(number)"),
                "mentions": [.string(bo.account.id)],
            ]
            try ada.request("chat.send", say)
            held.notification = try bo.expect("mention")["notification"].int ?? 0
            let change: JSON = [
                "event": .string(event), "version": .integer(held.version), "title": .string("T\(number)"),
            ]
            held.version = try ada.request("event.update", change)["event"]["version"].int ?? 0
            held.notification = max(held.notification, try bo.expect("event_changed")["notification"].int ?? 0)
        }
        for number in 1...2 { try happen(number) }
        try bo.request("seen", ["upTo": .integer(held.notification)])
        try fixture.query(
            """
            INSERT INTO muster.share (id, group_id, maker_id, code_seed, code_hash, png, named, created_at, expires_at)
            VALUES (7, $1, $2, decode(repeat('07', 16), 'hex'), decode(repeat('07', 32), 'hex'), 'a picture', true, now(),
                now() + interval '1 day')
            """,
            [.id(group), .id(ada.account.id)]
        )
        try Self.postgres(
            "pg_dump",
            ["--no-owner", "--file=\(dump.path)", "--dbname=\(fixture.database)"]
        )
        for number in 3...5 { try happen(number) }
        try bo.catchUp()
        let pushes = bo.received.filter { $0.type == "chat" }
        let version = pushes.compactMap { $0["upTo"].int }.max() ?? 0
        let epoch = room["epoch"].string ?? ""
        let position: JSON = ["epoch": .string(epoch), "version": .integer(version), "read": 0]
        let resume = bo.resume.with([
            "notification": .integer(held.notification), "rooms": .object([(key: group, value: position)]),
        ])
        return ClientState(
            ada: ada.account,
            bo: bo.account,
            group: group,
            event: event,
            resume: resume,
            epoch: epoch,
            roomVersion: version,
            notification: held.notification,
            eventVersion: held.version
        )
    }

    @Test("clients that hold newer numbers than the backup miss nothing; nobody is seen until they want to be")
    func story() async throws {
        let dump = FileManager.default.temporaryDirectory.appending(path: "muster-\(UUID().uuidString).sql")
        defer { try? FileManager.default.removeItem(at: dump) }
        var made: ClientState?
        try await ServerFixture.open { fixture in
            made = try Self.story(fixture, dump)
            let epoch = "SELECT epoch FROM muster.room WHERE kind = 'group'"
            let before = try fixture.query(epoch).onlyRow()?.text("epoch")
            let refused = try Self.settle(fixture.database)
            #expect(refused.status == 1 && refused.log.contains("a server is running"), "\(refused)")
            #expect(try fixture.query(epoch).onlyRow()?.text("epoch") == before)
            #expect(try fixture.count(of: "muster.membership WHERE sharing = 'paused'") == 0)
        }
        let held = try #require(made)
        let database = try await Self.restore(dump)
        let run = try Self.settle(database)
        #expect(run.status == 0, "\(run)")
        for line in ["of 2 users", "versions of 1 ", "rooms: 2 ", "pictures: 1 ", "paused for 2 users"] {
            #expect(run.output.contains(line), "\(run)")
        }
        #expect(!run.output.contains("logins"))
        try await ServerFixture.open(database: database) { fixture in
            let ada = try fixture.enter(held.ada, device: "tablet", resume: ["rooms": [:]])
            let client = try fixture.connect(held.bo)
            let welcome = try client.hello(device: "tablet", resume: held.resume)
            #expect(welcome["groups"][0]["sharing"]["mode"].string == "paused")
            let room = try client.room(held.group)
            #expect(room["epoch"].string != held.epoch)
            #expect((room["version"].int ?? .max) < held.roomVersion, "the backup is older")
            let say: JSON = [
                "room": .string(held.group), "key": "k3", "text": "After all", "mentions": [.string(held.bo.id)],
            ]
            let sent = try ada.request("chat.send", say)
            #expect(sent["repeated"].bool == false)
            let push = try client.expect("chat") { $0["room"].string == held.group }
            #expect(push["epoch"].string == room["epoch"].string && push["after"].int == room["version"].int)
            #expect(push["messages"][0]["text"].string == "After all")
            let mention = try client.expect("mention")["notification"].int ?? 0
            #expect(mention > held.notification)
            let again = try fixture.connect(held.bo)
            try again.hello(device: "phone", resume: ["notification": .integer(held.notification)])
            #expect(try again.expect("mention")["text"].string == "After all")

            let stale: JSON = [
                "event": .string(held.event), "version": .integer(held.eventVersion), "title": "Another's words",
            ]
            let event = try ada.refusal(of: "event.update", stale)["event"]
            let version = event["version"].int ?? 0
            #expect(event["title"].string == "T2" && version > held.eventVersion)
            // If a field appears twice, the first one counts.
            try ada.request("event.update", (["version": .integer(version)] as JSON).with(stale))
            let changed = try client.expect("event_changed")["notification"].int ?? 0
            #expect(changed > held.notification)

            try ada.waitUntil("nobody is seen") { ada.roster(held.group)[held.bo.id].sharing == "paused" }
            try again.request("sharing.set", ["mode": "live"])
            #expect(try client.expect("sharing")["mode"].string == "live")
            try ada.waitUntil("Bo is") { ada.roster(held.group)[held.bo.id].sharing == "live" }
        }
        let other = try await Self.restore(dump)
        let kept = try Self.settle(other, "--keep-sharing", "--end-logins")
        #expect(kept.status == 0 && kept.output.contains("logins: 2 ended"), "\(kept)")
        #expect(!kept.output.contains("sharing"))
        try await ServerFixture.open(database: other) { fixture in
            let isOut = try eventually { try fixture.http("GET", "/v1/me", token: held.bo.token).status == 401 }
            #expect(isOut)
            #expect(try fixture.count(of: "muster.membership WHERE sharing = 'approximate'") == 1)
            #expect(try fixture.count(of: "muster.membership WHERE sharing = 'paused'") == 0)
            #expect(try fixture.count(of: "muster.share WHERE revoked_at IS NOT NULL AND png IS NULL") == 1)
        }
    }

    @Test("a private PostgreSQL is settled when its server has ended, and not while it runs")
    func embedded() throws {
        let folder = "/tmp/muster-test-\(UUID().uuidString.prefix(8))"
        let watcher = try FolderWatcher(cluster: "\(folder)/postgres", scratch: folder)
        defer { withExtendedLifetime(watcher) {} }
        let server = try MusterProcess.serve(["--listen", "127.0.0.1:0", "--data-dir", folder])
        let running = try MusterProcess.run(["migrate", "--after-restore", "--data-dir", folder])
        #expect(running.status == 1 && running.log.contains("another server uses"), "\(running)")
        #expect(server.terminate() == 0)
        let stopped = try MusterProcess.run(["migrate", "--after-restore", "--data-dir", folder])
        #expect(stopped.status == 0 && stopped.output.contains("rooms: 0 rooms have a new epoch"), "\(stopped)")
    }
}

extension TestClient {
    /// The status of a room, as the server sends it after the rosters.
    fileprivate func room(_ id: String) throws -> JSONValue {
        let frame = try self.expect("rooms") { $0["rooms"].elements.contains { $0["room"].string == id } }
        guard let room = frame["rooms"].elements.first(where: { $0["room"].string == id }) else {
            throw TestFailure("room \(id) is missing")
        }
        return room
    }
}

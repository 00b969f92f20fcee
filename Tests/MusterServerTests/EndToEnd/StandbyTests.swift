import MusterTestSupport
import MusterWire
import Postgres
import Testing

@Suite("Two servers on one database", .blocking)
struct StandbyTests {
    @Test("the one that takes over shows nothing that was left, paused or deleted while it waited")
    func takeOver() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo", "Cy", "Di", "Ed")
            let (ada, bo, cy, di) = (people[0], people[1], people[2], people[3])
            try report(people) { _ in (48.2, 16.37) }
            #expect(try eventually { try fixture.count(of: "muster.gathering WHERE ended_at IS NULL") == 1 })
            // It listens after it has read everything that does not need the database lock.
            let standby = try MusterProcess.serve(database: fixture.database)
            #expect(try Self.isReady(standby) == false)

            try bo.request("group.leave", ["group": .string(group)])
            try cy.request("sharing.set", ["mode": "paused"])
            #expect(try fixture.http("DELETE", "/v1/me", token: di.account.token).status == 204)
            try ada.waitUntil("all of it") {
                ada.roster(group).members.count == 3 && ada.roster(group)[cy.account.id].sharing == "paused"
            }
            fixture.server.kill()
            #expect(try eventually { try Self.isReady(standby) })

            let again = try TestClient(ada.account, port: standby.port, transcript: fixture.transcript)
            try again.hello()
            try again.waitUntil("the roster") { !again.roster(group).members.isEmpty }
            try again.catchUp()
            #expect(Set(again.roster(group).members.keys) == [ada.account.id, cy.account.id, people[4].account.id])
            #expect(again.roster(group)[cy.account.id].sharing == "paused")
            #expect(again.roster(group)[cy.account.id].latitude == nil)
            #expect(again.roster(group)[people[4].account.id].latitude == 48.2)
            let shown = again.received.filter { ["roster", "update"].contains($0.type) }.map(\.text).joined()
            for gone in [bo, di] { #expect(!shown.contains("\"user\":\"\(gone.account.id)\"")) }
            #expect(standby.terminate() == 0)
        }
    }

    @Test("the one that loses the database to the other and gets it back shows what was changed meanwhile")
    func handBack() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo", "Cy")
            let (ada, bo) = (people[0], people[1])
            let other = try ada.createGroup("Another")
            let standby = try MusterProcess.serve(database: fixture.database)
            // The first server cannot reconnect before the other has the lock.
            try fixture.query("UPDATE pg_database SET datallowconn = false WHERE datname = current_database()")
            try fixture.query(
                """
                SELECT pg_terminate_backend(l.pid) FROM pg_locks l JOIN pg_database d ON d.oid = l.database
                WHERE d.datname = current_database() AND l.locktype = 'advisory' AND l.classid = 1836413812 AND l.granted
                """
            )
            #expect(try eventually { try fixture.unreadiness() != nil })
            // Only the standby still has a connection, so the lock is its own when somebody has it again.
            #expect(try eventually { try Self.isLocked(fixture) })
            try fixture.admitFeed()
            #expect(try eventually(within: 20_000) { try Self.isReady(standby) })

            let elsewhere = try TestClient(bo.account, port: standby.port, transcript: fixture.transcript)
            try elsewhere.hello(device: "tablet")
            try elsewhere.request("group.leave", ["group": .string(group)])
            let owner = try TestClient(ada.account, port: standby.port, transcript: fixture.transcript)
            try owner.hello(device: "tablet")
            try owner.request("group.delete", ["group": .string(other)])
            #expect(standby.terminate() == 0)
            try ada.waitUntil("Bo is out") { ada.roster(group).members.count == 2 }
            try ada.waitUntil("the other group is gone") { ada.roster(other).members.isEmpty }
            #expect(try eventually { try fixture.unreadiness() == nil })
        }
    }

    /// Whether a journal owns the database.
    private static func isLocked(_ fixture: ServerFixture) throws -> Bool {
        try fixture.count(
            of: """
                pg_locks l JOIN pg_database d ON d.oid = l.database
                WHERE d.datname = current_database() AND l.locktype = 'advisory' AND l.classid = 1836413812 AND l.granted
                """
        ) == 1
    }

    private static func isReady(_ server: MusterProcess) throws -> Bool {
        try HTTPReply.request("GET", "/readyz", port: server.port, transcript: nil).status == 200
    }
}

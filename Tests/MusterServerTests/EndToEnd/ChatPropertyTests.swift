import MusterTestSupport
import Postgres
import Testing

@testable import MusterWire

@Suite("Chat, whatever happens", .blocking)
struct ChatPropertyTests {
    /// The steps at which a member is always removed, or always joins.
    private static let certain = [20: 17, 30: 18, 40: 17, 50: 18]

    @Test(
        """
        over lost links, killed servers and backends, people who come and go, and who does not read for long, every client's \
        log is the room's, every key once, unread as the rows say, and who is out hears no more
        """,
        arguments: [(1, .group), (2, .group), (5, .group), (3, .event), (4, .event), (6, .event)]
            as [(UInt64, RoomFixture.Kind)]
    )
    func property(seed: UInt64, kind: RoomFixture.Kind) async throws {
        try await ServerFixture.open { fixture in
            var random = SplitMix64(state: seed)
            let people = try ["Ada", "Bo", "Di", "Ed", "Flo"].map { try fixture.enter(try fixture.signUp($0)) }
            let roomFixture = try RoomFixture(kind, of: people, in: fixture)
            let room = roomFixture.room
            var replicas = try [(0, "one"), (0, "two"), (1, "one"), (2, "one"), (3, "one"), (4, "one")].map {
                person,
                device in
                try ChatReplica(people[person].account, room: room, device: device, in: fixture)
            }
            // A member whose connection is not read until the end, while long messages are sent.
            let slow = try ChatReplica(people[0].account, room: room, device: "slow", in: fixture)
            let long = String(repeating: "\u{1F9D7}", count: 3_000)
            var said = 0
            // The removed members with their open connections, and the first version that they must not receive.
            var removed: [(replica: ChatReplica, end: Int64)] = []
            for step in 0..<60 {
                let isCertain = Self.certain[step] != nil
                let index = isCertain ? replicas.count - 1 : Int.random(in: 0..<replicas.count, using: &random)
                let replica = replicas[index]
                do {
                    switch Self.certain[step] ?? Int.random(in: 0..<22, using: &random) {
                    case 0..<9:
                        said += 1
                        try replica.say("k\(said)", said % 4 == 0 ? "text \(said) \(long)" : "text \(said)")
                    case 9..<11: try replica.attempt("chat.edit", ["seq": 4, "text": .string("edit \(step)")])
                    case 11..<12:
                        let seq = Int64.random(in: 3...Int64(3 + said), using: &random)
                        try replica.attempt("chat.delete", ["seq": .integer(seq)])
                    case 12..<14: try replica.settle()
                    case 14: try replica.comeBack(to: fixture)
                    case 15: try replica.attempt("chat.focus", [:])
                    case 20..<22:
                        let seq = Int64.random(in: 1...Int64(6 + said), using: &random)
                        try replica.attempt("chat.read", ["seq": .integer(seq)])
                    case 16:
                        try fixture.query(
                            """
                            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                            WHERE datname = current_database() AND query LIKE '%muster.room r%' AND pid <> pg_backend_pid()
                            """
                        )
                    case 17 where replicas.count > 4 && replica.account.id != people[0].account.id:
                        if let end = try roomFixture.remove(replica.account, in: fixture) {
                            for each in replicas where each.account.id == replica.account.id {
                                removed.append((each, end))
                            }
                            replicas.removeAll { $0.account.id == replica.account.id }
                        }
                    case 18 where replicas.count < 8:
                        // A new member, or one who was removed before.
                        let old = removed.first { one in
                            !replicas.contains { $0.account.id == one.replica.account.id }
                        }
                        let cy = try fixture.enter(old?.replica.account ?? fixture.signUp("Cy"), device: "door")
                        try roomFixture.join(cy, again: old != nil, in: fixture)
                        replicas.append(try ChatReplica(cy.account, room: room, device: "one", in: fixture))
                    case _:
                        if step % 3 == 0 {
                            try fixture.crash()
                            for each in replicas + [slow] { try each.comeBack(to: fixture) }
                        }
                    }
                } catch {
                    // Storage was unavailable or the connection was lost: the client reconnects and sends the message
                    // again.
                    try replica.comeBack(to: fixture)
                }
            }
            replicas.append(slow)
            for (number, replica) in replicas.enumerated() { replica.keep("last \(number)", "last \(number)") }
            for replica in replicas {
                let isSaid = try replica.eventually(in: fixture) {
                    try replica.sayAgain()
                    return replica.pending.isEmpty
                }
                #expect(isSaid)
            }
            let state = try fixture.query("SELECT version FROM muster.room WHERE id = $1", [.id(room)]).onlyRow()
            let version = try #require(try state?.int64("version"))
            for replica in replicas {
                // Missed messages are pushed without a request, but a ping does not wait for them.
                let isThere = try replica.eventually(in: fixture) {
                    try replica.settle()
                    return replica.version == version
                }
                #expect(isThere)
                let rows = try fixture.query(
                    """
                    SELECT m.seq, m.version, CASE WHEN m.deleted THEN 'deleted' ELSE coalesce(m.text, m.kind::text) END AS text
                    FROM muster.message m JOIN muster.room_member b ON b.room_id = m.room_id AND b.user_id = $2
                    WHERE m.room_id = $1 AND m.seq >= b.from_seq ORDER BY m.seq
                    """,
                    [.id(room), .id(replica.account.id)]
                )
                let stored = try rows.map { "\(try $0.int64("seq")) \(try $0.int64("version")) \(try $0.text("text"))" }
                let held = replica.messages.sorted { $0.key < $1.key }.filter { $0.key >= replica.first }
                    .map { "\($0.key) \($0.value.version) \($0.value.text)" }
                #expect(held == stored, "seed \(seed), \(replica.account.name)")
                #expect(replica.messages.keys.allSatisfy { $0 >= replica.first })
            }
            let row = try fixture.query(
                """
                SELECT count(*) AS n, count(DISTINCT (author_id, key)) AS keys, max(seq) AS last FROM muster.message
                WHERE room_id = $1 AND kind = 'text'
                """,
                [.id(room)]
            ).onlyRow()
            #expect(try row?.int64("n") == row?.int64("keys"))
            var unsaid = 0
            #expect(!removed.isEmpty)
            for (replica, end) in removed {
                try? replica.settle()
                #expect(replica.pushed.allSatisfy { $0 < end }, "seed \(seed), \(replica.account.name)")
                #expect(replica.messages.values.allSatisfy { $0.version < end })
                for pending in replica.pending {
                    let known: [PostgresValue] = [.id(room), .id(replica.account.id), .text(pending.key)]
                    let rows = "muster.message WHERE room_id = $1 AND author_id = $2 AND key = $3"
                    if try fixture.count(of: rows, known) == 0 { unsaid += 1 }
                }
            }
            #expect(try row?.int64("n") == Int64(said - unsaid + replicas.count))
            // The last read positions of a second are written at its end.
            try await Task.sleep(for: .milliseconds(1_500))
            let bo = try ChatReplica(people[1].account, room: room, device: "last", in: fixture)
            let expected = try fixture.count(
                of: """
                    muster.message m JOIN muster.room_member b ON b.room_id = m.room_id AND b.user_id = $2
                    WHERE m.room_id = $1 AND m.kind = 'text' AND NOT m.deleted AND m.author_id <> $2 AND m.seq > b.read_seq
                    """,
                [.id(room), .id(people[1].account.id)]
            )
            #expect(bo.unread == min(100, expected))
        }
    }

}

/// A room with members who join and leave.
struct RoomFixture: Sendable {
    /// The owner of the room.
    enum Kind: Sendable {
        case group
        case event
    }

    let kind: Kind
    let room: String
    private let host: Account
    private let code: String

    /// Creates the room.
    ///
    /// The first client hosts it, and the others join.
    init(_ kind: Kind, of people: [TestClient], in fixture: ServerFixture) throws {
        self.kind = kind
        self.host = people[0].account
        switch kind {
        case .group:
            self.room = try people[0].createGroup()
            self.code = try people[0].invite(to: self.room, ["uses": 100])
        case .event:
            let draft: JSON = [
                "key": "e", "title": "Climbing", "lat": 48.2, "lon": 16.37, "startsAt": .now(plus: 86_400_000),
                "tz": "Europe/Vienna", "visibility": "public",
            ]
            self.room = try #require(try people[0].request("event.create", draft)["event"]["id"].string)
            self.code = ""
        }
        for person in people.dropFirst() { try self.join(person, in: fixture) }
    }

    /// Adds a member, possibly one whom the host removed before.
    func join(_ client: TestClient, again isAgain: Bool = false, in fixture: ServerFixture) throws {
        switch self.kind {
        case .group:
            // A removed member needs an owner's code that is newer than the removal.
            let code =
                isAgain ? try fixture.enter(self.host, device: "owner").invite(to: self.room, ["uses": 1]) : self.code
            try client.join(code)
        case .event: try client.request("event.rsvp", ["event": .string(self.room), "rsvp": "maybe"])
        }
    }

    /// Removes a member.
    ///
    /// - Returns: the first version that they must not receive; nil if they are still a member.
    func remove(_ who: Account, in fixture: ServerFixture) throws -> Int64? {
        switch self.kind {
        case .group:
            let owner = try fixture.enter(self.host, device: "owner")
            _ = try? owner.request("group.remove", ["group": .string(self.room), "user": .string(who.id)])
        case .event:
            // The guest declines, and the host does not remove them, so they may return.
            let guest = try fixture.enter(who, device: "door")
            _ = try? guest.request("event.rsvp", ["event": .string(self.room), "rsvp": "no"])
        }
        let row = try fixture.query(
            """
            SELECT r.version, EXISTS (
                SELECT FROM muster.room_member b WHERE b.room_id = r.id AND b.user_id = $2) AS is_in
            FROM muster.room r WHERE r.id = $1
            """,
            [.id(self.room), .id(who.id)]
        ).onlyRow()
        guard let row, try !row.bool("is_in") else { return nil }
        // In a group's room, the same transaction has posted that the member was removed.
        return try row.int64("version") + (self.kind == .group ? 0 : 1)
    }
}

/// A seeded generator of random numbers.
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        self.state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = self.state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

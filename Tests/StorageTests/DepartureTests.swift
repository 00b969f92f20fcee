import Foundation
import MusterTestSupport
import MusterWire
import Postgres
import Testing

@testable import MusterCore
@testable import MusterServer

@Suite("Who is in a group no more")
struct DepartureTests {
    /// The way in which a membership ends.
    enum Ending: CaseIterable { case left, removed }

    private static func end(
        _ ending: Ending,
        _ user: UserID,
        of group: GroupID,
        by owner: UserID,
        in store: Store
    ) async throws {
        switch ending {
        case .left: _ = try await store.directory.leave(group, user: user)
        case .removed: _ = try await store.directory.removeMember(user, from: group, by: owner)
        }
    }

    // MARK: - Export

    /// The export without its time of creation.
    private func export(of user: UserID, from store: Store) async throws -> NSDictionary {
        var export = store.directory.export(of: user)
        var text = ""
        while let piece = try await export.next() { text += piece }
        var json = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        json["exportedAt"] = nil
        return json as NSDictionary
    }

    private func gathering(_ id: Int64, of group: GroupID, state: String, users: [UserID], in store: Store) async throws
    {
        let moment = PostgresValue.timestamptz(unixMilliseconds: store.now.milliseconds)
        try await store.pool.query(
            """
            INSERT INTO muster.gathering (id, group_id, state, since, ended_at, updated_at, lat, lon, place_name)
            VALUES ($1, $2, $3::text::muster.gathering_state_name, $4, CASE WHEN $3 = 'ended' THEN $4 END, $4, 48, 16, 'Café')
            """,
            [.int64(id), .int64(group.rawValue), .text(state), moment]
        )
        try await store.pool.query(
            """
            INSERT INTO muster.gathering_member (gathering_id, user_id, standing, took_part)
            SELECT $1, unnest($2::bigint[]), 'absent', true
            """,
            [.int64(id), .int64Array(users.map(\.rawValue))]
        )
    }

    @Test("their export stays as it was, whatever becomes of the group", arguments: Ending.allCases)
    func export(_ ending: Ending) async throws {
        try await Store.with { store in
            let (group, people) = try await store.group(3)
            let users = people.map(\.user.id)
            let person = users[1]
            let directory = store.directory
            let code = try await directory.createInvite(to: group.id, by: person).code
            let draft = EventCreate(
                key: "k",
                title: "Climbing",
                at: Coordinate(latitude: 48, longitude: 16),
                startsAt: store.now + 3_600_000,
                timeZone: "UTC",
                group: group.id
            )
            let event = try await directory.createEvent(draft, by: users[0]).event
            _ = try await directory.reply(.maybe, to: event.id, by: person)
            _ = try await store.share(of: group.id, by: users[0], showing: [person])
            _ = try await store.proposedPlan(by: person, to: group.id)
            try await self.gathering(6000, of: group.id, state: "ended", users: [person], in: store)
            try await self.gathering(6001, of: group.id, state: "together", users: [person], in: store)
            store.manual.advance(milliseconds: 60_000)
            try await Self.end(ending, person, of: group.id, by: users[0], in: store)
            let before = try await self.export(of: person, from: store)
            let known = try #require(before["gatherings"] as? [[String: Any]])
            #expect(known.map { $0["state"] as? String } == ["ended", "together"])
            #expect(known.allSatisfy { ($0["place"] as? [String: Any])?["name"] as? String == "Café" })
            #expect((before["departures"] as? [[String: Any]])?.first?["removed"] as? Bool == (ending == .removed))

            store.manual.advance(milliseconds: 60_000)
            _ = try await directory.updateGroup(group.id, name: "Others", by: users[0])
            var update = EventUpdate(event.id, version: event.version)
            update.title = "Swimming"
            _ = try await directory.updateEvent(update, by: users[0])
            let later = try await store.person("Later").user.id
            if ending == .left { _ = try await directory.join(code: code, user: later) }
            try? await directory.revokeInvite(code, by: users[0])
            try await store.pool.query(
                """
                UPDATE muster.gathering SET state = 'moved', lat = 49, lon = 17, place_name = 'Elsewhere', updated_at = $1
                WHERE id = 6001
                """,
                [.timestamptz(unixMilliseconds: store.now.milliseconds)]
            )
            #expect(try await self.export(of: person, from: store) == before, "a gathering moved")
            try await store.pool.query(
                "UPDATE muster.gathering SET state = 'ended', ended_at = $1 WHERE id = 6001",
                [.timestamptz(unixMilliseconds: store.now.milliseconds)]
            )
            #expect(try await self.export(of: person, from: store) == before, "a gathering ended")

            try await self.gathering(6002, of: group.id, state: "together", users: [person], in: store)
            #expect(try await self.export(of: person, from: store) == before, "the journal wrote of one only now")

            // Back in the group, they can read the group's current data, but not what ended before.
            let again = try await directory.createInvite(to: group.id, by: users[0]).code
            _ = try await directory.join(code: again, user: person)
            let back = try #require(try await self.export(of: person, from: store)["gatherings"] as? [[String: Any]])
            let places = back.map { ($0["place"] as? [String: Any])?["lat"] as? Double }
            #expect(places == [48, 48, 48])
        }
    }

    // MARK: - Invites

    /// The maker of the code with which a user returns.
    enum Maker: CaseIterable { case owner, member, themselves }

    static let returns: [(ending: Ending, maker: Maker, isNew: Bool, refusal: Refusal?)] = [
        (.removed, .owner, false, .gone), (.removed, .member, false, .gone), (.removed, .themselves, false, .gone),
        (.removed, .owner, true, nil), (.removed, .member, true, .gone),
        (.left, .owner, false, nil), (.left, .member, false, nil), (.left, .themselves, false, .gone),
        (.left, .owner, true, nil), (.left, .member, true, nil),
    ]

    @Test("who comes back by which code", arguments: returns)
    func comingBack(_ ending: Ending, _ maker: Maker, _ isNew: Bool, _ refusal: Refusal?) async throws {
        try await Store.with { store in
            let (group, people) = try await store.group(3)
            let users = people.map(\.user.id)
            let person = users[1]
            func makeCode() async throws -> String {
                let user =
                    switch maker {
                    case .owner: users[0]
                    case .member: users[2]
                    case .themselves: person
                    }
                return try await store.directory.createInvite(to: group.id, by: user).code
            }
            let old = isNew ? nil : try await makeCode()
            try await Self.end(ending, person, of: group.id, by: users[0], in: store)
            // A clock that is set back does not make a code older.
            store.manual.setWall(milliseconds: store.now.milliseconds - 3_600_000)
            let code = if let old { old } else { try await makeCode() }
            func join(_ code: String) async -> Refusal? {
                await failure {
                    _ = try await store.directory.join(code: code, user: person)
                }
            }
            #expect(await join(code) == refusal)
            let members = try await store.directory.loadGroup(group.id).members.map(\.user.id)
            #expect(members.contains(person) == (refusal == nil))
            // Others can use the same code, unless its maker was removed.
            guard refusal != nil, !(ending == .removed && maker == .themselves) else { return }
            let other = try await store.person("Other").user.id
            _ = try await store.directory.join(code: code, user: other)
        }
    }

    @Test("who was let in again by the owner and leaves may come back as everybody may")
    func forgiven() async throws {
        try await Store.with { store in
            let (group, people) = try await store.group(3)
            let (owner, person) = (people[0].user.id, people[1].user.id)
            let old = try await store.directory.createInvite(to: group.id, by: people[2].user.id).code
            _ = try await store.directory.removeMember(person, from: group.id, by: owner)
            let new = try await store.directory.createInvite(to: group.id, by: owner).code
            _ = try await store.directory.join(code: new, user: person)
            _ = try await store.directory.leave(group.id, user: person)
            _ = try await store.directory.join(code: old, user: person)
        }
    }

    // MARK: - The room

    @Test(
        "coming back within ten minutes of leaving changes the line that says so",
        arguments: [(Ending.left, Int64(9), Int64(0)), (.left, 11, 1), (.removed, 1, 1)]
    )
    func room(_ ending: Ending, minutes: Int64, moreLines: Int64) async throws {
        try await Store.with { store in
            let (group, people) = try await store.group(2)
            let (owner, person) = (people[0].user.id, people[1].user.id)
            func lines() async throws -> Int64 {
                try await store.count("muster.message WHERE room_id = $1", [.int64(group.id.rawValue)])
            }
            for _ in 1...3 {
                try await Self.end(ending, person, of: group.id, by: owner, in: store)
                let left = try await lines()
                let version = try await store.directory.roomHeads([group.id.room]).first?.upTo ?? 0
                store.manual.advance(milliseconds: minutes * 60_000)
                let code = try await store.directory.createInvite(to: group.id, by: owner).code
                _ = try await store.directory.join(code: code, user: person)
                #expect(try await lines() == left + moreLines)
                #expect(try await store.directory.roomHeads([group.id.room]).first?.upTo == version + 1)
                let page = try await store.directory.messages(of: group.id.room, .newest, limit: 10, for: owner)
                #expect(page.messages.last?.data?["event"]?.text == "joined")
                #expect(page.messages.last?.from?.id == person)
                let own = try await store.directory.messages(of: group.id.room, .newest, limit: 10, for: person)
                #expect(own.messages.map(\.seq) == [page.messages.last?.seq])
            }
        }
    }

    @Test("who comes back within ten minutes reads nothing that was said between")
    func between() async throws {
        try await Store.with { store in
            let (group, people) = try await store.group(2)
            let (owner, person) = (people[0].user.id, people[1].user.id)
            let writer = store.chatWriter { _ in }
            func say(_ key: String) async throws {
                let draft = ChatOrder.Draft(key: key, text: key)
                _ = try await writer.write(ChatOrder(.send(draft), in: group.id.room, by: owner, at: store.now))
            }
            let code = try await store.directory.createInvite(to: group.id, by: owner).code
            _ = try await store.directory.leave(group.id, user: person)
            try await say("between")
            _ = try await store.directory.join(code: code, user: person)
            try await say("after")
            let own = try await store.directory.messages(of: group.id.room, .newest, limit: 10, for: person)
            #expect(own.messages.map(\.text) == ["after"])
            await writer.close()
        }
    }
}

import MusterTestSupport
import Postgres
import Testing

@testable import MusterCore
@testable import MusterServer

@Suite struct InviteTests {
    @Test("an invite shows whom one would join, lets in, and lets a member in again for nothing")
    func join() async throws {
        try await Store.with { store in
            let (group, people) = try await store.group(2)
            let invite = try await store.directory.createInvite(to: group.id, uses: 1, by: people[1].user.id)
            #expect(invite.expiresAt - store.now == 7 * 86_400_000)
            #expect(invite.code.utf8.count == 12)
            let preview = try await store.directory.invitePreview(invite.code)
            #expect(preview.groupName == "Climbers")
            #expect(preview.memberCount == 2)
            #expect(preview.inviter == people[1].user)
            let newcomer = try await store.person("Newcomer").user.id
            let joining = try await store.directory.join(code: invite.code, user: newcomer)
            #expect(!joining.wasMember)
            #expect(joining.group.revision == group.revision + 1)
            #expect(joining.group.members.last?.user.id == newcomer)
            // The answer was lost and the client repeats the request, though the invite is used up.
            let again = try await store.directory.join(code: invite.code, user: newcomer)
            #expect(again.wasMember)
            #expect(again.group == joining.group)
        }
    }

    @Test("an invite that has expired, was used up or was revoked is gone; one that never was is not found")
    func gone() async throws {
        try await Store.with { store in
            let (group, people) = try await store.group(2)
            let owner = people[0].user.id
            let newcomer = try await store.person("Newcomer").user.id
            func join(_ code: String) async -> Refusal? {
                await failure {
                    _ = try await store.directory.join(code: code, user: newcomer)
                }
            }
            func preview(_ code: String) async -> Refusal? {
                await failure { _ = try await store.directory.invitePreview(code) }
            }
            let revoked = try await store.directory.createInvite(to: group.id, by: owner)
            #expect(
                await failure {
                    try await store.directory.revokeInvite(revoked.code, by: people[1].user.id)
                } == .forbidden
            )
            try await store.directory.revokeInvite(revoked.code, by: owner)
            #expect(await join(revoked.code) == .gone)
            #expect(await preview(revoked.code) == .gone)

            let used = try await store.directory.createInvite(to: group.id, uses: 1, by: owner)
            let first = try await store.person("First").user.id
            _ = try await store.directory.join(code: used.code, user: first)
            #expect(await join(used.code) == .gone)

            let expired = try await store.directory.createInvite(to: group.id, expiresIn: 60, by: owner)
            store.manual.advance(milliseconds: 60_000)
            #expect(await join(expired.code) == .gone)
            #expect(await preview(expired.code) == .gone)

            #expect(await join("AAAAAAAAAAAA") == .notFound)
            #expect(await preview("AAAAAAAAAAAA") == .notFound)
        }
    }

    @Test("the invites of somebody who is removed die with that, and those of somebody who leaves do not")
    func departed() async throws {
        try await Store.with { store in
            let (group, people) = try await store.group(3)
            let users = people.map(\.user.id)
            func preview(_ code: String) async -> Refusal? {
                await failure { _ = try await store.directory.invitePreview(code) }
            }
            let codes = [
                try await store.directory.createInvite(to: group.id, by: users[0]).code,
                try await store.directory.createInvite(to: group.id, by: users[1]).code,
                try await store.directory.createInvite(to: group.id, by: users[2]).code,
            ]
            _ = try await store.directory.removeMember(users[1], from: group.id, by: users[0])
            _ = try await store.directory.leave(group.id, user: users[2])
            #expect(await preview(codes[0]) == nil)
            #expect(await preview(codes[1]) == .gone)
            #expect(await preview(codes[2]) == nil)
            let back = await failure {
                _ = try await store.directory.join(code: codes[1], user: users[1])
            }
            #expect(back == .gone)
        }
    }

    @Test("of 200 who come at the same time with an invite for five, five get in")
    func race() async throws {
        try await Store.with { store in
            let (group, people) = try await store.group(1)
            let invite = try await store.directory.createInvite(to: group.id, uses: 5, by: people[0].user.id)
            // Inserted by SQL, because signing up 200 users is not part of the test.
            _ = try await store.pool.query(
                """
                INSERT INTO muster.account (id, username, password_hash, name, created_at)
                SELECT n, 'racer' || n, '', 'Racer', now() FROM generate_series(1, 200) n
                """
            )
            let outcomes = await withTaskGroup(of: Refusal?.self) { tasks in
                for number in 1...200 {
                    tasks.addTask {
                        await failure {
                            _ = try await store.directory.join(code: invite.code, user: UserID(Int64(number)))
                        }
                    }
                }
                return await tasks.reduce(into: [Refusal?]()) { $0.append($1) }
            }
            let admitted = outcomes.count { $0 == nil }
            let refused = outcomes.count { $0 == .gone }
            #expect(admitted == 5)
            #expect(refused == 195)
            let final = try await store.directory.loadGroup(group.id)
            #expect(final.members.count == 6)
            #expect(final.revision == group.revision + 5)
        }
    }

    @Test("the 251st is told that the group is full")
    func cap() async throws {
        try await Store.with { store in
            let (group, people) = try await store.group(1)
            let invite = try await store.directory.createInvite(to: group.id, by: people[0].user.id)
            _ = try await store.pool.query(
                """
                WITH people AS (
                    INSERT INTO muster.account (id, username, password_hash, name, created_at)
                    SELECT n, 'crowd' || n, '', 'Crowd', now() FROM generate_series(1, 249) n RETURNING id
                )
                INSERT INTO muster.membership (group_id, user_id, visible_since, joined_at)
                SELECT $1, id, now(), now() FROM people
                """,
                [.int64(group.id.rawValue)]
            )
            let late = try await store.person("Late").user.id
            #expect(
                await failure {
                    _ = try await store.directory.join(code: invite.code, user: late)
                } == .conflict
            )
            _ = try await store.directory.leave(group.id, user: UserID(7))
            let joining = try await store.directory.join(code: invite.code, user: late)
            #expect(joining.group.members.count == 250)
        }
    }

    @Test("a group makes a thousand invites an hour, revoked ones too, and more an hour later")
    func perHour() async throws {
        try await Store.with { store in
            let (group, people) = try await store.group(1)
            let owner = people[0].user.id
            try await store.pool.query(
                """
                INSERT INTO muster.invite (code, group_id, created_by, created_at, expires_at, revoked_at)
                SELECT lpad(n::text, 12, 'A'), $1, $2, $3, $3 + interval '7 days', $3
                FROM generate_series(1, 999 - (SELECT count(*) FROM muster.invite)) n
                """,
                [
                    .int64(group.id.rawValue), .int64(owner.rawValue),
                    .timestamptz(unixMilliseconds: store.now.milliseconds),
                ]
            )
            func invite() async -> Refusal? {
                await failure {
                    _ = try await store.directory.createInvite(to: group.id, by: owner)
                }
            }
            #expect(await invite() == nil)
            #expect(await invite() == .conflict)
            store.manual.advance(milliseconds: 3_600_001)
            #expect(await invite() == nil)
        }
    }
}

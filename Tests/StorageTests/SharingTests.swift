import MusterTestSupport
import Postgres
import Testing

@testable import MusterCore
@testable import MusterServer

@Suite struct SharingTests {
    @Test("pausing in every group changes every group, and in one only that one")
    func scope() async throws {
        try await Store.with { store in
            let owner = try await store.person().user.id
            let first = try await store.directory.createGroup(name: "One", by: owner)
            let second = try await store.directory.createGroup(name: "Two", by: owner)
            let all = try await store.directory.say(.paused, of: owner)
            #expect(all.map(\.id) == [first.id, second.id].sorted())
            #expect(all.map { $0.members[0].sharing.mode } == [.paused, .paused])
            #expect(all.map(\.revision) == [2, 2])
            let one = try await store.directory.say(.approximate, group: second.id, of: owner)
            #expect(one.map(\.id) == [second.id])
            #expect(try await store.directory.loadGroup(first.id).members[0].sharing.mode == .paused)
        }
    }

    @Test("sharing again after a pause hides what was taken before, and changing precision hides nothing")
    func visibleSince() async throws {
        try await Store.with { store in
            let owner = try await store.person().user.id
            let group = try await store.directory.createGroup(name: "One", by: owner)
            let joined = group.members[0].sharing.visibleSince
            store.manual.advance(milliseconds: 1000)
            func set(_ mode: Sharing.Mode, until: Timestamp? = nil) async throws -> Sharing {
                try await store.directory.say(mode, until: until, of: owner)[0].members[0].sharing
            }
            #expect(try await set(.approximate).visibleSince == joined)
            #expect(try await set(.paused).visibleSince == joined)
            store.manual.advance(milliseconds: 5000)
            #expect(try await set(.paused).visibleSince == joined)
            #expect(try await set(.live) == Sharing(visibleSince: store.now, hasPaused: true))

            // A pause that expired ended at its own time, not at the time of the next choice.
            let end = store.now + 10_000
            #expect(try await set(.paused, until: end).until == end)
            store.manual.advance(milliseconds: 30_000)
            #expect(
                try await set(.approximate) == Sharing(mode: .approximate, visibleSince: end, hasPaused: true)
            )
            let past = store.now
            #expect(
                await failure {
                    _ = try await store.directory.say(.paused, until: past, of: owner)
                } == .badRequest(field: "until")
            )
        }
    }

    @Test("live for a while ends hidden, by the rows too, and only what is taken after resuming is shown again")
    func thenPaused() async throws {
        try await Store.with { store in
            let owner = try await store.person().user.id
            let group = try await store.directory.createGroup(name: "One", by: owner)
            let joined = group.members[0].sharing.visibleSince
            let end = store.now + 10_000
            let set = try await store.directory.say(.live, until: end, then: .paused, of: owner)
            let expected = Sharing(mode: .live, until: end, then: .paused, visibleSince: joined)
            #expect(set[0].members[0].sharing == expected)
            #expect(try await store.directory.loadGroup(group.id).members[0].sharing == expected)
            #expect(try await store.directory.isPaused(owner, in: group.id) == false)
            store.manual.advance(milliseconds: 30_000)
            #expect(try await store.directory.isPaused(owner, in: group.id))
            let resumed = try await store.directory.say(.live, of: owner)
            #expect(resumed[0].members[0].sharing == Sharing(visibleSince: store.now, hasPaused: true))
        }
    }

    @Test("what operators see of a member follows the end of sharing", arguments: Sharing.After.allCases)
    func views(_ then: Sharing.After) async throws {
        try await Store.with { store in
            let owner = try await store.person().user.id
            _ = try await store.directory.createGroup(name: "One", by: owner)
            try await store.pool.query(
                """
                UPDATE muster.membership SET sharing = 'approximate', sharing_until = now() - interval '1 minute',
                    sharing_then = $1::text::muster.sharing_mode
                """,
                [.text(then.rawValue)]
            )
            let seen = try await store.pool.query("SELECT sharing::text FROM ops.member_freshness")
            #expect(try seen[0].text("sharing") == then.rawValue)
        }
    }

    @Test("of words that are stored in another order than they were said the latest stands, in each group")
    func latestChange() async throws {
        try await Store.with { store in
            let owner = try await store.person().user.id
            let first = try await store.directory.createGroup(name: "One", by: owner)
            let second = try await store.directory.createGroup(name: "Two", by: owner)
            let everywhere = try store.directory.sharingChange(.paused, of: owner)
            let one = try store.directory.sharingChange(.approximate, group: second.id, of: owner)
            _ = try await store.directory.setSharing(one)
            let groups = try await store.directory.setSharing(everywhere)
            #expect(groups.map { $0.members[0].sharing.mode } == [.paused, .approximate])
            // Repeated, as after a commit whose answer was lost.
            let again = try await store.directory.setSharing(everywhere)
            #expect(again.map { $0.members[0].sharing.mode } == [.paused, .approximate])
            #expect(again.map(\.id) == [first.id, second.id].sorted())
        }
    }
}

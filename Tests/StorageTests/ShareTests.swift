import MusterTestSupport
import Postgres
import Testing

@testable import MusterCore
@testable import MusterServer

@Suite("Share pictures in storage")
struct ShareTests {
    /// An event that withdraws a picture made by 1 that shows 2.
    enum Ending: String, CaseIterable, Sendable {
        case shownApproximate, shownPaused, shownOptsOut, shownLeaves, shownIsRemoved, shownIsDeleted
        case shownIsPausedEverywhere
        case makerPaused, makerOptsOut, makerLeaves, makerIsDeleted
        case groupIsDeleted, operatorDeletesMembership
    }

    @Test(
        "whoever is on it or made it and is seen less, or is gone, takes it back in that transaction",
        arguments: Ending.allCases
    )
    func endings(ending: Ending) async throws {
        try await Store.with { store in
            let (group, people) = try await store.group(4)
            let (owner, maker, shown) = (people[0].user.id, people[1].user.id, people[2].user.id)
            let directory = store.directory
            let share = try await store.share(of: group.id, by: maker, showing: [shown])
            // An unrelated picture remains.
            let other = try await store.share(of: group.id, by: people[3].user.id, showing: [owner])
            #expect(try await store.refusal(of: share) == nil)
            let code = try #require(share.code)
            #expect(try await !directory.openShare(code: code, withPicture: true).png.isEmpty)
            switch ending {
            case .shownApproximate: _ = try await directory.say(.approximate, group: group.id, of: shown)
            case .shownPaused:
                _ = try await directory.say(.paused, until: store.now + 60_000, group: group.id, of: shown)
            case .shownIsPausedEverywhere: _ = try await directory.say(.paused, of: shown)
            case .shownOptsOut:
                _ = try await directory.setSharing(directory.picturesChange(false, group: group.id, of: shown))
            case .shownLeaves: _ = try await directory.leave(group.id, user: shown)
            case .shownIsRemoved: _ = try await directory.removeMember(shown, from: group.id, by: owner)
            case .shownIsDeleted: _ = try await directory.deleteAccount(shown)
            case .makerPaused: _ = try await directory.say(.paused, of: maker)
            case .makerOptsOut: _ = try await directory.setSharing(directory.picturesChange(false, of: maker))
            case .makerLeaves: _ = try await directory.leave(group.id, user: maker)
            case .makerIsDeleted: _ = try await directory.deleteAccount(maker)
            case .groupIsDeleted: _ = try await directory.deleteGroup(group.id, by: owner)
            case .operatorDeletesMembership:
                try await store.pool.query("DELETE FROM muster.membership WHERE user_id = $1", [.int64(shown.rawValue)])
            }
            #expect(try await store.refusal(of: share) == .gone)
            let isOtherThere = ending != .groupIsDeleted
            #expect(try await store.refusal(of: other) == (isOtherThere ? nil : .gone))
            #expect(try await store.files() == (isOtherThere ? 1 : 0), "the files go with it")
            #expect(try await store.count("muster.share WHERE revoked_at IS NOT NULL") == (isOtherThere ? 1 : 2))
        }
    }

    @Test("what makes nobody be seen less takes nothing back, and a mode that is narrower than what is shown does")
    func widening() async throws {
        try await Store.with { store in
            let (group, people) = try await store.group(2)
            let (maker, shown) = (people[0].user.id, people[1].user.id)
            let directory = store.directory
            _ = try await directory.say(.approximate, of: shown)
            let share = try await store.share(of: group.id, by: maker, showing: [shown], as: .approximate)
            _ = try await directory.say(.approximate, until: store.now + 60_000, of: shown)
            _ = try await directory.say(.live, of: shown)
            _ = try await directory.setSharing(directory.picturesChange(true, of: shown))
            _ = try await directory.updateGroup(group.id, name: "Another", by: maker)
            #expect(try await store.refusal(of: share) == nil)
            _ = try await directory.say(.approximate, of: shown)
            #expect(try await store.refusal(of: share) == .gone)

            // By the server's clock the pause was over when the picture was drawn, by the database's clock it is not.
            _ = try await directory.say(.paused, until: store.now + 1_000, of: shown)
            try await store.pool.query(
                "UPDATE muster.membership SET sharing_until = now() + interval '1 hour' WHERE user_id = $1",
                [.int64(shown.rawValue)]
            )
            let live = try await store.share(of: group.id, by: maker, showing: [shown], as: .live)
            _ = try await directory.say(.approximate, of: shown)
            #expect(try await store.refusal(of: live) == .gone)
        }
    }

    @Test("a picture ends at the latest when one on it, or its maker, is to be hidden", arguments: [true, false])
    func endsWithSharing(isMaker: Bool) async throws {
        try await Store.with { store in
            let (group, people) = try await store.group(2)
            let (maker, shown) = (people[0].user.id, people[1].user.id)
            let before = try await store.share(of: group.id, by: maker, showing: [shown], as: .live)
            let end = store.now + 60_000
            _ = try await store.directory.say(.live, until: end, then: .paused, of: isMaker ? maker : shown)
            let after = try await store.share(of: group.id, by: maker, showing: [shown], as: .live)
            #expect(after.expiresAt == end)
            for share in [before, after] { #expect(try await store.refusal(of: share) == nil) }
            store.manual.advance(milliseconds: 60_000)
            for share in [before, after] { #expect(try await store.refusal(of: share) == .gone) }
        }
    }

    @Test("a picture is not kept when the group has changed since it was drawn, and its room says what is kept")
    func stale() async throws {
        try await Store.with { store in
            let (group, people) = try await store.group(2)
            let (maker, shown) = (people[0].user.id, people[1].user.id)
            var draft = ShareDraft(
                group: group.id,
                revision: group.revision,
                maker: maker,
                shown: [(shown, .live)],
                isNamed: false,
                png: [1],
                lifetime: 300
            )
            let paused = try await store.directory.say(.paused, of: shown)
            #expect(try await store.directory.addShare(draft) == nil)
            #expect(try await store.count("muster.share") == 0)
            draft.revision = paused[0].revision
            draft.shown = [(maker, .live)]
            let share = try #require(try await store.directory.addShare(draft))
            #expect(share.expiresAt - share.createdAt == 300_000 && !share.isNamed && share.shown == [maker])
            let said = try await store.pool.query(
                """
                SELECT data->>'share' AS share, data->'shown'->>0 AS shown, author_id FROM muster.message
                WHERE room_id = $1 AND data->>'event' = 'picture_shared'
                """,
                [.int64(group.id.rawValue)]
            )
            #expect(try said[0].text("share") == "\(share.id)" && said[0].text("shown") == "\(maker)")
            #expect(try said[0].int64("author_id") == maker.rawValue && said.rowCount == 1)
        }
    }

    @Test("it is seen until its end, is gone for thirty days, and then there never was one")
    func retention() async throws {
        try await Store.with { store in
            let (group, people) = try await store.group(2)
            let (maker, shown) = (people[0].user.id, people[1].user.id)
            let share = try await store.share(of: group.id, by: maker, showing: [shown], lifetime: 300)
            #expect(try await store.directory.shares(of: group.id, for: shown) == [share])
            store.manual.advance(milliseconds: 299_999)
            #expect(try await store.refusal(of: share) == nil)
            store.manual.advance(milliseconds: 1)
            #expect(try await store.refusal(of: share) == .gone)
            #expect(try await store.directory.shares(of: group.id, for: shown).isEmpty)
            try await store.directory.maintain()
            #expect(try await store.files() == 0)
            store.manual.advance(milliseconds: 29 * 86_400_000)
            try await store.directory.maintain()
            #expect(try await store.refusal(of: share) == .gone)
            store.manual.advance(milliseconds: 86_400_000)
            try await store.directory.maintain()
            #expect(try await store.refusal(of: share) == .notFound)
            #expect(try await store.count("muster.share_member") == 0)
        }
    }

    @Test("five an hour of a person in a group; others and other groups are not concerned")
    func rate() async throws {
        try await Store.with { store in
            let (group, people) = try await store.group(2)
            let (maker, other) = (people[0].user.id, people[1].user.id)
            let directory = store.directory
            for _ in 1...Share.mostPerHour {
                _ = try await store.share(of: group.id, by: maker, showing: [other])
                store.manual.advance(milliseconds: 60_000)
            }
            let revision = try await directory.loadGroup(group.id).revision
            let draft = ShareDraft(
                group: group.id,
                revision: revision,
                maker: maker,
                shown: [(maker, .live)],
                isNamed: true,
                png: [1],
                lifetime: 300
            )
            let before = await failure {
                try await directory.requirePictureMaker(maker, of: group.id)
            }
            let after = await failure { _ = try await directory.addShare(draft) }
            let wait = Refusal.rateLimited(retryAfter: 3_600_000 - 5 * 60_000)
            #expect(before == wait && after == wait)
            try await directory.requirePictureMaker(other, of: group.id)
            store.manual.advance(milliseconds: 3_600_000 - 5 * 60_000)
            try await directory.requirePictureMaker(maker, of: group.id)
        }
    }

    @Test("who made it, who is on it and the owner take it back; members may not, strangers find nothing; once")
    func rights() async throws {
        try await Store.with { store in
            let (group, people) = try await store.group(4)
            let users = people.map(\.user.id)
            let stranger = try await store.person("Stranger").user.id
            let directory = store.directory
            func revoke(_ share: Share, _ user: UserID) async -> Refusal? {
                await failure { try await directory.revokeShare(share.id, by: user) }
            }
            for user in [users[0], users[1], users[2]] {
                let share = try await store.share(of: group.id, by: users[1], showing: [users[2]])
                #expect(await revoke(share, users[3]) == .forbidden)
                #expect(await revoke(share, stranger) == .notFound)
                #expect(try await store.refusal(of: share) == nil)
                #expect(await revoke(share, user) == nil)
                #expect(try await store.refusal(of: share) == .gone)
                #expect(await revoke(share, user) == .gone)
            }
            #expect(
                await failure {
                    _ = try await directory.shares(of: group.id, for: stranger)
                } == .notMember
            )
        }
    }

    @Test("another secret key tells no code, and finds the pictures of known ones")
    func secretKey() async throws {
        try await Store.with { store in
            let (group, people) = try await store.group(2)
            let share = try await store.share(of: group.id, by: people[0].user.id, showing: [people[1].user.id])
            let other = Directory(pool: store.pool, clock: store.manual.clock)
            #expect(try await other.shares(of: group.id, for: people[0].user.id).map(\.code) == [nil])
            _ = try await other.openShare(code: try #require(share.code), withPicture: false)
        }
    }

    @Test("the faces of those who have one are drawn from their small picture")
    func faces() async throws {
        try await Store.with { store in
            let (_, people) = try await store.group(2)
            let users = people.map(\.user.id)
            let face = try await store.photo(of: users[0], .face)
            _ = try await store.photo(of: users[1])
            #expect(try await store.directory.faces(of: users).isEmpty)
            _ = try await store.directory.updateProfile(of: users[0], ProfileChange(avatar: .replaced(face.id)))
            #expect(try await store.directory.faces(of: users) == [users[0]: [UInt8](repeating: 8, count: 100)])
        }
    }

    @Test("pictures that are kept while people on them pause and are deleted never show who did")
    func races() async throws {
        try await Store.with { store in
            let (group, people) = try await store.group(6)
            let maker = people[0].user.id
            let directory = store.directory
            let users = people.dropFirst().map(\.user.id)
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                for (place, user) in users.enumerated() {
                    tasks.addTask {
                        if place % 2 == 0 {
                            _ = try await directory.say(.paused, of: user)
                        } else {
                            _ = try await directory.deleteAccount(user)
                        }
                    }
                }
                for _ in 1...5 {
                    tasks.addTask {
                        let standing = try await directory.loadGroup(group.id)
                        let shown = standing.members.filter { $0.sharing.mode == .live }
                        // Nil if the group has changed in between.
                        _ = try await directory.addShare(
                            ShareDraft(
                                group: group.id,
                                revision: standing.revision,
                                maker: maker,
                                shown: shown.map { ($0.user.id, .live) },
                                isNamed: true,
                                png: [1],
                                lifetime: 300
                            )
                        )
                    }
                }
                try await tasks.waitForAll()
            }
            #expect(try await store.count("muster.membership WHERE sharing = 'live'") == 1)
            let wrong = try await store.count(
                """
                muster.share s JOIN muster.share_member m ON m.share_id = s.id
                WHERE s.png IS NOT NULL AND m.user_id <> $1
                """,
                [.int64(maker.rawValue)]
            )
            #expect(wrong == 0)
        }
    }
}

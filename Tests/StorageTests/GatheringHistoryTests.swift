import MusterTestSupport
import Testing

@testable import MusterCore
@testable import MusterServer

@Suite struct GatheringHistoryTests {
    @Test("members read past gatherings page by page, newest first, with who was there; nobody else does")
    func pages() async throws {
        try await Store.with { store in
            let (group, people) = try await store.group(3)
            let users = people.map(\.user)
            let journal = TestJournal(store)
            journal.submit((1...3).map { .gathering(Self.ended($0, of: group.id, together: users, at: store.now)) })
            try await journal.finish()

            let first = try await store.directory.gatherings(of: group.id, for: users[0].id, limit: 2)
            #expect(first.map(\.id) == [GatheringID(3), GatheringID(2)])
            #expect(first[0].state == .ended)
            #expect(first[0].endedAt == store.now)
            #expect(first[0].since == store.now - 60_000)
            #expect(first[0].place.name == "Blue Bottle")
            #expect(first[0].participants.map(\.id).sorted() == users.prefix(2).map(\.id).sorted())
            let rest = try await store.directory.gatherings(of: group.id, for: users[0].id, after: first[1].id)
            #expect(rest.map(\.id) == [GatheringID(1)])

            let stranger = try await store.person("Stranger").user.id
            #expect(
                await failure {
                    _ = try await store.directory.gatherings(of: group.id, for: stranger)
                } == .notMember
            )
            #expect(
                await failure {
                    _ = try await store.directory.gatherings(of: group.id, for: users[0].id, limit: 0)
                } == .badRequest(field: "limit")
            )
        }
    }

    @Test("who joined later does not read of what was over before")
    func joinedLater() async throws {
        try await Store.with { store in
            let (group, people) = try await store.group(2)
            let journal = TestJournal(store)
            let users = people.map(\.user)
            journal.submit([.gathering(Self.ended(1, of: group.id, together: users, at: store.now - 1000))])
            try await journal.finish()
            #expect(try await store.directory.gatherings(of: group.id, for: users[0].id).isEmpty)
        }
    }

    private static func ended(
        _ number: Int64,
        of group: GroupID,
        together users: [UserProfile],
        at: Timestamp
    ) -> GatheringRecord {
        GatheringRecord(
            group: group,
            status: GatheringStatus(
                gathering: GatheringID(number),
                state: .ended,
                since: at - 60_000,
                place: GatheringPlace(lat: 40.7, lon: -74, name: "Blue Bottle"),
                together: [],
                absent: []
            ),
            at: at,
            participants: users.prefix(2).map(\.id),
            machine: nil
        )
    }
}

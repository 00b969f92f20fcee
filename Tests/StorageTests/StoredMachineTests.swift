import MusterTestSupport
import Postgres
import Testing

@testable import MusterCore
@testable import MusterServer

/// The machine's state in the readable format, and in the legacy format.
@Suite("Stored machines")
struct StoredMachineTests {
    @Test("what the landed version stored is read, and once it is written anew it is JSON with the same numbers")
    func legacy() async throws {
        try await Store.with { store in
            let (group, _) = try await store.group(3)
            _ = try await store.pool.query(
                "INSERT INTO muster.gathering_state (group_id, landed, updated_at) VALUES ($1, $2, now())",
                [.id(group.id), .bytea(LegacyState.gathered)]
            )
            let loaded = try await store.directory.loadGroup(group.id)
            #expect(loaded.gathering == .legacy(LegacyState.gathered))
            let now = Timestamp(milliseconds: 1_800_000_310_000)
            let members = (1...4).map { GatheringMachine.Member(user: UserID(Int64($0)), isSharingLive: true) }
            let machine = try #require(
                GatheringMachine(
                    restoring: .legacy(LegacyState.gathered),
                    settings: GroupSettings(),
                    members: members,
                    at: now
                )
            )
            #expect(machine.status?.together.map(\.rawValue) == [1, 2, 3])
            let state = try #require(machine.stored)
            let journal = TestJournal(store)
            journal.submit([.machine(group.id, state)])
            try await journal.finish()
            #expect(try await store.directory.loadGroup(group.id).gathering == state)
            let rows = try await store.pool.query(
                """
                SELECT landed IS NULL AS is_anew, state #>> '{gathering,together,0}' AS first,
                    state #>> '{members,3,position,place,lat}' AS lat
                FROM muster.gathering_state
                """
            )
            #expect(try rows[0].bool("is_anew"))
            #expect(try rows[0].text("first") == "1")
            let latitude = try #require(Double(try rows[0].text("lat")))
            #expect(latitude == 48.16397961091173, "as the landed bytes have it")
        }
    }
}

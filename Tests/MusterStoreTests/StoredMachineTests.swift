import MusterCore
import Postgres
import Testing

@testable import MusterStore

/// The machine's state as an operator reads it, and as the landed version wrote it.
@Suite("Stored machines")
struct StoredMachineTests {
    /// Three who are together and one at home, as version 3 of the machine stored them.
    private static let landed: [UInt8] = {
        let digits = [
            "0380d18686e36808020101c0a0ab86e3680180d18686e3685b9b4b3789114840e24a2e1078262740000000000000204000000000000000",
            "0000d00f5b9b4b3789114840e24a2e107826274080c0e285e36801000101a0dfe285e368040101c0a0ab86e3680180d18686e368cf32e4",
            "448611484066666666662627400000000000002040000000000000000000d00fcf32e44486114840666666666626274080c0e285e36801",
            "000101a0dfe285e368060101c0a0ab86e3680180d18686e3685b9b4b3789114840ea819ebc542627400000000000002040000000000000",
            "000000d00f5b9b4b3789114840ea819ebc5426274080c0e285e36801000101a0dfe285e368080101c0a0ab86e3680180d18686e368d109",
            "ad48fd14484066666666662627400000000000002040000000000000000000d00fd109ad48fd144840666666666626274080c0e285e368",
            "0100010006050300000002808080c097d2c1950b00a0dfe285e3685b9b4b3789114840666666666626274000060204060208e0dbf885e3",
            "6806020406020806020406020800010006020406000001020800020800e0dbf885e368",
        ].joined().compactMap { $0.hexDigitValue.map(UInt8.init) }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }()

    @Test("what the landed version stored is read, and once it is written anew it is JSON with the same numbers")
    func landed() async throws {
        try await Store.with { store in
            let (group, _) = try await store.group(3)
            _ = try await store.pool.query(
                "INSERT INTO muster.gathering_state (group_id, landed, updated_at) VALUES ($1, $2, now())",
                [.id(group.id), .bytea(Self.landed)]
            )
            let loaded = try await store.directory.loadGroup(group.id)
            #expect(loaded.gathering == .landed(Self.landed))
            let now = Timestamp(milliseconds: 1_800_000_310_000)
            let members = (1...4).map { GatheringMachine.Member(user: UserID(Int64($0)), isSharingLive: true) }
            let machine = try #require(
                GatheringMachine(
                    restoring: .landed(Self.landed),
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

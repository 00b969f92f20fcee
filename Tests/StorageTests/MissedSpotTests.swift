import MusterTestSupport
import Postgres
import Testing

@testable import MusterCore
@testable import MusterServer
@testable import MusterWire

@Suite struct MissedSpotTests {
    private static let cafe = Coordinate(latitude: 48.2082, longitude: 16.3738)

    private static func query(
        by user: UserID,
        after: SpotID,
        within radius: Double? = nil,
        of center: Coordinate = Self.cafe
    ) -> SpotQuery {
        SpotQuery(
            number: 1,
            session: SessionID(1),
            user: user,
            after: after,
            circle: radius.map { SpotQuery.Circle(center: center, radius: $0) }
        )
    }

    @Test("what was missed is others' spots in the area that are newer, and of ten seconds before, the newest first")
    func missed() async throws {
        try await Store.with { store in
            let ada = try await store.person("Ada").user.id
            let bo = try await store.person("Bo").user.id
            var spots: [SpotID] = []
            // One minute apart, except the fourth, which follows the third after eight seconds.
            for (number, metres) in [0.0, 600, 100, 100, 400, 900, 480].enumerated() {
                store.manual.advance(milliseconds: number == 3 ? 8_000 : 60_000)
                let north = Self.cafe.latitude + metres / Coordinate.metresPerDegree
                let place = Coordinate(latitude: north, longitude: Self.cafe.longitude)
                let author = number == 4 ? bo : ada
                let draft = SpotAdd(at: place, comment: "spot \(number)")
                spots.append(try await store.directory.addSpot(draft, by: author).id)
            }
            _ = try await store.directory.vote(.like, on: spots[6], by: bo)
            func missed(_ after: Int, _ radius: Double? = nil, by user: UserID) async throws -> [SpotID] {
                try await store.directory.spots(
                    missedBy: Self.query(by: user, after: spots[after], within: radius)
                ).map(\.id)
            }
            #expect(try await missed(0, by: bo) == [6, 5, 3, 2, 1].map { spots[$0] })
            #expect(try await missed(0, 500, by: bo) == [6, 3, 2].map { spots[$0] })
            #expect(try await missed(3, 500, by: bo) == [6, 2].map { spots[$0] }, "2 is of the ten seconds before")
            #expect(try await missed(4, 500, by: bo) == [6].map { spots[$0] })
            #expect(try await missed(3, 500, by: ada) == [4].map { spots[$0] })
            let seen = try await store.directory.spots(missedBy: Self.query(by: bo, after: spots[5]))
            #expect(seen.first?.vote == .like)
            #expect(seen.first?.likes == 1)
        }
    }

    @Test("of more than fifty the newest are missed; across the date line, too")
    func bound() async throws {
        try await Store.with { store in
            let ada = try await store.person("Ada").user.id
            let bo = try await store.person("Bo").user.id
            let line = Coordinate(latitude: -17, longitude: 179.9999)
            var spots: [SpotID] = []
            for number in 0..<60 {
                store.manual.advance(milliseconds: 1_000)
                let place = Coordinate(latitude: -17, longitude: number.isMultiple(of: 2) ? 179.9998 : -179.9998)
                spots.append(try await store.directory.addSpot(SpotAdd(at: place, comment: "s"), by: ada).id)
            }
            let query = Self.query(by: bo, after: SpotID(1), within: 100, of: line)
            let missed = try await store.directory.spots(missedBy: query).map(\.id)
            #expect(missed == spots.suffix(SpotQuery.limit).reversed())
        }
    }

    @Test("votes are counted as they stand in the table; a spot that is gone has none")
    func votes() async throws {
        try await Store.with { store in
            let people = try await store.group(3).people.map(\.user.id)
            let first = try await store.directory.addSpot(SpotAdd(at: Self.cafe, comment: "a"), by: people[0]).id
            let second = try await store.directory.addSpot(SpotAdd(at: Self.cafe, comment: "b"), by: people[0]).id
            _ = try await store.directory.vote(.like, on: first, by: people[0])
            _ = try await store.directory.vote(.like, on: first, by: people[1])
            _ = try await store.directory.vote(.dislike, on: first, by: people[2])
            #expect(
                try await store.directory.votes(on: [first, second, SpotID(1)]) == [
                    SpotVotes(spot: first, likes: 2, dislikes: 1), SpotVotes(spot: second, likes: 0, dislikes: 0),
                ]
            )
            #expect(
                try await store.directory.texts(of: [first, second, SpotID(1)]) == [
                    SpotText(spot: first, comment: "a", likes: 2, dislikes: 1),
                    SpotText(spot: second, comment: "b", likes: 0, dislikes: 0),
                ]
            )
        }
    }

    @Test("the nearest of a million are found by an index, also of a rare category")
    func plans() async throws {
        try await Store.with { store in
            let ada = try await store.person("Ada").user.id
            let connectionString = store.connectionString
            try await onWorkerThread { try Self.addMillion(by: ada, connectionString) }
            for (category, index, most) in [
                (nil, "spot_place", 100), ("café", "spot_category_place", 100), ("rare", "spot_category_place", 10),
            ] as [(String?, String, Int)] {
                let search = SpotsNearby(near: Self.cafe, radius: 50_000, limit: 100, category: category)
                let plan = try await Self.plan(of: Directory.nearest(search, for: ada), store.pool)
                #expect(plan.contains("Index Scan using \(index) on"), "\(plan)")
                #expect(plan.contains("Order By: (place <->"), "\(plan)")
                #expect(!plan.contains("Seq Scan on spot"), "\(plan)")
                #expect(try await store.directory.spots(near: search, for: ada).count == most)
            }
        }
    }

    /// Adds a million spots on a grid of 20 by 30 km, ten of them of the category `rare`, a third of `café`.
    ///
    /// Blocks.
    private static func addMillion(by user: UserID, _ connectionString: String) throws {
        let session = PostgresSession(connectionString: connectionString, timeout: .seconds(600))
        try session.connect()
        // Building the indexes after the insertion takes a third of the time.
        let indexes = try session.execute(
            """
            SELECT c.relname AS name, pg_get_indexdef(c.oid) AS definition
            FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
            WHERE i.indrelid = 'muster.spot'::regclass AND NOT i.indisprimary
            """
        )
        for row in indexes { _ = try session.execute("DROP INDEX muster.\(try row.text("name"))") }
        _ = try session.execute(
            """
            INSERT INTO muster.spot (id, author_id, lat, lon, comment, category, created_at)
            SELECT n, $1, 48.1 + (n % 1000) * 0.0002, 16.2 + (n / 1000) * 0.0004, 'Spot ' || n,
                CASE WHEN n % 100000 = 0 THEN 'rare' WHEN n % 3 = 0 THEN 'café' END, now()
            FROM generate_series(1, 1000000) n
            """,
            [.int64(user.rawValue)]
        )
        for row in indexes { _ = try session.execute(try row.text("definition")) }
        _ = try session.execute("ANALYZE muster.spot")
    }

    private static func plan(of statement: PostgresStatement, _ pool: PostgresPool) async throws -> String {
        let rows = try await pool.query("EXPLAIN " + statement.sql, statement.parameters)
        return try rows.map { (row) in try row.text("QUERY PLAN") }.joined(separator: "\n")
    }
}

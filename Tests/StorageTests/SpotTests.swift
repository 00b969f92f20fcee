import MusterTestSupport
import Postgres
import Testing

@testable import MusterCore
@testable import MusterServer
@testable import MusterWire

@Suite struct SpotTests {
    private static let cafe = Coordinate(latitude: 40.7128, longitude: -74.006)

    private static func draft(
        _ comment: String = "Blue Bottle",
        at coordinate: Coordinate = Self.cafe,
        category: String? = nil
    ) -> SpotAdd {
        SpotAdd(at: coordinate, comment: comment, category: category)
    }

    @Test("a spot is as its author described it, for everybody")
    func add() async throws {
        try await Store.with { store in
            let ada = try await store.person("Ada").user
            let bo = try await store.person("Bo").user.id
            let added = try await store.directory.addSpot(
                Self.draft(" Blue Bottle\nThe corner table. ", category: "café"),
                by: ada.id
            )
            #expect(added.comment == "Blue Bottle\nThe corner table.")
            #expect(added.category == "café")
            #expect(added.coordinate == Self.cafe)
            #expect(added.author == ada)
            #expect(added.at == store.now)
            #expect((added.likes, added.dislikes, added.vote) == (0, 0, .none))
            let all = try await store.directory.spots(limit: 10, for: bo)
            #expect(all.spots == [added.value])
            #expect(all.next == nil)
        }
    }

    @Test("a vote replaces the one before; each sees their own")
    func votes() async throws {
        try await Store.with { store in
            let people = try await store.group(3).people.map(\.user.id)
            let spot = try await store.directory.addSpot(Self.draft(), by: people[0]).id
            _ = try await store.directory.vote(.like, on: spot, by: people[0])
            var seen = try await store.directory.vote(.dislike, on: spot, by: people[1])
            #expect((seen.likes, seen.dislikes, seen.vote) == (1, 1, .dislike))
            seen = try await store.directory.vote(.like, on: spot, by: people[1])
            #expect((seen.likes, seen.dislikes, seen.vote) == (2, 0, .like))
            // A repeated vote counts once.
            seen = try await store.directory.vote(.like, on: spot, by: people[1])
            #expect((seen.likes, seen.dislikes, seen.vote) == (2, 0, .like))
            seen = try await store.directory.vote(.none, on: spot, by: people[1])
            #expect((seen.likes, seen.dislikes, seen.vote) == (1, 0, .none))
            let page = try await store.directory.spots(limit: 1, for: people[2])
            #expect((page.spots[0].likes, page.spots[0].vote) == (1, .none))
            #expect(
                await failure {
                    _ = try await store.directory.vote(.like, on: SpotID(1), by: people[0])
                } == .notFound
            )
            // Deleting an account deletes its votes.
            _ = try await store.directory.deleteAccount(people[0])
            #expect(try await store.count("muster.spot_vote") == 0)
        }
    }

    @Test("only the author deletes a spot, and it goes with their account, votes included")
    func deletion() async throws {
        try await Store.with { store in
            let people = try await store.group(2).people.map(\.user.id)
            let first = try await store.directory.addSpot(Self.draft("First"), by: people[0]).id
            let second = try await store.directory.addSpot(Self.draft("Second"), by: people[0]).id
            func delete(_ spot: SpotID, by user: UserID) async -> Refusal? {
                await failure {
                    _ = try await store.directory.deleteSpot(spot, by: user)
                }
            }
            #expect(await delete(first, by: people[1]) == .forbidden)
            #expect(try await store.count("muster.spot") == 2)
            #expect(await delete(first, by: people[0]) == nil)
            #expect(await delete(first, by: people[0]) == .notFound)
            _ = try await store.directory.vote(.like, on: second, by: people[1])
            _ = try await store.directory.deleteAccount(people[0])
            #expect(try await store.count("muster.spot") == 0)
            #expect(try await store.count("muster.spot_vote") == 0)
        }
    }

    @Test("the nearest come first, within the radius, of the kind that is wanted, also beyond the date line")
    func nearby() async throws {
        try await Store.with { store in
            let user = try await store.person().user.id
            // A point on the equator, this many metres east of the date line; negative values are west of it.
            func place(_ metres: Double) -> Coordinate {
                let degrees = metres / Coordinate.metresPerDegree
                return Coordinate(latitude: 0, longitude: metres < 0 ? 180 + degrees : -180 + degrees)
            }
            for (name, metres) in [("a", -900.0), ("b", -90.0), ("c", 30.0), ("d", 400.0), ("e", 30.0)] {
                store.manual.advance(milliseconds: 1)
                _ = try await store.directory.addSpot(
                    Self.draft(name, at: place(metres), category: name == "b" ? "bar" : "café"),
                    by: user
                )
            }
            // Inside the bounding box of a circle of 500 m, but outside the circle.
            store.manual.advance(milliseconds: 1)
            let corner = Coordinate(latitude: 400 / Coordinate.metresPerDegree, longitude: place(400).longitude)
            _ = try await store.directory.addSpot(Self.draft("f", at: corner, category: "café"), by: user)
            func names(_ radius: Double, _ limit: Int, _ category: String? = nil) async throws -> String {
                let search = SpotsNearby(near: place(10), radius: radius, limit: limit, category: category)
                return try await store.directory.spots(near: search, for: user).map(\.spot.comment).joined()
            }
            #expect(try await names(50_000, 100) == "cebdfa")
            #expect(try await names(600, 100) == "cebdf")
            #expect(try await names(500, 100) == "cebd")
            #expect(try await names(450, 100) == "cebd")
            #expect(try await names(50_000, 2) == "ce")
            #expect(try await names(50_000, 2, "café") == "ce")
            #expect(try await names(50_000, 100, "bar") == "b")
            #expect(try await names(50_000, 100, "museum").isEmpty)
            #expect(try await names(5, 100).isEmpty)
            let search = SpotsNearby(near: place(10), radius: 500, limit: 100)
            for found in try await store.directory.spots(near: search, for: user) {
                #expect(abs(found.distance - found.spot.coordinate.distance(to: place(10))) < 0.01)
            }
        }
    }

    @Test("pages of all spots hold each once, the newest first, whatever is added or deleted meanwhile")
    func pages() async throws {
        try await Store.with { store in
            let user = try await store.person().user.id
            var added: [Spot] = []
            for number in 1...7 {
                store.manual.advance(milliseconds: 1)
                added.append(try await store.directory.addSpot(Self.draft("Spot \(number)"), by: user).value)
            }
            let first = try await store.directory.spots(limit: 3, for: user)
            #expect(first.spots == added[4...6].reversed())
            #expect(first.next == added[4].id)
            store.manual.advance(milliseconds: 1)
            _ = try await store.directory.addSpot(Self.draft("Newest"), by: user)
            // The cursor never expires, even if its spot is deleted.
            _ = try await store.directory.deleteSpot(added[4].id, by: user)
            let second = try await store.directory.spots(after: first.next, limit: 3, for: user)
            #expect(second.spots == added[1...3].reversed())
            let third = try await store.directory.spots(after: second.next, limit: 3, for: user)
            #expect(third.spots == [added[0]])
            #expect(third.next == nil)
        }
    }

    @Test("what a client may not say is not stored")
    func refusals() async throws {
        try await Store.with { store in
            let user = try await store.person().user.id
            func add(_ draft: SpotAdd, by user: UserID) async -> Refusal? {
                await failure {
                    _ = try await store.directory.addSpot(draft, by: user)
                }
            }
            #expect(await add(Self.draft("   "), by: user) == .badRequest(field: "comment"))
            #expect(await add(Self.draft("\u{200B}"), by: user) == .badRequest(field: "comment"))
            let long = String(repeating: "x", count: 501)
            #expect(await add(Self.draft(long), by: user) == .badRequest(field: "comment"))
            #expect(await add(Self.draft(category: "a\nb"), by: user) == .badRequest(field: "category"))
            let nowhere = Coordinate(latitude: 91, longitude: 0)
            #expect(await add(Self.draft(at: nowhere), by: user) == .badRequest(field: "lat"))
            #expect(await add(Self.draft(), by: UserID(1)) == .notFound)
            _ = try await store.pool.query(
                """
                INSERT INTO muster.spot (id, author_id, lat, lon, comment, created_at)
                SELECT n, $1, 0, 0, 'Spot', now() FROM generate_series(1, $2) n
                """,
                [.int64(user.rawValue), .int64(Int64(Directory.spotsPerPerson))]
            )
            #expect(await add(Self.draft(), by: user) == .conflict)
            #expect(try await store.count("muster.spot") == Int64(Directory.spotsPerPerson))
        }
    }
}

import MusterTestSupport
import MusterWire
import Postgres
import Testing

@testable import MusterCore
@testable import MusterServer

@Suite struct PinTests {
    private static let fair = Coordinate(latitude: 48.216_43, longitude: 16.395_81)

    private static func posted(_ posting: Committed<PinPosting>) throws -> Pin {
        guard case .posted(let pin) = posting.value else { throw Unposted(posting: posting.value) }
        return pin
    }

    private struct Unposted: Error {
        let posting: PinPosting
    }

    @Test("a pin is as its person described it, for everybody, until they delete it")
    func post() async throws {
        try await Store.with { store in
            let ada = try await store.person("Ada").user
            #expect(try await store.directory.pin(of: ada.id) == nil)
            let draft = PinPost(" At the fair ", at: Self.fair, link: "https://example.org/fair")
            let pin = try Self.posted(await store.directory.postPin(draft, by: ada.id))
            #expect(pin.text == "At the fair")
            #expect(pin.coordinate == Self.fair)
            #expect(pin.link == "https://example.org/fair")
            #expect(pin.person == ada)
            #expect(pin.at == store.now)
            #expect(pin.label == "48.2164, 16.3958")
            #expect(try await store.directory.pin(of: ada.id) == pin)
            #expect(try await store.directory.pins(limit: 10) == PinPage(pins: [pin], next: nil, total: 1))
            #expect(try await store.directory.deletePin(of: ada.id).value == pin.id)
            #expect(try await store.directory.pins(limit: 10) == PinPage(pins: [], next: nil, total: 0))
            let again = await failure {
                _ = try await store.directory.deletePin(of: ada.id)
            }
            #expect(again == .notFound)
            let stranger = await failure {
                _ = try await store.directory.postPin(draft, by: UserID(1))
            }
            #expect(stranger == .notFound)
        }
    }

    @Test("a pin that stands is replaced by who knows its revision, and is told to who does not")
    func replace() async throws {
        try await Store.with { store in
            let ada = try await store.person("Ada").user.id
            let first = try Self.posted(await store.directory.postPin(PinPost("One", at: Self.fair), by: ada))
            for wrong: Int64? in [nil, 0, first.revision - 1, first.revision + 1] {
                let draft = PinPost("Two", at: Self.fair, replacing: wrong)
                #expect(try await store.directory.postPin(draft, by: ada).value == .existing(first))
            }
            let place = Coordinate(latitude: 1, longitude: 2)
            let draft = PinPost("Two", at: place, link: nil, replacing: first.revision)
            // Within the same millisecond.
            let second = try Self.posted(await store.directory.postPin(draft, by: ada))
            #expect(second.id == first.id)
            #expect(second.revision > first.revision)
            #expect((second.text, second.coordinate) == ("Two", place))
            #expect(try await store.directory.postPin(draft, by: ada).value == .existing(second))
            #expect(try await store.count("muster.pin") == 1)

            // The revision from before the deletion does not replace the next pin.
            _ = try await store.directory.deletePin(of: ada)
            store.manual.advance(milliseconds: 10)
            let third = try Self.posted(await store.directory.postPin(draft, by: ada))
            #expect(third.id != second.id)
            #expect(try await store.directory.postPin(draft, by: ada).value == .existing(third))
        }
    }

    @Test("of two devices that post or replace at once, one is told of the other's", arguments: [false, true])
    func atOnce(replaces: Bool) async throws {
        try await Store.with { store in
            let directory = store.directory
            for round in 1...5 {
                let ada = try await store.person("Ada \(round)").user.id
                var revision: Int64?
                if replaces {
                    revision = try Self.posted(await directory.postPin(PinPost("0", at: Self.fair), by: ada)).revision
                }
                let draft = PinPost("1", at: Self.fair, replacing: revision)
                async let one = directory.postPin(draft, by: ada)
                async let other = directory.postPin(draft, by: ada)
                let postings = try await [one, other].map(\.value)
                let posted = postings.compactMap { if case .posted(let pin) = $0 { pin } else { nil } }
                #expect(posted.count == 1)
                #expect(postings.contains(.existing(try #require(posted.first))))
            }
        }
    }

    @Test("an approximate pin is nowhere better known than by the grid")
    func approximate() async throws {
        try await Store.with { store in
            let ada = try await store.person("Ada").user.id
            let draft = PinPost("Around here", at: Self.fair, isApproximate: true)
            let pin = try Self.posted(await store.directory.postPin(draft, by: ada))
            #expect(pin.coordinate == Coordinate(latitude: 48.22, longitude: 16.4))
            #expect(pin.label == "48.22, 16.4")
            let exact = try await store.count("muster.pin WHERE lat::text LIKE '48.2164%' OR lon::text LIKE '16.3958%'")
            #expect(exact == 0)
        }
    }

    @Test("a pin says which street it is in, or which city is near; a rough one never the street")
    func labels() async throws {
        try await Store.with { store in
            let folder = try PlaceFolder()
            let cities = geoNamesLine(1, "Rosenheim", at: 47.856, 12.123, people: 60_000, code: "PPLA3")
            try await store.importPlaces(try folder.write("cities.txt", cities))
            let street = #"""
                {"type":"FeatureCollection","features":[{"type":"Feature","id":"w5",
                "geometry":{"type":"LineString","coordinates":[[12.1,47.85],[12.11,47.85]]},
                "properties":{"name":"Seestraße","highway":"residential"}}]}
                """#
            try await store.importPlaces(try folder.write("streets.geojson", street))
            func label(_ latitude: Double, _ longitude: Double, isCoarse: Bool = false) async throws -> String {
                let person = try await store.person().user.id
                let place = Coordinate(latitude: latitude, longitude: longitude)
                let draft = PinPost("Here", at: place, isApproximate: isCoarse)
                return try Self.posted(await store.directory.postPin(draft, by: person)).label
            }
            #expect(try await label(47.850_2, 12.105).hasPrefix("Seestraße"))
            #expect(try await label(47.851, 12.105).hasPrefix("near Rosenheim"))
            // The grid point lies on the street.
            #expect(try await label(47.850_2, 12.101, isCoarse: true).hasPrefix("near Rosenheim"))
            #expect(try await label(47.5, 12.105) == "47.5, 12.105")
        }
    }

    @Test("pins come the newest first, a replaced one as a new one, page by page, and none twice")
    func pages() async throws {
        try await Store.with { store in
            var people: [UserID] = []
            for number in 1...5 {
                let person = try await store.person("\(number)").user.id
                people.append(person)
                _ = try await store.directory.postPin(PinPost("\(number)", at: Self.fair), by: person)
                // Two have the same time; the newer id comes first.
                if number != 3 { store.manual.advance(milliseconds: 1) }
            }
            let revision = try #require(try await store.directory.pin(of: people[1])).revision
            _ = try await store.directory.postPin(PinPost("2a", at: Self.fair, replacing: revision), by: people[1])
            var texts: [[String]] = []
            var cursor: PinCursor?
            repeat {
                let page = try await store.directory.pins(after: cursor, limit: 2)
                #expect(page.total == 5)
                texts.append(page.pins.map(\.text))
                cursor = page.next
            } while cursor != nil
            #expect(texts == [["2a", "5"], ["4", "3"], ["1"]])
        }
    }

    @Test("what an operator changes is a new revision, and a pin that is moved loses its old label")
    func operators() async throws {
        try await Store.with { store in
            let ada = try await store.person("Ada").user.id
            let pin = try Self.posted(await store.directory.postPin(PinPost("One", at: Self.fair), by: ada))
            func change(_ set: String) async throws -> Pin {
                try await store.pool.query("UPDATE muster.pin SET \(set)")
                return try #require(try await store.directory.pin(of: ada))
            }
            let named = try await change("label = 'near Vienna'")
            #expect((named.label, named.revision) == ("near Vienna", pin.revision + 1))
            let said = try await change("text = 'Two', revision = 1")
            #expect((said.text, said.label, said.revision) == ("Two", "near Vienna", pin.revision + 2))
            #expect(try await change("lat = 1, lon = 2").label == "1.0, 2.0")
            #expect(try await change("lat = 3, label = 'There'").label == "There")
            // Cursors of pages have whole milliseconds.
            #expect(
                try await change("posted_at = timestamptz '2026-11-20 12:00:00.1239+00'").at.milliseconds % 1000 == 123
            )
            let before = try #require(try await store.directory.pin(of: ada)).revision
            _ = try await store.directory.updateProfile(of: ada, ProfileChange(name: "Ada L."))
            let renamed = try #require(try await store.directory.pin(of: ada))
            #expect((renamed.person.name, renamed.revision) == ("Ada L.", before + 1))
            _ = try await store.directory.updateProfile(of: ada, ProfileChange(name: "Ada L."))
            #expect(try await store.directory.pin(of: ada) == renamed)
        }
    }

    @Test(
        "the table refuses what the protocol refuses",
        arguments: [
            "link = 'javascript:alert(1)'", "link = 'http://user@host'", "link = 'http://'", "link = E'http://a/\\n'",
            "text = ''", "text = repeat('a', 201)", "lat = 91", "lon = 'NaN'", "approximate = true, lat = 1.234",
        ]
    )
    func checks(change: String) async throws {
        try await Store.with { store in
            let ada = try await store.person("Ada").user.id
            _ = try await store.directory.postPin(PinPost("One", at: Self.fair), by: ada)
            await #expect(throws: PostgresError.self) { try await store.pool.query("UPDATE muster.pin SET \(change)") }
        }
    }
}

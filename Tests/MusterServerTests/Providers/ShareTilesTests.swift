import EventLoop
import ImagingWire
import MusterTestSupport
import OutboundHTTP
import Testing

@testable import MusterCore
@testable import MusterServer

@Suite("Map tiles of share pictures", .blocking)
struct ShareTilesTests {
    private let server = TileServer()

    /// Providers that query the stand-in with this timeout.
    private func providers(timeout: Int64 = 30_000) throws -> Providers {
        var configuration = ProviderConfiguration()
        configuration.contact = "mailto:operator@muster.example"
        configuration.tiles = ProviderConfiguration.Tiles(
            try TileTemplate(configured: try self.server.template),
            attribution: "© Somebody"
        )
        configuration.timeout = timeout
        return Providers(configuration, blocking: BlockingPool(), clock: .system, logger: Logger(level: .error))
    }

    private func tiles(_ count: Int = 12, row: Int = 5) throws -> [TileAddress] {
        try (0..<count).map { try #require(TileAddress(zoom: 10, x: 580 + $0, y: row)) }
    }

    /// The deadline of a picture that is made now, generous for a busy machine.
    private var deadline: Int64 { MonotonicClock.system.milliseconds + 60_000 }

    @Test("are asked for once, by their numbers, as PNG, and nothing else is said")
    func asks() async throws {
        let providers = try self.providers()
        let tiles = try #require(providers.tiles)
        let wanted = try self.tiles()
        // Two pictures of one town at the same time.
        async let one = tiles.find(wanted, by: self.deadline)
        async let other = tiles.find(wanted, by: self.deadline)
        for found in await [one, other] {
            #expect(found.map(\.tile) == wanted)
            #expect(found.allSatisfy { SharePicture.Tile.isLikely($0.file) })
        }
        let later = await tiles.find(wanted, by: 0)
        #expect(later.allSatisfy { $0.result == .kept && SharePicture.Tile.isLikely($0.file) })
        let heard = try self.server.heard()
        #expect(heard.map(\.path).sorted() == (580..<592).map { "/10/\($0)/5.png" })
        for request in heard {
            #expect(Set(request.headers.keys) == ["host", "user-agent", "accept", "accept-encoding"])
            #expect(request.headers["accept"] == "image/png")
            #expect(request.headers["user-agent"]?.hasSuffix("(+mailto:operator@muster.example)") == true)
        }
        let counts = providers.statistics.counts
        #expect(counts.questions.keys.map { [$0.provider, $0.outcome] } == [["tiles", "ok"]])
        #expect(counts.questions.values.map(\.count) == [12])
    }

    @Test(
        "that are no tiles, or too large, are none, and the server is left alone that sends them",
        arguments: ["html", "huge", "large", "cut", "error"]
    )
    func unreadable(mode: String) async throws {
        try self.server.answer(mode)
        let providers = try self.providers()
        let tiles = try #require(providers.tiles)
        let found = await tiles.find(try self.tiles(), by: self.deadline)
        #expect(found.count == 12 && found.allSatisfy { $0.result == .failed && $0.file.isEmpty })
        #expect(providers.statistics.counts.circuits.values.contains(true))
        let heard = try self.server.heard().count
        try self.server.answer("ok")
        #expect(await tiles.find(try self.tiles(row: 6), by: self.deadline).allSatisfy { $0.result == .failed })
        #expect(try self.server.heard().count == heard)
    }

    @Test("that the server has not are no failure, and the others come")
    func absent() async throws {
        try self.server.answer("odd")
        let providers = try self.providers()
        let tiles = try #require(providers.tiles)
        let found = await tiles.find(try self.tiles(), by: self.deadline)
        #expect(found.map(\.result) == (0..<12).map { $0 % 2 == 0 ? .fetched : .absent })
        try self.server.answer("absent")
        let none = await tiles.find(try self.tiles(row: 6), by: self.deadline)
        #expect(none.allSatisfy { $0.result == .absent && $0.file.isEmpty })
        try self.server.answer("ok")
        #expect(await tiles.find(try self.tiles(row: 6), by: self.deadline).allSatisfy { $0.result == .fetched })
    }

    @Test(
        "that come too late are none, however slowly they come, and what is here already is drawn",
        arguments: ["hang", "drip"]
    )
    func slow(mode: String) async throws {
        let providers = try self.providers(timeout: 30_000)
        let tiles = try #require(providers.tiles)
        #expect(tiles.timeout == 3_000, "nobody waits longer, whatever other servers may take")
        #expect(await tiles.find(try self.tiles(3), by: self.deadline).allSatisfy { $0.result == .fetched })
        try self.server.answer(mode)
        let start = MonotonicClock.system.milliseconds
        let found = await tiles.find(try self.tiles(), by: start + 200)
        let took = MonotonicClock.system.milliseconds - start
        #expect((200..<2_900).contains(took), "\(took) ms")
        #expect(found.map(\.result) == (0..<12).map { $0 < 3 ? .kept : .failed })
        // The request itself has the same timeout, because a later answer would have no use.
        #expect(try self.providers(timeout: 400).tiles?.timeout == 400)
    }
}

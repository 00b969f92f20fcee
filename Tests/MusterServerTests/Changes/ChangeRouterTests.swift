import EventLoop
import MusterTestSupport
import Postgres
import Testing

@testable import MusterCore
@testable import MusterServer
@testable import MusterWire

@Suite("Changes on their way to the live state", .blocking)
struct ChangeRouterTests {
    /// A router whose outputs are recorded.
    private struct Fixture {
        let world = SessionFixture.Notes()
        let clusters = ClusterRecorder()
        let services: Services

        init() {
            self.services = Services(
                configuration: ServerConfiguration(),
                clock: .system,
                logger: Logger(level: .error),
                world: self.world,
                clusters: self.clusters
            )
            self.clusters.answer(self.services.tileReads)
        }

        var router: ChangeRouter { self.services.router }

        /// The inputs of the maps about spots, except for the load.
        var maps: [ClusterInput] {
            self.clusters.notified.filter { input in
                switch input {
                case .put(.spots, _), .narrowed(.spots, _), .removed(.spots, _): true
                default: false
                }
            }
        }

        func kind(_ name: String) throws -> ChangeKind {
            try #require(self.router.changeKinds.first { $0.name == name })
        }
    }

    private static func spot(_ id: Int64, revision: Int64 = 1) -> Change {
        let spot = Spot(
            id: SpotID(id),
            coordinate: Coordinate(latitude: 1, longitude: 2),
            comment: "",
            author: UserProfile(id: UserID(7), name: "Ada"),
            at: Timestamp(milliseconds: 0),
            revision: revision
        )
        return .row(.spot(StoredSpot(spot)))
    }

    private static func point(_ id: Int64) -> TilePoint {
        guard case .row(.spot(let spot)) = Self.spot(id) else { preconditionFailure("it is a spot") }
        return spot.point
    }

    @Test("a row that was deleted before the request that wrote it reports it is never shown, on maps or in the world")
    func deletedFirst() async {
        let fixture = Fixture()
        await fixture.router.apply([.deleted(.spot, id: 1)])
        await fixture.router.apply([Self.spot(1), Self.spot(2)])
        #expect(fixture.maps == [.removed(.spots, [1]), .put(.spots, [Self.point(2)])])
        let places = fixture.world.received.flatMap { input -> [SpotID] in
            if case .spots(.added(let places)) = input { places.map(\.spot) } else { [] }
        }
        #expect(places == [SpotID(2)])
    }

    @Test("a spot that lost its photo is shown without delay, and a late report of its author's request is ignored")
    func narrowed() async throws {
        try await DirectoryFixture.with { directory in
            let fixture = Fixture()
            let user = try await directory.directory.signUp(username: "ada", password: "correct horse", name: "Ada")
                .user.id
            let spot = try await directory.directory.addSpot(
                SpotAdd(at: Coordinate(latitude: 1, longitude: 2), comment: "Here"),
                by: user
            )
            let id = spot.id.rawValue
            try await fixture.kind("spot").readAgain([id], directory.directory)
            await fixture.router.apply(spot.changes)
            try await directory.pool.query("UPDATE muster.spot SET revision = 7")
            try await fixture.kind("spot").readAgain([id], directory.directory)
            await fixture.router.apply(spot.changes)
            let story = fixture.maps.map { input in
                switch input {
                case .put(_, let points): "put \(points.map(\.id) == [id])"
                case .narrowed(_, let points): "narrowed \(points.map(\.id) == [id])"
                default: "other"
                }
            }
            #expect(story == ["put true", "narrowed true"])
        }
    }

    @Test("an answer about a group is a part of the group's change, and other answers follow all changes")
    func answers() async {
        let group = GroupSnapshot(id: GroupID(1), revision: 2, name: "G", members: [])
        let answer = PreparedAnswer(session: SessionID(3), frame: [1])
        let fixture = Fixture()
        await fixture.router.apply([.group(group)], then: { [.answerRequested(answer)] })
        await fixture.router.apply([.group(group), .loginEnded(LoginID(4))], then: { [.answerRequested(answer)] })
        let story = fixture.world.received.map { input in
            switch input {
            case .groupChanged(_, let answer): answer == nil ? "group" : "group and answer"
            case .loginEnded: "login"
            case .answerRequested: "answer"
            default: "other"
            }
        }
        #expect(story == ["group and answer", "group", "login", "answer"])
    }

    @Test("a comparison that fails loads nothing, and the next one hides the rows that it does not find")
    func failedComparison() async throws {
        try await DirectoryFixture.with { directory in
            let fixture = Fixture()
            await fixture.router.apply([Self.spot(5)])
            let spots = try fixture.kind("spot")
            let closed = PostgresPool(PostgresPool.Configuration(connectionString: "host=/nonexistent"))
            await closed.close()
            await #expect(throws: PostgresError.self) { _ = try await spots.compare(nil, Directory(pool: closed)) }
            #expect(fixture.router.count(of: .spot) == nil)
            #expect(try await spots.compare(nil, directory.directory) == nil)
            #expect(fixture.router.count(of: .spot) == 0)
            #expect(fixture.maps.last == .removed(.spots, [5]))
        }
    }

    @Test("a client that comes right after the start waits until all events have been read, and not again")
    func waits() async throws {
        try await DirectoryFixture.with { directory in
            let fixture = Fixture()
            let early = Task { try await fixture.router.requireLoaded(.event) }
            var last: Int64?
            repeat { last = try await fixture.kind("event").compare(last, directory.directory) } while last != nil
            try await early.value
            let clock = MonotonicClock.system
            let start = clock.milliseconds
            try await fixture.router.requireLoaded(.event)
            #expect(clock.milliseconds - start < 1000)
        }
    }

    @Test("an error says when events have not been read for long, and when to come again")
    func unavailable() async {
        let error = await #expect(throws: FrameError.self) { try await Fixture().router.requireLoaded(.event) }
        #expect(error?.code == .unavailable)
        #expect(error?.message == "Events are being loaded.")
        #expect(error?.retryAfter == 500)
    }
}

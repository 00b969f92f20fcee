import Testing

@testable import MusterCore

@Suite("Watching for spots") struct WorldSpotWatchTests {
    private static let here = Coordinate(latitude: 50, longitude: 8)

    private static func news(
        _ spot: Int64,
        _ metres: Double = 0,
        by author: Int64 = 99
    ) -> WorldInput {
        .publicationRequested(
            Publication(
                to: .area(.spots, at: Self.here.moved(metres, bearing: 0), except: UserID(author)),
                .live(.newSpot(SpotID(spot), frame: [UInt8(spot)]))
            )
        )
    }

    private static func watch(_ session: Int64, _ scope: SpotWatch.Scope, after: Int64? = nil) -> WorldInput {
        .spots(.watched(SessionID(session), SpotWatch(scope, after: after.map { SpotID($0) })))
    }

    /// A world with these open sessions, each of the user with the same number.
    private static func world(_ sessions: Int64...) -> WorldUnderTest {
        var test = WorldUnderTest()
        for session in sessions { test.open(session, user: session) }
        return test
    }

    @Test("a push reaches those within the radius of where they are, and says how far it is; not the author's sessions")
    func nearby() throws {
        var effects: [WorldEffect]
        var test = Self.world(1, 2, 3)
        test.open(4, user: 3, device: 31)
        test.turn(Self.watch(1, .nearby(radius: 500)), Self.watch(2, .nearby(radius: 200)), Self.watch(3, .all))
        test.turn(Self.watch(4, .nearby(radius: 500)))
        test.turn([1, 2, 3].map { WorldUnderTest.report($0, test.fix(1, lat: 50, lon: 8)) })
        effects = test.turn(Self.news(7, 312))
        #expect(effects.found(7) == [1, 3, 4])
        #expect(abs(try #require(effects.distances(7)[1] ?? nil) - 312) < 1)
        #expect(abs(try #require(effects.distances(7)[3] ?? nil) - 312) < 1, "also for who watches all")
        // 1 moves away, and 2 approaches.
        test.now = test.now + 60_000
        test.turn(WorldUnderTest.report(1, test.fix(2, lat: 50.01)), WorldUnderTest.report(2, test.fix(2, lat: 50.002)))
        effects = test.turn(Self.news(8, 312))
        #expect(effects.found(8) == [2, 3, 4])
        effects = test.turn(Self.news(9, 0, by: 3))
        #expect(effects.found(9) == [], "3 and 4 are the author's")
        effects = test.turn(Self.news(8, 312))
        #expect(effects.found(8) == [], "nobody is told twice")
    }

    @Test("who is nowhere is told nothing until the first fix; who shows nobody where they are, is told all the same")
    func positions() {
        var effects: [WorldEffect]
        var test = Self.world(1, 2)
        test.turn(Self.watch(1, .nearby(radius: 500)), Self.watch(2, .all))
        let first = test.turn(Self.news(6))
        #expect(first.found(6) == [2])
        #expect(first.distances(6) == [2: nil])
        test.turn(.groupLoaded(WorldUnderTest.group(1, members: [1], sharing: [1: Sharing(mode: .paused)])))
        test.turn(WorldUnderTest.report(1, test.fix(1, lat: 50, lon: 8)))
        effects = test.turn(Self.news(7))
        #expect(effects.found(7) == [1, 2])
    }

    @Test("a session without a position of its own has the person's last one")
    func storedPosition() {
        var effects: [WorldEffect]
        var test = WorldUnderTest()
        var opening = WorldUnderTest.opening(1, user: 1)
        let fix = Fix(sequence: 1, at: WorldUnderTest.start, coordinate: Self.here, accuracy: 5)
        opening.arrival.position = StoredPosition(device: DeviceID(99), fix: fix, isStationary: false)
        test.turn(.sessionOpened(opening))
        test.turn(Self.watch(1, .nearby(radius: 500)))
        effects = test.turn(Self.news(7))
        #expect(effects.found(7) == [1])
    }

    @Test("who watches nothing, is a watch or is gone is told nothing")
    func ends() {
        var effects: [WorldEffect]
        var test = Self.world(1, 2, 3)
        test.turn(.sessionOpened(WorldUnderTest.opening(4, user: 4, isWatch: true)))
        test.turn([1, 2, 3, 4].map { Self.watch($0, .all) })
        effects = test.turn(Self.news(7))
        #expect(effects.found(7) == [1, 2, 3])
        test.turn(Self.watch(1, .none), .sessionClosed(SessionID(2)))
        effects = test.turn(Self.news(8))
        #expect(effects.found(8) == [3])
        effects = test.turn(.spots(.deleted([SpotID(7)])))
        #expect(effects.told(3) == [.spotGone(SpotID(7))])
        #expect(effects.told(1) == [.spotGone(SpotID(7))], "who watches nothing now was sent it all the same")
        effects = test.turn(Self.news(7))
        #expect(effects.found(7) == [], "it is gone by now")
        #expect(test.world.areas.count == 2, "that of 3, and that of the watch")
        test.turn(.sessionClosed(SessionID(3)), .sessionClosed(SessionID(4)))
        #expect(test.world.areas.count == 0)
        #expect(test.world.sentSpots.count == 0)
    }

    @Test("what was missed is read around where one is, and sent; only the newest watch counts")
    func catchUp() throws {
        var effects: [WorldEffect]
        var test = Self.world(1)
        test.turn(WorldUnderTest.report(1, test.fix(1, lat: 50, lon: 8)))
        effects = test.turn(Self.watch(1, .nearby(radius: 500), after: 5))
        let first = try #require(effects.spotReadings.first)
        #expect(first.circle == SpotReading.Circle(center: Self.here, radius: 500))
        #expect(first.after == SpotID(5))
        effects = test.turn(Self.watch(1, .all, after: 6))
        let second = try #require(effects.spotReadings.first)
        #expect(second.circle == nil)
        let news = [9, 8].map { SpotNews(spot: SpotID($0), coordinate: Self.here, frame: [UInt8($0)]) }
        effects = test.turn(.answered(.missedSpots(first), .missedSpots(news)))
        #expect(effects.found == [])
        let sent = test.turn(.answered(.missedSpots(second), .missedSpots(news)))
        #expect(sent.found == [9, 8])
        #expect(sent.distances(9) == [1: 0])
        effects = test.turn(.answered(.missedSpots(second), .missedSpots(news)))
        #expect(effects.found == [], "once")
        effects = test.turn(Self.news(9))
        #expect(effects.found(9) == [], "it was sent it")
        // A spot that was sent this way counts as sent.
        effects = test.turn(.spots(.deleted([SpotID(8)])))
        #expect(effects.told(1) == [.spotGone(SpotID(8))])
    }

    @Test("what was missed is read when the first position comes, and again when storage was away")
    func catchUpLater() throws {
        var effects: [WorldEffect]
        var test = Self.world(1)
        effects = test.turn(Self.watch(1, .nearby(radius: 500), after: 5))
        #expect(effects.spotReadings.isEmpty)
        effects = test.turn(WorldUnderTest.report(1, test.fix(1, lat: 50, lon: 8)))
        let first = try #require(effects.spotReadings.first)
        test.turn(.answered(.missedSpots(first), nil))
        effects = test.pass(World.catchUpPause - 1000)
        #expect(effects.spotReadings.isEmpty)
        effects = test.pass(1000)
        let second = try #require(effects.spotReadings.first)
        #expect(second.number != first.number)
        #expect(second.circle == first.circle)
        test.turn(.answered(.missedSpots(second), nil), .sessionClosed(SessionID(1)))
        effects = test.pass(World.catchUpPause)
        #expect(effects.spotReadings.isEmpty)
    }

    @Test("of what a session was sent, the newest are remembered")
    func bound() {
        var test = Self.world(1, 2)
        test.turn(Self.watch(1, .all))
        let spots = (1...Int64(SentSpots.capacity + 2)).map { SpotID($0) }
        test.turn(.spots(.sent(SessionID(1), spots)), .spots(.sent(SessionID(2), [SpotID(1)])))
        let gone = test.turn(.spots(.deleted([SpotID(1), SpotID(2), SpotID(3)])))
        #expect(gone.told(1) == [.spotGone(SpotID(3))])
        #expect(gone.told(2) == [.spotGone(SpotID(1))], "also who watches nothing, and got it in an answer")
    }
}

extension [WorldEffect] {
    /// The new spots that were sent, in order.
    fileprivate var found: [Int64] {
        self.compactMap { if case .publishNear(_, .newSpot(let spot, _)) = $0 { spot.rawValue } else { nil } }
    }

    /// The users to whom a new spot was sent, and their distances.
    fileprivate func distances(_ spot: Int64) -> [Int64: Double?] {
        var distances: [Int64: Double?] = [:]
        for case .publishNear(let sessions, .newSpot(SpotID(spot), _)) in self {
            for near in sessions { distances[near.session.rawValue] = near.distance }
        }
        return distances
    }

    fileprivate func found(_ spot: Int64) -> [Int64] { self.distances(spot).keys.sorted() }

    fileprivate var spotReadings: [SpotReading] {
        self.compactMap { if case .ask(.missedSpots(let reading)) = $0 { reading } else { nil } }
    }
}

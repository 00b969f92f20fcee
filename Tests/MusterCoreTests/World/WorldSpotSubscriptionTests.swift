import Testing

@testable import MusterCore

@Suite("Watching for spots") struct WorldSpotSubscriptionTests {
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

    private static func subscription(
        _ session: Int64,
        _ scope: SpotSubscription.Scope,
        after: Int64? = nil
    ) -> WorldInput {
        .spots(.subscribed(SessionID(session), SpotSubscription(scope, after: after.map { SpotID($0) })))
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
        test.iterate(
            Self.subscription(1, .nearby(radius: 500)),
            Self.subscription(2, .nearby(radius: 200)),
            Self.subscription(3, .all)
        )
        test.iterate(Self.subscription(4, .nearby(radius: 500)))
        test.iterate([1, 2, 3].map { WorldUnderTest.report($0, test.fix(1, lat: 50, lon: 8)) })
        effects = test.iterate(Self.news(7, 312))
        #expect(effects.found(7) == [1, 3, 4])
        #expect(abs(try #require(effects.distances(7)[1] ?? nil) - 312) < 1)
        #expect(abs(try #require(effects.distances(7)[3] ?? nil) - 312) < 1, "also for who watches all")
        // 1 moves away, and 2 approaches.
        test.now = test.now + 60_000
        test.iterate(
            WorldUnderTest.report(1, test.fix(2, lat: 50.01)),
            WorldUnderTest.report(2, test.fix(2, lat: 50.002))
        )
        effects = test.iterate(Self.news(8, 312))
        #expect(effects.found(8) == [2, 3, 4])
        effects = test.iterate(Self.news(9, 0, by: 3))
        #expect(effects.found(9) == [], "3 and 4 are the author's")
        effects = test.iterate(Self.news(8, 312))
        #expect(effects.found(8) == [], "nobody is told twice")
    }

    @Test("who is nowhere is told nothing until the first fix; who shows nobody where they are, is told all the same")
    func positions() {
        var effects: [WorldEffect]
        var test = Self.world(1, 2)
        test.iterate(Self.subscription(1, .nearby(radius: 500)), Self.subscription(2, .all))
        let first = test.iterate(Self.news(6))
        #expect(first.found(6) == [2])
        #expect(first.distances(6) == [2: nil])
        test.iterate(.groupLoaded(WorldUnderTest.group(1, members: [1], sharing: [1: Sharing(mode: .paused)])))
        test.iterate(WorldUnderTest.report(1, test.fix(1, lat: 50, lon: 8)))
        effects = test.iterate(Self.news(7))
        #expect(effects.found(7) == [1, 2])
    }

    @Test("a session without a position of its own has the person's last one")
    func storedPosition() {
        var effects: [WorldEffect]
        var test = WorldUnderTest()
        var opening = WorldUnderTest.opening(1, user: 1)
        let fix = Fix(sequence: 1, at: WorldUnderTest.start, coordinate: Self.here, accuracy: 5)
        opening.arrival.position = StoredPosition(device: DeviceID(99), fix: fix, isStationary: false)
        test.iterate(.sessionOpened(opening))
        test.iterate(Self.subscription(1, .nearby(radius: 500)))
        effects = test.iterate(Self.news(7))
        #expect(effects.found(7) == [1])
    }

    @Test("who watches nothing, is a watch or is gone is told nothing")
    func ends() {
        var effects: [WorldEffect]
        var test = Self.world(1, 2, 3)
        test.iterate(.sessionOpened(WorldUnderTest.opening(4, user: 4, isWatch: true)))
        test.iterate([1, 2, 3, 4].map { Self.subscription($0, .all) })
        effects = test.iterate(Self.news(7))
        #expect(effects.found(7) == [1, 2, 3])
        test.iterate(Self.subscription(1, .none), .sessionClosed(SessionID(2)))
        effects = test.iterate(Self.news(8))
        #expect(effects.found(8) == [3])
        effects = test.iterate(.spots(.deleted([SpotID(7)])))
        #expect(effects.messages(to: 3) == [.spotGone(SpotID(7))])
        #expect(effects.messages(to: 1) == [.spotGone(SpotID(7))], "who watches nothing now was sent it all the same")
        effects = test.iterate(Self.news(7))
        #expect(effects.found(7) == [], "it is gone by now")
        #expect(test.world.areas.count == 2, "that of 3, and that of the watch")
        test.iterate(.sessionClosed(SessionID(3)), .sessionClosed(SessionID(4)))
        #expect(test.world.areas.count == 0)
        #expect(test.world.sentSpots.count == 0)
    }

    @Test("what was missed is read around where one is, and sent; only the newest watch counts")
    func catchUp() throws {
        var effects: [WorldEffect]
        var test = Self.world(1)
        test.iterate(WorldUnderTest.report(1, test.fix(1, lat: 50, lon: 8)))
        effects = test.iterate(Self.subscription(1, .nearby(radius: 500), after: 5))
        let first = try #require(effects.spotQueries.first)
        #expect(first.circle == SpotQuery.Circle(center: Self.here, radius: 500))
        #expect(first.after == SpotID(5))
        effects = test.iterate(Self.subscription(1, .all, after: 6))
        let second = try #require(effects.spotQueries.first)
        #expect(second.circle == nil)
        let news = [9, 8].map { SpotSnapshot(spot: SpotID($0), coordinate: Self.here, frame: [UInt8($0)]) }
        effects = test.iterate(.answered(.missedSpots(first), .missedSpots(news)))
        #expect(effects.found == [])
        let sent = test.iterate(.answered(.missedSpots(second), .missedSpots(news)))
        #expect(sent.found == [9, 8])
        #expect(sent.distances(9) == [1: 0])
        effects = test.iterate(.answered(.missedSpots(second), .missedSpots(news)))
        #expect(effects.found == [], "once")
        effects = test.iterate(Self.news(9))
        #expect(effects.found(9) == [], "it was sent it")
        // A spot that was sent this way counts as sent.
        effects = test.iterate(.spots(.deleted([SpotID(8)])))
        #expect(effects.messages(to: 1) == [.spotGone(SpotID(8))])
    }

    @Test("what was missed is read when the first position comes, and again when storage was away")
    func catchUpLater() throws {
        var effects: [WorldEffect]
        var test = Self.world(1)
        effects = test.iterate(Self.subscription(1, .nearby(radius: 500), after: 5))
        #expect(effects.spotQueries.isEmpty)
        effects = test.iterate(WorldUnderTest.report(1, test.fix(1, lat: 50, lon: 8)))
        let first = try #require(effects.spotQueries.first)
        test.iterate(.answered(.missedSpots(first), nil))
        effects = test.pass(World.catchUpPause - 1000)
        #expect(effects.spotQueries.isEmpty)
        effects = test.pass(1000)
        let second = try #require(effects.spotQueries.first)
        #expect(second.number != first.number)
        #expect(second.circle == first.circle)
        test.iterate(.answered(.missedSpots(second), nil), .sessionClosed(SessionID(1)))
        effects = test.pass(World.catchUpPause)
        #expect(effects.spotQueries.isEmpty)
    }

    @Test("of what a session was sent, the newest are remembered")
    func bound() {
        var test = Self.world(1, 2)
        test.iterate(Self.subscription(1, .all))
        let spots = (1...Int64(SentSpots.capacity + 2)).map { SpotID($0) }
        test.iterate(.spots(.sent(SessionID(1), spots)), .spots(.sent(SessionID(2), [SpotID(1)])))
        let gone = test.iterate(.spots(.deleted([SpotID(1), SpotID(2), SpotID(3)])))
        #expect(gone.messages(to: 1) == [.spotGone(SpotID(3))])
        #expect(gone.messages(to: 2) == [.spotGone(SpotID(1))], "also who watches nothing, and got it in an answer")
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

    fileprivate var spotQueries: [SpotQuery] {
        self.compactMap { if case .ask(.missedSpots(let query)) = $0 { query } else { nil } }
    }
}

import Testing

@testable import MusterCore

@Suite struct WorldTilesTests {
    private static let layer = TileLayer.group(GroupID(1))
    private static let cover = TileCover(zoom: 0, west: -180, south: -85, east: 180, north: 85)

    private static func ask(
        _ question: ClusterQuestion = .subscribe(Self.cover),
        _ layer: TileLayer = Self.layer,
        as user: Int64,
        on asker: ClusterRequester? = nil
    ) -> WorldInput {
        let asker = asker ?? .session(SessionID(user), .number(1))
        return .tilesAsked(ClusterRequest(asker: asker, user: UserID(user), layer: layer, question: question))
    }

    /// The inputs for the cluster service.
    private static func notified(_ effects: [WorldEffect]) -> [ClusterInput] {
        effects.compactMap { if case .clusters(let input) = $0 { input } else { nil } }
    }

    /// Group 1 with users 7 and 8, whose sessions have the same numbers.
    private static func world() -> WorldUnderTest {
        var test = WorldUnderTest()
        test.open(7, user: 7, members: [1: [7, 8]])
        test.open(8, user: 8, members: [1: [7, 8]])
        test.iterate(WorldUnderTest.report(7, test.fix(1, lat: 50.1, lon: 8.1)))
        return test
    }

    private static func point(_ user: Int64, _ lat: Double, _ lon: Double) -> TilePoint {
        TilePoint(
            id: user,
            coordinate: Coordinate(latitude: lat, longitude: lon),
            values: PointValues(["user \(user)"])
        )
    }

    @Test("nobody is told of a group until somebody looks; then its members, and after that who moves")
    func feed() {
        var test = Self.world()
        #expect(Self.notified(test.effects) == [])
        test.iterate(Self.ask(as: 8))
        #expect(
            Self.notified(test.effects) == [
                .opened(Self.layer, [Self.point(7, 50.1, 8.1)]),
                .asked(.session(SessionID(8), .number(1)), Self.layer, .subscribe(Self.cover)),
            ]
        )
        test.iterate(WorldUnderTest.report(7, test.fix(2, lat: 50.1001, lon: 8.1)))
        let move = TileMove(id: 7, point: Self.point(7, 50.1001, 8.1), isNarrower: false)
        #expect(Self.notified(test.effects) == [.moved(Self.layer, [move])])
        test.iterate(Self.ask(as: 7))
        #expect(Self.notified(test.effects).count == 1, "the cluster service has the group already")
    }

    @Test("a pause, the grid and a departure are told as what must not wait")
    func narrower() {
        var test = Self.world()
        test.iterate(Self.ask(as: 8))
        let change = { (revision: Int64, members: [Int64], mode: Sharing.Mode) -> WorldInput in
            let sharing = Sharing(mode: mode)
            return .groupChanged(
                WorldUnderTest.group(1, revision: revision, members: members, sharing: [7: sharing]),
                answer: nil
            )
        }
        test.iterate(change(2, [7, 8], .approximate))
        let coarse = Self.point(7, 50.1, 8.1)
        #expect(Self.notified(test.effects) == [.moved(Self.layer, [TileMove(id: 7, point: coarse, isNarrower: true)])])
        test.iterate(change(3, [7, 8], .paused))
        #expect(Self.notified(test.effects) == [.moved(Self.layer, [TileMove(id: 7, point: nil, isNarrower: true)])])
        test.iterate(change(4, [8], .live))
        #expect(Self.notified(test.effects) == [.moved(Self.layer, [TileMove(id: 7, point: nil, isNarrower: true)])])
    }

    @Test("who leaves a group loses the watch, and the layer goes with its group")
    func ends() {
        var test = Self.world()
        test.iterate(Self.ask(as: 7), Self.ask(as: 8))
        test.iterate(.groupChanged(WorldUnderTest.group(1, revision: 2, members: [8]), answer: nil))
        #expect(Self.notified(test.effects).first == .layerUnsubscribed(SessionID(7), Self.layer))
        test.iterate(Self.ask(as: 7))
        #expect(Self.notified(test.effects) == [.refused(.session(SessionID(7), .number(1)), .notMember)])
        test.iterate(.groupChanged(WorldUnderTest.group(1, revision: 3, members: []), answer: nil))
        #expect(Self.notified(test.effects) == [.layerUnsubscribed(SessionID(8), Self.layer), .closed(Self.layer)])
    }

    @Test("a group is told of for 30 s after the last who looked, however they went")
    func idle() {
        var test = Self.world()
        test.iterate(Self.ask(as: 7), Self.ask(as: 8))
        test.iterate(Self.ask(.unsubscribe, as: 7))
        test.iterate(.sessionClosed(SessionID(8)))
        #expect(Self.notified(test.effects) == [.ended(SessionID(8))])
        #expect(Self.notified(test.pass(29_000)) == [])
        #expect(Self.notified(test.pass(2_000)) == [.closed(Self.layer)])
        test.iterate(WorldUnderTest.report(7, test.fix(2, lat: 50.2)))
        #expect(Self.notified(test.effects) == [])
    }

    @Test("whoever has left a group may still say that they watch it no longer")
    func unwatchAfterLeaving() {
        var test = Self.world()
        test.iterate(Self.ask(as: 7))
        test.iterate(.groupChanged(WorldUnderTest.group(1, revision: 2, members: [8]), answer: nil))
        test.iterate(Self.ask(.unsubscribe, as: 7), Self.ask(.unsubscribe, .group(GroupID(77)), as: 7))
        let asker = ClusterRequester.session(SessionID(7), .number(1))
        let layers = [Self.layer, .group(GroupID(77))]
        #expect(Self.notified(test.effects) == layers.map { .asked(asker, $0, .unsubscribe) })
    }

    @Test("a subscription that the cluster service cannot take now is none of the eight")
    func unavailable() {
        var test = WorldUnderTest()
        let groups = Dictionary(uniqueKeysWithValues: (1...8).map { ($0, [7]) }) as [Int64: [Int64]]
        test.open(7, user: 7, members: groups)
        test.iterate(Self.ask(.subscribe(Self.cover), .spots, as: 7))
        test.iterate(.tilesUnsubscribed(SessionID(7), .spots))
        for group in 1...8 as ClosedRange<Int64> {
            test.iterate(Self.ask(.subscribe(Self.cover), .group(GroupID(group)), as: 7))
            #expect(Self.notified(test.effects).count == 2, "group \(group) is watched")
        }
    }

    @Test("a session watches eight layers at most; the layer of strangers is refused, whether it exists or not")
    func refusals() {
        var test = WorldUnderTest()
        let groups = Dictionary(uniqueKeysWithValues: (1...9).map { ($0, [7]) }) as [Int64: [Int64]]
        test.open(7, user: 7, members: groups)
        for group in 1...8 as ClosedRange<Int64> {
            test.iterate(Self.ask(.subscribe(Self.cover), .group(GroupID(group)), as: 7))
            #expect(Self.notified(test.effects).count == 2)
        }
        test.iterate(Self.ask(.subscribe(Self.cover), .group(GroupID(9)), as: 7))
        #expect(Self.notified(test.effects).last == .refused(.session(SessionID(7), .number(1)), .tooManyLayers))
        test.iterate(Self.ask(.unsubscribe, .group(GroupID(1)), as: 7), Self.ask(.subscribe(Self.cover), .spots, as: 7))
        #expect(
            Self.notified(test.effects).last
                == .asked(.session(SessionID(7), .number(1)), .spots, .subscribe(Self.cover))
        )
        test.iterate(Self.ask(.subscribe(Self.cover), .group(GroupID(77)), as: 7))
        #expect(Self.notified(test.effects) == [.refused(.session(SessionID(7), .number(1)), .notMember)])
        test.iterate(Self.ask(.subscribe(Self.cover), TileLayer(kind: 99), as: 7))
        #expect(Self.notified(test.effects) == [.refused(.session(SessionID(7), .number(1)), .unknownLayer)])
    }

    @Test("a member without a session may look by HTTP: the group is read first")
    func byHTTP() throws {
        var test = WorldUnderTest()
        let tile = try #require(TileAddress(zoom: 0, x: 0, y: 0))
        let mine = Self.ask(.tile(tile), as: 7, on: .request(1))
        test.iterate(mine, Self.ask(.tile(tile), as: 9, on: .request(2)))
        #expect(test.effects.contains { if case .ask(.group(GroupID(1))) = $0 { true } else { false } })
        #expect(Self.notified(test.effects) == [])
        test.iterate(.groupLoaded(WorldUnderTest.group(1, members: [7, 8])))
        #expect(
            Self.notified(test.effects) == [
                .opened(Self.layer, []), .asked(.request(1), Self.layer, .tile(tile)),
                .refused(.request(2), .notMember),
            ]
        )
        test.iterate(Self.ask(.tile(tile), .group(GroupID(3)), as: 7, on: .request(3)))
        test.iterate(.answered(.group(GroupID(3)), nil))
        #expect(Self.notified(test.effects) == [.refused(.request(3), .loading)])
    }
}

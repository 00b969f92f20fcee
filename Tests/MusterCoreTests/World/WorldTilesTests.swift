import Testing

@testable import MusterCore

@Suite struct WorldTilesTests {
    private static let layer = TileLayer.group(GroupID(1))
    private static let cover = TileCover(zoom: 0, west: -180, south: -85, east: 180, north: 85)

    private static func ask(
        _ question: AtlasQuestion = .watch(Self.cover),
        _ layer: TileLayer = Self.layer,
        as user: Int64,
        on asker: AtlasAsker? = nil
    ) -> WorldInput {
        let asker = asker ?? .session(SessionID(user), .number(1))
        return .tilesAsked(AtlasRequest(asker: asker, user: UserID(user), layer: layer, question: question))
    }

    /// The inputs for the atlas.
    private static func told(_ effects: [WorldEffect]) -> [AtlasInput] {
        effects.compactMap { if case .atlas(let input) = $0 { input } else { nil } }
    }

    /// Group 1 with users 7 and 8, whose sessions have the same numbers.
    private static func world() -> WorldUnderTest {
        var test = WorldUnderTest()
        test.open(7, user: 7, members: [1: [7, 8]])
        test.open(8, user: 8, members: [1: [7, 8]])
        test.turn(WorldUnderTest.report(7, test.fix(1, lat: 50.1, lon: 8.1)))
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
        #expect(Self.told(test.effects) == [])
        test.turn(Self.ask(as: 8))
        #expect(
            Self.told(test.effects) == [
                .opened(Self.layer, [Self.point(7, 50.1, 8.1)]),
                .asked(.session(SessionID(8), .number(1)), Self.layer, .watch(Self.cover)),
            ]
        )
        test.turn(WorldUnderTest.report(7, test.fix(2, lat: 50.1001, lon: 8.1)))
        let move = TileMove(id: 7, point: Self.point(7, 50.1001, 8.1), isNarrower: false)
        #expect(Self.told(test.effects) == [.moved(Self.layer, [move])])
        test.turn(Self.ask(as: 7))
        #expect(Self.told(test.effects).count == 1, "the atlas has the group already")
    }

    @Test("a pause, the grid and a departure are told as what must not wait")
    func narrower() {
        var test = Self.world()
        test.turn(Self.ask(as: 8))
        let change = { (revision: Int64, members: [Int64], mode: Sharing.Mode) -> WorldInput in
            let sharing = Sharing(mode: mode)
            return .groupChanged(
                WorldUnderTest.group(1, revision: revision, members: members, sharing: [7: sharing]),
                answer: nil
            )
        }
        test.turn(change(2, [7, 8], .approximate))
        let coarse = Self.point(7, 50.1, 8.1)
        #expect(Self.told(test.effects) == [.moved(Self.layer, [TileMove(id: 7, point: coarse, isNarrower: true)])])
        test.turn(change(3, [7, 8], .paused))
        #expect(Self.told(test.effects) == [.moved(Self.layer, [TileMove(id: 7, point: nil, isNarrower: true)])])
        test.turn(change(4, [8], .live))
        #expect(Self.told(test.effects) == [.moved(Self.layer, [TileMove(id: 7, point: nil, isNarrower: true)])])
    }

    @Test("who leaves a group loses the watch, and the layer goes with its group")
    func ends() {
        var test = Self.world()
        test.turn(Self.ask(as: 7), Self.ask(as: 8))
        test.turn(.groupChanged(WorldUnderTest.group(1, revision: 2, members: [8]), answer: nil))
        #expect(Self.told(test.effects).first == .unwatched(SessionID(7), Self.layer))
        test.turn(Self.ask(as: 7))
        #expect(Self.told(test.effects) == [.refused(.session(SessionID(7), .number(1)), .notMember)])
        test.turn(.groupChanged(WorldUnderTest.group(1, revision: 3, members: []), answer: nil))
        #expect(Self.told(test.effects) == [.unwatched(SessionID(8), Self.layer), .closed(Self.layer)])
    }

    @Test("a group is told of for 30 s after the last who looked, however they went")
    func idle() {
        var test = Self.world()
        test.turn(Self.ask(as: 7), Self.ask(as: 8))
        test.turn(Self.ask(.unwatch, as: 7))
        test.turn(.sessionClosed(SessionID(8)))
        #expect(Self.told(test.effects) == [.ended(SessionID(8))])
        #expect(Self.told(test.pass(29_000)) == [])
        #expect(Self.told(test.pass(2_000)) == [.closed(Self.layer)])
        test.turn(WorldUnderTest.report(7, test.fix(2, lat: 50.2)))
        #expect(Self.told(test.effects) == [])
    }

    @Test("whoever has left a group may still say that they watch it no longer")
    func unwatchAfterLeaving() {
        var test = Self.world()
        test.turn(Self.ask(as: 7))
        test.turn(.groupChanged(WorldUnderTest.group(1, revision: 2, members: [8]), answer: nil))
        test.turn(Self.ask(.unwatch, as: 7), Self.ask(.unwatch, .group(GroupID(77)), as: 7))
        let asker = AtlasAsker.session(SessionID(7), .number(1))
        let layers = [Self.layer, .group(GroupID(77))]
        #expect(Self.told(test.effects) == layers.map { .asked(asker, $0, .unwatch) })
    }

    @Test("a watch that the atlas cannot take now is none of the eight")
    func unavailable() {
        var test = WorldUnderTest()
        let groups = Dictionary(uniqueKeysWithValues: (1...8).map { ($0, [7]) }) as [Int64: [Int64]]
        test.open(7, user: 7, members: groups)
        test.turn(Self.ask(.watch(Self.cover), .spots, as: 7))
        test.turn(.tilesUnwatched(SessionID(7), .spots))
        for group in 1...8 as ClosedRange<Int64> {
            test.turn(Self.ask(.watch(Self.cover), .group(GroupID(group)), as: 7))
            #expect(Self.told(test.effects).count == 2, "group \(group) is watched")
        }
    }

    @Test("a session watches eight layers at most; the layer of strangers is refused, whether it exists or not")
    func refusals() {
        var test = WorldUnderTest()
        let groups = Dictionary(uniqueKeysWithValues: (1...9).map { ($0, [7]) }) as [Int64: [Int64]]
        test.open(7, user: 7, members: groups)
        for group in 1...8 as ClosedRange<Int64> {
            test.turn(Self.ask(.watch(Self.cover), .group(GroupID(group)), as: 7))
            #expect(Self.told(test.effects).count == 2)
        }
        test.turn(Self.ask(.watch(Self.cover), .group(GroupID(9)), as: 7))
        #expect(Self.told(test.effects).last == .refused(.session(SessionID(7), .number(1)), .tooManyLayers))
        test.turn(Self.ask(.unwatch, .group(GroupID(1)), as: 7), Self.ask(.watch(Self.cover), .spots, as: 7))
        #expect(
            Self.told(test.effects).last == .asked(.session(SessionID(7), .number(1)), .spots, .watch(Self.cover))
        )
        test.turn(Self.ask(.watch(Self.cover), .group(GroupID(77)), as: 7))
        #expect(Self.told(test.effects) == [.refused(.session(SessionID(7), .number(1)), .notMember)])
        test.turn(Self.ask(.watch(Self.cover), TileLayer(kind: 99), as: 7))
        #expect(Self.told(test.effects) == [.refused(.session(SessionID(7), .number(1)), .unknownLayer)])
    }

    @Test("a member without a session may look by HTTP: the group is read first")
    func byHTTP() throws {
        var test = WorldUnderTest()
        let tile = try #require(TileAddress(zoom: 0, x: 0, y: 0))
        let mine = Self.ask(.tile(tile), as: 7, on: .request(1))
        test.turn(mine, Self.ask(.tile(tile), as: 9, on: .request(2)))
        #expect(test.effects.contains { if case .ask(.group(GroupID(1))) = $0 { true } else { false } })
        #expect(Self.told(test.effects) == [])
        test.turn(.groupLoaded(WorldUnderTest.group(1, members: [7, 8])))
        #expect(
            Self.told(test.effects) == [
                .opened(Self.layer, []), .asked(.request(1), Self.layer, .tile(tile)),
                .refused(.request(2), .notMember),
            ]
        )
        test.turn(Self.ask(.tile(tile), .group(GroupID(3)), as: 7, on: .request(3)))
        test.turn(.answered(.group(GroupID(3)), nil))
        #expect(Self.told(test.effects) == [.refused(.request(3), .loading)])
    }
}

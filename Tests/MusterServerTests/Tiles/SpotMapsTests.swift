import MusterCore
import Testing

@testable import MusterServer

@Suite struct SpotMapsTests {
    private static func spot(_ id: Int64) -> Spot {
        Spot(
            id: SpotID(id),
            coordinate: Coordinate(latitude: 1, longitude: 2),
            comment: "",
            author: UserProfile(id: UserID(7), name: "Ada"),
            at: Timestamp(milliseconds: 0)
        )
    }

    @Test("a spot that was deleted before its author's request tells of it is never shown")
    func deletedFirst() {
        let atlas = AtlasRecorder()
        let maps = SpotMaps(atlas: atlas, reads: PendingTileReads())
        maps.remove([SpotID(1)])
        maps.add(Self.spot(1))
        maps.showAgain(TilePoint(Self.spot(1)))
        maps.add(Self.spot(2))
        #expect(atlas.told == [.removed(.spots, [1]), .put(.spots, [TilePoint(Self.spot(2))])])
    }

    @Test("what is taken down of a spot does not wait, and stays down when its author's request tells of it later")
    func readAgain() {
        let atlas = AtlasRecorder()
        let maps = SpotMaps(atlas: atlas, reads: PendingTileReads())
        let point = TilePoint(Self.spot(1))
        maps.showAgain(point)
        maps.add(Self.spot(1))
        #expect(atlas.told == [.narrowed(.spots, [point])])
    }
}

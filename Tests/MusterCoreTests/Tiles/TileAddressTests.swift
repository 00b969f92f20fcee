import Testing

@testable import MusterCore

@Suite struct TileAddressTests {
    @Test("a coordinate and its point of the map are the same place, to a step of the map")
    func mercator() {
        for (latitude, longitude) in [(48.2082, 16.3738), (-33.86, 151.2), (0, 0), (85, -179.9), (-85, 179.999)] {
            let coordinate = MercatorPoint(Coordinate(latitude: latitude, longitude: longitude)).coordinate
            #expect(abs(coordinate.latitude - latitude) < 2e-7)
            #expect(abs(coordinate.longitude - longitude) < 2e-7)
        }
        // By the web map formula, computed by hand: Vienna, at 12/2234/1420.
        let vienna = MercatorPoint(Coordinate(latitude: 48.2082, longitude: 16.3738)).tile(zoom: 12)
        #expect(vienna == TileAddress(zoom: 12, x: 2234, y: 1420))
    }

    @Test("poles lie on the map's edges, and 180° east is 180° west")
    func edges() {
        #expect(MercatorPoint(Coordinate(latitude: 90, longitude: 0)).y == 0)
        #expect(MercatorPoint(Coordinate(latitude: 86, longitude: 0)).y == 0)
        #expect(MercatorPoint(Coordinate(latitude: -90, longitude: 0)).y == .max)
        #expect(MercatorPoint(Coordinate(latitude: 0, longitude: 180)).x == 0)
        #expect(MercatorPoint(Coordinate(latitude: 0, longitude: -180)).x == 0)
        #expect(MercatorPoint(Coordinate(latitude: 0, longitude: 0)) == MercatorPoint(x: 1 << 31, y: 1 << 31))
    }

    @Test("points follow each other by cells of any size in the order of Morton, and come back from it")
    func morton() {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<200 {
            let code = random.next()
            let point = MercatorPoint(morton: code)
            #expect(point.morton == code)
            for zoom in TileAddress.zooms {
                let tile = point.tile(zoom: zoom)
                let prefix = MercatorPoint(x: UInt32(tile.x), y: UInt32(tile.y)).morton
                #expect(zoom == 0 || point.morton >> UInt64(64 - 2 * zoom) == prefix)
            }
        }
    }

    @Test("tiles that do not exist have no address")
    func tiles() {
        #expect(TileAddress(zoom: 0, x: 0, y: 0) != nil)
        #expect(TileAddress(zoom: 22, x: 4_194_303, y: 4_194_303) != nil)
        for (zoom, x, y) in [(-1, 0, 0), (23, 0, 0), (0, 1, 0), (0, 0, 1), (12, 4096, 0), (12, 0, 4096), (12, -1, 0)] {
            #expect(TileAddress(zoom: zoom, x: x, y: y) == nil)
        }
        let tile = TileAddress(zoom: 12, x: 1205, y: 1539)
        #expect(tile.flatMap { TileAddress(packed: $0.packed) } == tile)
        #expect(tile?.description == "12/1205/1539")
        #expect(TileAddress(packed: -1) == nil)
        #expect(TileAddress(packed: 1) == nil)
    }

    @Test("names of clusters and cursors are read as they are written, and not otherwise")
    func names() {
        #expect(ClusterName("c:12:4823:6158") == .cell(zoom: 12, x: 4823, y: 6158))
        #expect(ClusterName("c:12:u7") == .leastMember(zoom: 12, 7))
        for name in ["c:12:4823:6158", "c:12:u7", "c:0:15:15", "c:22:u9223372036854775807"] {
            #expect(ClusterName(name)?.description == name)
        }
        for name in [
            "", "c", "c:12", "c:12:4823", "c:12:4823:6158:1", "d:12:1:1", "c:012:1:1", "c:12:+1:1", "c:12:1:01",
            "c:0:16:0", "c:23:1:1", "c:-1:0:0", "c:12:u", "c:12:u07", "c:12:7", "c:12:u7:1", "c:12:-1:0", "s:12:u7",
        ] {
            #expect(ClusterName(name) == nil, "\(name)")
        }
        #expect(LeafCursor("ff-501") == LeafCursor(morton: 255, id: 501))
        for cursor in ["", "ff", "-501", "ff-", "FF-501", "ff-0501", "+f-1", "10000000000000000-1"] {
            #expect(LeafCursor(cursor) == nil, "\(cursor)")
        }
    }

    @Test("a feature's coordinate is its place in the tile, at every zoom")
    func featureCoordinates() throws {
        for zoom in TileAddress.zooms {
            let point = MercatorPoint(Coordinate(latitude: 48.2082, longitude: 16.3738))
            let tile = point.tile(zoom: zoom)
            let feature = TileFeature(at: point, of: tile, count: 1, content: .point(1), entryKey: 1)
            let coordinate = feature.coordinate(in: tile)
            // North-west of the point by at most one unit of the tile.
            let place = 360.0 / Double(1 << zoom) / Double(TileFeature.extent)
            #expect(0...max(place, 1e-7) ~= 16.3738 - coordinate.longitude, "zoom \(zoom)")
            #expect(abs(coordinate.latitude - 48.2082) < place + 1e-7, "zoom \(zoom)")
        }
    }
}

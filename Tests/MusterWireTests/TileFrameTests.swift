import MusterWire
import Testing

@testable import MusterCore
@testable import MusterServer

@Suite struct TileFrameTests {
    private static func tile() throws -> TileAddress { try #require(TileAddress(zoom: 12, x: 1205, y: 1539)) }

    private static func entry(_ content: TileFeature.Content, count: Int, values: [String?] = []) throws -> TileEntry {
        let tile = try Self.tile()
        let place = MercatorPoint(x: tile.corner.x + 1 << 18, y: tile.corner.y + 1 << 17)
        return TileEntry(
            TileFeature(at: place, of: tile, count: count, content: content, entryKey: -1 - 20),
            PointValues(values)
        )
    }

    @Test("a cluster is a feature in the convention of supercluster")
    func cluster() throws {
        let name = ClusterName.cell(zoom: 12, x: 1205 * 16 + 4, y: 1539 * 16 + 1)
        let bytes = TileFrame.feature(try Self.entry(.cluster(name), count: 1234), of: try Self.tile(), in: .spots)
        let expected =
            #"{"type":"Feature","id":"c:12:19284:24625","geometry":{"type":"Point","coordinates":[-74.06982,40.71135]},"#
            + #""properties":{"cluster":true,"cluster_id":"c:12:19284:24625","point_count":1234,"#
            + #""point_count_abbreviated":"1.2k"}}"#
        #expect(Self.withoutCoordinates(bytes) == Self.withoutCoordinates(Array(expected.utf8)))
        let document = try JSONDocument(bytes)
        let coordinates = document["geometry"]["coordinates"]
        // A quarter of the tile to the east and an eighth to the south, to 1/4096 of a tile.
        let west = Double(1205) / 4096 * 360 - 180
        #expect(abs((coordinates[0].double ?? 0) - (west + 360.0 / 4096 / 4)) < 360.0 / 4096 / 4096)
        let digits = String(decoding: bytes, as: UTF8.self).split(separator: "[").last?.prefix { $0 != "]" } ?? ""
        #expect(digits.count <= 24, "no more digits than tell places apart: \(digits)")
    }

    private static func withoutCoordinates(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self).replacing(/\[[^\]]*\]/, with: "[]")
    }

    @Test("what a point carries is what its kind says, and the names of clusters of people are the least member's")
    func points() throws {
        let spot = try Self.entry(.point(501), count: 1, values: ["Café \"Z\"", nil, "/v1/photos/5/thumb?k=0"])
        let text = Self.withoutCoordinates(TileFrame.feature(spot, of: try Self.tile(), in: .spots))
        #expect(
            text == #"{"type":"Feature","id":"s:501","geometry":{"type":"Point","coordinates":[]},"properties":"#
                + #"{"cluster":false,"id":"501","comment":"Café \"Z\"","category":null,"thumb":"/v1/photos/5/thumb?k=0"}}"#
        )
        let member = try Self.entry(.point(7), count: 1, values: ["Ada"])
        let ada = Self.withoutCoordinates(TileFrame.feature(member, of: try Self.tile(), in: .group))
        #expect(ada.hasSuffix(#""properties":{"cluster":false,"id":"7","name":"Ada"}}"#))
        #expect(LayerKind.group.featureID(entryKey: -7, of: try Self.tile()) == "c:12:u7")
        #expect(LayerKind.group.featureID(entryKey: 7, of: try Self.tile()) == "u:7")
        #expect(LayerKind.spots.featureID(entryKey: -1 - 20, of: try Self.tile()) == "c:12:19284:24625")
    }

    @Test(
        "counts are cut to what fits into a small circle",
        arguments: [
            (2, "2"), (999, "999"), (1000, "1k"), (1049, "1k"), (1050, "1.1k"), (9949, "9.9k"), (9950, "10k"),
            (12_345, "12k"), (999_499, "999k"), (1_500_000, "1500k"),
        ]
    )
    func abbreviation(count: Int, text: String) throws {
        let name = ClusterName.cell(zoom: 12, x: 1205 * 16, y: 1539 * 16)
        let properties = LayerKind.spots.properties(of: try Self.entry(.cluster(name), count: count))
        #expect(properties.last == FeatureProperty(name: "point_count_abbreviated", value: .text(text)))
    }
}

import Foundation

/// The layers of the tiles, as in Shortbread 1.0; `sql/map.sql` fills them.
enum MapSchema {
    /// The zooms of the tiles.
    ///
    /// Those of the last one are enlarged.
    static let zooms = 0...15

    /// The attribution of OpenStreetMap, with its link, for pages.
    static let attribution =
        "<a href=\"https://www.openstreetmap.org/copyright\">© OpenStreetMap contributors</a>"

    /// A layer in the form of TileJSON.
    struct Layer: Codable, Sendable {
        let id: String
        let fields: [String: String]
    }

    /// The metadata of a file, and of TileJSON.
    struct Metadata: Codable, Sendable {
        var attribution: String?
        var layers: [Layer]
        /// A hash of the tiles, so that each import has a version of its own.
        var content: String?

        private enum CodingKeys: String, CodingKey {
            case attribution
            case layers = "vector_layers"
            case content
        }
    }

    /// The layers.
    static let layers: [Layer] = [
        Self.layer("boundaries", ["admin_level": "Number"]),
        Self.layer("buildings", ["kind": "String"]),
        Self.layer("land", ["kind": "String"]),
        Self.layer("ocean", ["kind": "String"]),
        Self.layer("pier_polygons", ["kind": "String"]),
        Self.layer("place_labels", ["kind": "String", "name": "String", "population": "Number"]),
        Self.layer(
            "pois",
            ["amenity": "String", "leisure": "String", "name": "String", "shop": "String", "tourism": "String"]
        ),
        Self.layer("public_transport", ["kind": "String", "name": "String"]),
        Self.layer("sites", ["kind": "String"]),
        Self.layer("street_labels", ["kind": "String", "name": "String"]),
        Self.layer("street_polygons", ["kind": "String"]),
        Self.layer(
            "streets",
            [
                "bridge": "Boolean", "kind": "String", "link": "Boolean", "rail": "Boolean", "service": "Boolean",
                "tunnel": "Boolean",
            ]
        ),
        Self.layer("water_lines", ["kind": "String"]),
        Self.layer("water_polygons", ["kind": "String"]),
    ]

    /// The layers without which a map has no streets, in files of other programs.
    static let required: Set<String> = ["land", "place_labels", "street_labels", "streets", "water_polygons"]

    /// Reads the metadata of a file; nil when they are not those of vector tiles.
    static func metadata(_ json: [UInt8]) -> Metadata? {
        try? JSONDecoder().decode(Metadata.self, from: Data(json))
    }

    private static func layer(_ id: String, _ fields: [String: String]) -> Layer { Layer(id: id, fields: fields) }
}

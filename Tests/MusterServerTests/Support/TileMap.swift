import MusterTestSupport
import MusterWire

/// A client's view of one layer, from `tiles` frames.
struct TileMap {
    /// Features as JSON, by tile and id.
    private(set) var tiles: [String: [String: String]] = [:]
    /// The number of whole tiles received, including repeats.
    private(set) var full = 0
    /// Whether a change of a tile arrived before the whole tile.
    private(set) var isBroken = false

    /// All features by id.
    var features: [String: String] { self.tiles.values.reduce(into: [:]) { $0.merge($1) { first, _ in first } } }

    /// The number of points that all features represent.
    func count() throws -> Int64 {
        try self.features.values.reduce(0) { $0 + (try Frame(Array($1.utf8))["properties"]["point_count"].int ?? 1) }
    }

    /// Applies a frame as a client that wants the tiles in `wanted`; nil for all.
    mutating func apply(_ frame: Frame, wanted: Set<String>? = nil) {
        for tile in frame["tiles"].elements {
            let name = "\(tile["z"].int ?? -1)/\(tile["x"].int ?? -1)/\(tile["y"].int ?? -1)"
            guard wanted?.contains(name) ?? true else { continue }
            if tile["full"].bool == true {
                self.tiles[name] = [:]
                self.full += 1
            } else if self.tiles[name] == nil {
                self.isBroken = true
            }
            for feature in tile["features"].elements {
                self.tiles[name, default: [:]][feature["id"].string ?? ""] = feature.json
            }
            for id in tile["gone"].strings { self.tiles[name]?[id] = nil }
        }
    }

    /// Drops all tiles except these.
    mutating func keep(_ names: Set<String>) { self.tiles = self.tiles.filter { names.contains($0.key) } }
}

extension TestClient {
    /// Subscribes to the tiles of a box.
    @discardableResult
    func subscribeToTiles(of layer: String, zoom: Int64, _ box: [Double]) throws -> Frame {
        try self.request(
            "tiles.watch",
            ["layer": .string(layer), "zoom": .integer(zoom), "bbox": .array(box.map { .number($0) })]
        )
    }

    /// Subscribes to the tiles of a box as soon as the layer is loaded.
    func subscribeWhenReady(of layer: String, zoom: Int64, _ box: [Double]) throws {
        let isReady = try eventually(within: 30_000) {
            do {
                try self.subscribeToTiles(of: layer, zoom: zoom, box)
                return true
            } catch let failure as TestFailure where "\(failure)".contains("unavailable") {
                return false
            }
        }
        guard isReady else { throw TestFailure("\(layer) is never loaded") }
    }

    /// The current map of a layer.
    func map(of layer: String) -> TileMap {
        var map = TileMap()
        for frame in self.received where frame.type == "tiles" && frame["layer"].string == layer { map.apply(frame) }
        return map
    }
}

extension JSONValue {
    /// The value as JSON without spaces.
    var json: String {
        if let string { return JSON.string(string).text }
        if let bool { return String(bool) }
        if let int { return String(int) }
        if let double { return "\(double)" }
        let fields = self.fields
        if !fields.isEmpty {
            return "{" + fields.map { "\(JSON.string($0.key).text):\($0.value.json)" }.joined(separator: ",") + "}"
        }
        return self.isNull ? "null" : "[" + self.elements.map(\.json).joined(separator: ",") + "]"
    }
}

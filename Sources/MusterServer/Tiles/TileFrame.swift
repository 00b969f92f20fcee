import MusterCore
import MusterWire

// The pieces of a frame and their order:
//
//     {"type":"tiles","layer":"spots","tiles":[                                                   beginFrame
//     {"z":12,"x":1205,"y":1539,"version":4,"full":true,"features":[                              beginTile
//     {"type":"Feature","id":"s:501","geometry":{…},"properties":{…}}                             feature
//     ],"gone":["c:12:4823:6158"]}                                                                beginGone … endTile
//     ]}                                                                                          endFrame

/// An encoder of features as GeoJSON, in supercluster's convention, which map libraries support.
///
/// It also joins features into frames.
enum TileFrame {
    // MARK: - Frames

    /// Begins a frame of a layer's tiles.
    static func beginFrame(layer: String, to frame: inout [UInt8]) {
        frame.append(json: #"{"type":"tiles","layer":"#)
        frame.append(string: layer)
        frame.append(json: #","tiles":["#)
    }

    /// Ends a frame.
    static func endFrame(_ frame: inout [UInt8]) { frame.append(json: "]}") }

    /// Begins a tile with all of its features, or with its changes.
    static func beginTile(_ tile: TileAddress, version: UInt64, isFull: Bool, to frame: inout [UInt8]) {
        frame.append(json: #"{"z":"#)
        frame.append(integer: tile.zoom)
        frame.append(json: #","x":"#)
        frame.append(integer: tile.x)
        frame.append(json: #","y":"#)
        frame.append(integer: tile.y)
        frame.append(json: #","version":"#)
        frame.append(integer: version)
        frame.append(json: #","full":"#)
        frame.append(bool: isFull)
        frame.append(json: #","features":["#)
    }

    /// Ends the features and begins the ids of removed features.
    static func beginGone(_ frame: inout [UInt8]) { frame.append(json: #"],"gone":["#) }

    /// Appends the id of a removed feature.
    static func append(goneID id: String, to frame: inout [UInt8]) {
        frame.separateFromPrevious()
        frame.append(string: id)
    }

    /// Ends a tile.
    static func endTile(_ frame: inout [UInt8]) { frame.append(json: "]}") }

    /// Joins encoded pieces by commas.
    static func append(_ pieces: some Sequence<[UInt8]>, to frame: inout [UInt8]) {
        for piece in pieces {
            frame.separateFromPrevious()
            frame.append(contentsOf: piece)
        }
    }

    // MARK: - Documents

    /// Encodes a tile with all of its features as a document.
    static func collection(_ content: TileContent, of kind: LayerKind) -> [UInt8] {
        var document: [UInt8] = []
        document.append(json: #"{"type":"FeatureCollection","features":["#)
        self.append(content.entries.lazy.map { self.feature($0, of: content.tile, in: kind) }, to: &document)
        document.append(json: "]}")
        return document
    }

    /// Encodes points of a cluster, and the cursor for the next page.
    static func leaves(_ points: [TilePoint], next: LeafCursor?, of kind: LayerKind) -> [UInt8] {
        var document: [UInt8] = []
        document.append(json: #"{"leaves":["#)
        self.append(points.lazy.map { self.leaf($0, in: kind) }, to: &document)
        document.append(json: #"],"next":"#)
        document.append(string: next?.description)
        document.append(json: "}")
        return document
    }

    // MARK: - Features

    /// Encodes a feature of a tile.
    static func feature(_ entry: TileEntry, of tile: TileAddress, in kind: LayerKind) -> [UInt8] {
        self.feature(
            kind.featureID(entry.feature),
            at: entry.feature.coordinate(in: tile),
            decimals: self.decimals(zoom: tile.zoom),
            kind.properties(of: entry)
        )
    }

    /// Encodes a point that is a leaf of a cluster and not in a tile.
    static func leaf(_ point: TilePoint, in kind: LayerKind) -> [UInt8] {
        self.feature(
            kind.featureID(of: point.id),
            at: point.coordinate,
            decimals: 7,
            kind.properties(of: point.id, point.values)
        )
    }

    private static func feature(
        _ id: String,
        at place: Coordinate,
        decimals: Int,
        _ properties: [FeatureProperty]
    ) -> [UInt8] {
        var piece: [UInt8] = []
        piece.append(json: #"{"type":"Feature","id":"#)
        piece.append(string: id)
        piece.append(json: #","geometry":{"type":"Point","coordinates":["#)
        piece.append(number: place.longitude, decimals: decimals)
        piece.append(json: ",")
        piece.append(number: place.latitude, decimals: decimals)
        piece.append(json: #"]},"properties":{"#)
        for property in properties {
            piece.separateFromPrevious()
            piece.append(string: property.name)
            piece.append(json: ":")
            switch property.value {
            case .bool(let value): piece.append(bool: value)
            case .number(let value): piece.append(integer: value)
            case .text(let value): piece.append(string: value)
            case nil: piece.append(json: "null")
            }
        }
        piece.append(json: "}}")
        return piece
    }

    /// Returns the number of decimals of degrees that distinguish neighbours on a tile's 4096 positions, plus one.
    private static func decimals(zoom: Int) -> Int {
        let step = 360.0 / (4096 * Double(1 << zoom))
        var (decimals, unit) = (1, 1.0)
        while unit > step, decimals < 7 {
            unit /= 10
            decimals += 1
        }
        return decimals
    }
}

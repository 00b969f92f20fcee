import MusterCore
import MusterWire

/// Subscribes the session to the tiles that cover a box, in place of its earlier subscription to the same layer.
struct TilesWatch: ClientRequest {
    typealias Answer = TilesWatchAnswer
    static let type = "tiles.watch"
    static let order = RequestOrder.concurrent
    static let rate: RequestRate? = .tiles

    var layer: LayerName
    /// The zoom, 0…22.
    var zoom: Int
    /// West, south, east and north in degrees; west is greater than east when the box crosses the date line.
    var bbox: [Double]

    /// Creates a request.
    init(layer: LayerName, zoom: Int, bbox: [Double]) {
        self.layer = layer
        self.zoom = zoom
        self.bbox = bbox
    }

    init(reading fields: JSONFields) throws(FrameError) {
        self.layer = try LayerName(reading: fields)
        let zooms = TileAddress.zooms
        self.zoom = try fields.required("zoom", fields.integer("zoom", in: zooms.lowerBound...zooms.upperBound))
        self.bbox = try fields.required("bbox", fields.numbers("bbox", count: 4))
        _ = try self.cover(fields)
    }

    /// The tiles that cover the box.
    var cover: TileCover {
        TileCover(zoom: self.zoom, west: self.bbox[0], south: self.bbox[1], east: self.bbox[2], north: self.bbox[3])
    }

    private func cover(_ fields: JSONFields) throws(FrameError) -> TileCover {
        try fields.requireBox(self.bbox)
        let cover = self.cover
        guard cover.count <= TileCover.limit else {
            throw FrameError(
                .tooManyTiles,
                message: "bbox has \(cover.count) tiles at zoom \(self.zoom); at most \(TileCover.limit) are allowed.",
                field: "bbox"
            )
        }
        return cover
    }
}

/// Ends the session's subscription to the tiles of a layer.
struct TilesUnwatch: ClientRequest {
    static let type = "tiles.unwatch"
    static let order = RequestOrder.concurrent

    var layer: LayerName

    /// Creates a request.
    init(layer: LayerName) { self.layer = layer }

    init(reading fields: JSONFields) throws(FrameError) { self.layer = try LayerName(reading: fields) }
}

/// Requests the content of a cluster.
struct TilesCluster: ClientRequest {
    typealias Answer = ClusterAnswer
    static let type = "tiles.cluster"
    static let order = RequestOrder.concurrent
    static let rate: RequestRate? = .cluster

    var layer: LayerName
    /// The id of the cluster's feature.
    var cluster: String

    /// Creates a request.
    init(layer: LayerName, cluster: String) {
        self.layer = layer
        self.cluster = cluster
    }

    init(reading fields: JSONFields) throws(FrameError) {
        self.layer = try LayerName(reading: fields)
        self.cluster = try fields.required("cluster", fields.string("cluster", length: 1...64))
    }
}

/// The name of a layer in a request.
struct LayerName: Equatable, Sendable {
    /// The layer.
    let layer: TileLayer
    /// The name on the wire.
    let text: String

    /// Creates a name; nil when the layer does not exist.
    init?(_ text: String, of table: LayerTable = .muster) {
        guard let layer = table.layer(named: text) else { return nil }
        self.layer = layer
        self.text = text
    }

    fileprivate init(reading fields: JSONFields) throws(FrameError) {
        let text = try fields.required("layer", fields.string("layer", length: 1...64))
        guard let name = Self(text) else { throw fields.error("layer", "must be the name of a layer") }
        self = name
    }
}

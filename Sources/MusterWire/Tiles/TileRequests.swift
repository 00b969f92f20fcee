package import MusterCore

/// Subscribes the session to the tiles that cover a box, in place of its earlier subscription to the same layer.
package struct TilesWatch: ClientRequest {
    package typealias Answer = TilesWatchAnswer
    package static let type = "tiles.watch"
    package static let order = RequestOrder.concurrent
    package static let rate: RequestRate? = .tiles

    package var layer: LayerName
    /// The zoom, 0…22.
    package var zoom: Int
    /// West, south, east and north in degrees; west is greater than east when the box crosses the date line.
    package var bbox: [Double]

    /// Creates a request.
    package init(layer: LayerName, zoom: Int, bbox: [Double]) {
        self.layer = layer
        self.zoom = zoom
        self.bbox = bbox
    }

    package init(reading fields: JSONFields) throws(FrameError) {
        self.layer = try LayerName(reading: fields)
        let zooms = TileAddress.zooms
        self.zoom = try fields.required("zoom", fields.integer("zoom", in: zooms.lowerBound...zooms.upperBound))
        self.bbox = try fields.required("bbox", fields.numbers("bbox", count: 4))
        _ = try self.cover(fields)
    }

    /// The tiles that cover the box.
    package var cover: TileCover {
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
package struct TilesUnwatch: ClientRequest {
    package static let type = "tiles.unwatch"
    package static let order = RequestOrder.concurrent

    package var layer: LayerName

    /// Creates a request.
    package init(layer: LayerName) { self.layer = layer }

    package init(reading fields: JSONFields) throws(FrameError) { self.layer = try LayerName(reading: fields) }
}

/// Requests the content of a cluster.
package struct TilesCluster: ClientRequest {
    package typealias Answer = ClusterAnswer
    package static let type = "tiles.cluster"
    package static let order = RequestOrder.concurrent
    package static let rate: RequestRate? = .cluster

    package var layer: LayerName
    /// The id of the cluster's feature.
    package var cluster: String

    /// Creates a request.
    package init(layer: LayerName, cluster: String) {
        self.layer = layer
        self.cluster = cluster
    }

    package init(reading fields: JSONFields) throws(FrameError) {
        self.layer = try LayerName(reading: fields)
        self.cluster = try fields.required("cluster", fields.string("cluster", length: 1...64))
    }
}

/// The name of a layer in a request.
package struct LayerName: Equatable, Sendable {
    /// The layer.
    package let layer: TileLayer
    /// The name on the wire.
    package let text: String

    /// Creates a name; nil when the layer does not exist.
    package init?(_ text: String, of table: LayerTable = .muster) {
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

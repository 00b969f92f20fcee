import EventLoop
import Foundation
import MusterCore
import MusterWire
import WebSocketGateway

/// The routes of the map: its description, and its tiles.
struct MapRoutes: Sendable {
    private struct Description: Encodable {
        struct Part: Encodable {
            let name: String
            let bounds: [Double]
        }

        let tilejson = "3.0.0"
        let version: String?
        let tiles: [String]
        let layers: [MapSchema.Layer]
        let attribution: String?
        let minzoom: Int?
        let maxzoom: Int?
        let bounds: [Double]?
        let center: [Double]?
        let parts: [Part]
        let raster: RasterTiles?

        private enum CodingKeys: String, CodingKey {
            case tilejson, version, tiles, attribution, minzoom, maxzoom, bounds, center, parts, raster
            case layers = "vector_layers"
        }
    }

    private static let contentType = "application/vnd.mapbox-vector-tile"

    private let node: ServerNode
    private let map: StreetMap
    private let reads: BlockingPool
    /// Limits the rate of tiles by address: the first view of a map at once, and then 50 a second.
    private let meter = RateMeter<String>(rate: 50, burst: 200)

    init(_ node: ServerNode, _ map: StreetMap, reads: BlockingPool) {
        self.node = node
        self.map = map
        self.reads = reads
    }

    /// The routes of the table.
    var routes: [Route] {
        [
            Route(.get, "/v1/map", access: .anybody, handler: self.describe),
            Route(.get, "/v1/map/{version}/{z}/{x}/{y}.mvt", access: .anybody, handler: self.tile),
        ]
    }

    private func describe(_ request: RouteRequest) async throws(FrameError) -> HTTPResponse {
        let edition = self.map.edition
        let centre = edition?.largest.file.header.centre
        return .json(
            Description(
                version: edition?.version,
                tiles: edition.map { ["/v1/map/\($0.version)/{z}/{x}/{y}.mvt"] } ?? [],
                layers: edition?.layers ?? [],
                attribution: edition?.attribution,
                minzoom: edition?.zooms.lowerBound,
                maxzoom: edition?.zooms.upperBound,
                bounds: edition?.bounds.numbers,
                center: centre.map { [$0.longitude, $0.latitude, Double($0.zoom)] },
                parts: (edition?.parts ?? []).map {
                    Description.Part(name: $0.name, bounds: $0.file.header.bounds.numbers)
                },
                raster: self.node.configuration.rasterTiles
            )
        )
    }

    private func tile(_ request: RouteRequest) async throws(FrameError) -> HTTPResponse {
        if let address = self.node.strangerAddress(of: request.base) {
            try self.meter.charge(1, to: address, now: self.node.clock.milliseconds)
        }
        guard let zoom = Int(request.parameter("z")), let x = Int(request.parameter("x")),
            let y = Int(request.parameter("y")), let tile = TileAddress(zoom: zoom, x: x, y: y)
        else { throw FrameError(.notFound, message: "There is no such tile.") }
        guard let edition = self.map.edition else {
            throw FrameError(.notFound, message: "This server has no map of streets; see GET /v1/map.")
        }
        guard request.parameter("version") == edition.version else {
            return HTTPResponse(
                status: 307,
                headers: [
                    ("location", "/v1/map/\(edition.version)/\(tile).mvt"), ("cache-control", "no-store"),
                ]
            )
        }
        let isCompressed = GzipEncoding.isAccepted(by: request.headers["accept-encoding"])
        let tag = "\"\(edition.version)-\(zoom)-\(x)-\(y)\(isCompressed ? "-gzip" : "")\""
        var headers: [(name: String, value: String)] = [
            ("cache-control", "public, max-age=31536000, immutable"), ("etag", tag), ("vary", "accept-encoding"),
        ]
        guard !EntityTag.isNamed(tag, in: request.headers["if-none-match"]) else {
            return HTTPResponse(status: 304, headers: headers)
        }
        guard let content = try await self.read(tile, edition, isCompressed: isCompressed) else {
            return HTTPResponse(status: 204, headers: headers)
        }
        headers.append(("content-type", Self.contentType))
        if isCompressed { headers.append(("content-encoding", "gzip")) }
        return HTTPResponse(status: 200, headers: headers, body: content)
    }

    /// Reads a tile on a thread that may block.
    private func read(
        _ tile: TileAddress,
        _ edition: MapEdition,
        isCompressed: Bool
    ) async throws(FrameError) -> [UInt8]? {
        let result = await self.reads.job { () -> Result<[UInt8]?, MapError> in
            Result { () throws(MapError) in
                guard let content = try edition.tile(tile) else { return nil }
                if isCompressed { return content }
                guard let plain = Gzip.inflated(content, limit: PMTilesReader.inflatedLimit) else {
                    throw MapError(.unreadable, "a tile of the map is damaged: import the map again")
                }
                return plain
            }
        }
        switch result {
        case .success(let content): return content
        case nil: throw .mapsBusy
        case .failure(let error):
            if self.node.requestLines.admits("map") {
                self.node.logger.warning("a tile of the map cannot be read", ["error": .text(error.message)])
            }
            throw .mapsBusy
        }
    }
}

extension MapBounds {
    /// The sides in the order of TileJSON.
    fileprivate var numbers: [Double] { [self.west, self.south, self.east, self.north] }
}

import EventLoop
import MusterCore
import MusterWire
import WebSocketGateway

/// Map tiles and clusters over HTTP (public/docs/protocol.md#map-tiles).
struct TileRoutes: Sendable {
    /// The allowed number of leaves on a page.
    private static let leafLimit = 1...100

    private let node: ServerNode
    private let world: any WorldLink
    private let clusters: any ClusterLink
    /// Requests that wait for the cluster service.
    private let reads: PendingAnswers<TileAnswer>
    /// The cached encodings of tiles.
    private let encodings: TileEncodings
    private let table: LayerTable
    /// Limits the rate of tiles by address: the first view of a map at once, and then 50 a second.
    private let meter = RateMeter<String>(rate: 50, burst: 200)

    init(
        _ node: ServerNode,
        world: any WorldLink,
        clusters: any ClusterLink,
        reads: PendingAnswers<TileAnswer>,
        encodings: TileEncodings,
        table: LayerTable = .muster
    ) {
        self.node = node
        self.world = world
        self.clusters = clusters
        self.reads = reads
        self.encodings = encodings
        self.table = table
    }

    /// The routes of the table.
    var routes: [Route] {
        [
            self.route("/v1/tiles/{layer}/{z}/{x}/{y}.json") { request, view in
                try await self.tile(.json, request, view)
            },
            self.route("/v1/tiles/{layer}/{z}/{x}/{y}.mvt") { request, view in
                try await self.tile(.mvt, request, view)
            },
            self.route("/v1/clusters/{layer}/{id}", handler: self.cluster),
            self.route("/v1/clusters/{layer}/{id}/leaves", handler: self.leaves),
        ]
    }

    private func route(
        _ pattern: String,
        handler: @escaping @Sendable (RouteRequest, LayerView) async throws -> HTTPResponse
    ) -> Route {
        Route(.get, pattern, access: .layer(self.node, self.table, self.meter), handler: handler)
    }

    // MARK: - Tiles

    private func tile(
        _ format: TileFormat,
        _ request: RouteRequest,
        _ view: LayerView
    ) async throws -> HTTPResponse {
        guard let zoom = Int(request.parameter("z")), let x = Int(request.parameter("x")),
            let y = Int(request.parameter("y")), let tile = TileAddress(zoom: zoom, x: x, y: y)
        else { throw FrameError(.notFound, message: "There is no such tile.") }
        guard case .tile(let content) = try await self.ask(.tile(tile), view) else {
            preconditionFailure("the cluster service answers what it was asked")
        }
        return self.response(self.encoding(of: content, as: format, view.kind), format, request, view)
    }

    /// The encoding of a tile in a format; from the cache, if the tile has not changed since.
    private func encoding(of content: TileContent, as format: TileFormat, _ kind: LayerKind) -> TileEncoding {
        let (layer, tile) = (content.layer, content.tile)
        if let known = self.encodings.encoding(layer, tile, format, version: content.version) { return known }
        let bytes =
            switch format {
            case .json: TileFrame.collection(content, of: kind)
            case .mvt: TileVector.encoded(content, of: kind)
            }
        let encoding = TileEncoding(version: content.version, bytes: bytes)
        for (layer, tile) in self.encodings.keep(encoding, layer, tile, format) {
            self.clusters.send(.released(layer, tile))
        }
        return encoding
    }

    private func response(
        _ encoding: TileEncoding,
        _ format: TileFormat,
        _ request: RouteRequest,
        _ view: LayerView
    ) -> HTTPResponse {
        let gzip = GzipEncoding.isAccepted(by: request.headers["accept-encoding"]) ? encoding.gzip : nil
        let tag = "\"\(encoding.tag)\(gzip == nil ? "" : "-gzip")\""
        var headers: [(name: String, value: String)] = [
            ("cache-control", view.isOpen ? "public, max-age=1" : "private, no-cache"), ("etag", tag),
            ("vary", view.isOpen ? "accept-encoding" : "accept-encoding, authorization"),
        ]
        guard !EntityTag.isNamed(tag, in: request.headers["if-none-match"]) else {
            return HTTPResponse(status: 304, headers: headers)
        }
        guard !encoding.bytes.isEmpty else { return HTTPResponse(status: 204, headers: headers) }
        headers.append(("content-type", format.contentType))
        if gzip != nil { headers.append(("content-encoding", "gzip")) }
        return HTTPResponse(status: 200, headers: headers, body: gzip ?? encoding.bytes)
    }

    // MARK: - Clusters

    private func cluster(_ request: RouteRequest, _ view: LayerView) async throws -> HTTPResponse {
        guard case .cluster(let summary) = try await self.ask(.cluster(request.parameter("id")), view) else {
            preconditionFailure("the cluster service answers what it was asked")
        }
        return self.response(WireEncoder.encode(ClusterAnswer(summary)))
    }

    private func leaves(_ request: RouteRequest, _ view: LayerView) async throws -> HTTPResponse {
        // Forms send an empty value for an absent one.
        let wanted = request.query("limit").flatMap { $0.isEmpty ? nil : $0 }
        let cursor = request.query("after").flatMap { $0.isEmpty ? nil : $0 }
        let limit = wanted.map { Int($0) ?? 0 } ?? Self.leafLimit.upperBound
        guard Self.leafLimit ~= limit else {
            throw FrameError(.badRequest, message: "limit must be 1 to 100.", field: "limit")
        }
        let question = ClusterQuestion.leaves(request.parameter("id"), after: cursor, limit: limit)
        guard case .leaves(let points, let next) = try await self.ask(question, view) else {
            preconditionFailure("the cluster service answers what it was asked")
        }
        return self.response(TileFrame.leaves(points, next: next, of: view.kind))
    }

    private func response(_ json: [UInt8]) -> HTTPResponse {
        HTTPResponse(
            status: 200,
            headers: [("content-type", "application/json"), ("cache-control", "no-store")],
            body: json
        )
    }

    /// Returns the cluster service's answer; the question goes through the world if the answer depends on the user.
    private func ask(_ question: ClusterQuestion, _ view: LayerView) async throws -> TileAnswer {
        try await self.reads.answer { request in
            let asker = ClusterRequester.request(request)
            guard let user = view.user else {
                return self.clusters.send(.asked(asker, view.layer, question))
            }
            self.world.send(
                .tilesAsked(ClusterRequest(asker: asker, user: user, layer: view.layer, question: question))
            )
        }
    }
}

/// A layer and its viewer.
struct LayerView: Sendable {
    let layer: TileLayer
    let kind: LayerKind
    /// The viewer; nil for a public layer.
    let user: UserID?

    /// Whether all viewers see the same.
    var isOpen: Bool { self.user == nil }
}

extension Access<LayerView> {
    /// Admits viewers of the layer in the path, within a rate limit.
    ///
    /// The world separates members from other users.
    static func layer(_ node: ServerNode, _ table: LayerTable, _ meter: RateMeter<String>) -> Self {
        let login = Access<UserID>.login(node)
        return Access { request in
            if let address = node.strangerAddress(of: request.base) {
                try meter.charge(1, to: address, now: node.clock.milliseconds)
            }
            guard let layer = table.layer(named: request.parameter("layer")), let kind = table.kind(layer.kind) else {
                throw FrameError(.notFound, message: "There is no such layer.", field: "layer")
            }
            switch kind.audience {
            case .anybody: return LayerView(layer: layer, kind: kind, user: nil)
            case .people, .members: break
            }
            let user = try await login.admit(request)
            if let group = layer.group {
                let directory = try node.readyDirectory()
                // The world decides, but it reads no group for users who are not members.
                try await directory.requireMember(user, of: group)
            }
            return LayerView(layer: layer, kind: kind, user: user)
        }
    }
}

extension TileFormat {
    fileprivate var contentType: String {
        switch self {
        case .json: "application/geo+json"
        case .mvt: "application/vnd.mapbox-vector-tile"
        }
    }
}

import Foundation
import MusterCore
import MusterWire
import WebSocketGateway

/// Places over HTTP, in the form of Photon's answers (public/docs/protocol.md#places-and-plans).
struct PlaceRoutes: Sendable {
    private let node: ServerNode
    private let geocoding: Geocoding

    init(_ node: ServerNode, _ geocoding: Geocoding) {
        self.node = node
        self.geocoding = geocoding
    }

    /// The routes of the table.
    var routes: [Route] {
        [
            Route(.get, "/v1/geocode", access: .login(self.node), handler: self.geocode),
            Route(.get, "/v1/reverse", access: .login(self.node), handler: self.reverse),
        ]
    }

    private func geocode(_ request: RouteRequest, _ user: UserID) async throws -> HTTPResponse {
        try self.geocoding.charge(user)
        guard let q = request.query("q"), Geocode.isText(q), !q.utf8.contains(0)
        else {
            throw FrameError(.badRequest, message: "q must have 1 to 200 characters.", field: "q")
        }
        let hasPoint = request.query("lat") != nil || request.query("lon") != nil
        let limit = try request.query("limit").map { (text) throws(FrameError) in
            guard let limit = Int(text), Geocode.limitRange.contains(limit) else {
                throw FrameError(.badRequest, message: "limit must be 1 to 10.", field: "limit")
            }
            return limit
        }
        let wanted = Geocode(
            q,
            near: hasPoint ? try request.point() : nil,
            limit: limit ?? Geocode.standardLimit,
            completes: request.query("complete") == "true"
        )
        let directory = try self.node.readyDirectory()
        let answer = try await self.geocoding.answer(wanted) {
            try await self.limited(for: user) { try await directory.geocode(wanted) }
        }
        let features = answer.results.map { PlaceFeature($0.place, score: $0.match.score, match: $0.match.kind) }
        return .json(PlaceCollection(features: features, attribution: answer.attribution, failed: answer.failed))
    }

    private func reverse(_ request: RouteRequest, _ user: UserID) async throws -> HTTPResponse {
        try self.geocoding.charge(user)
        let point = try request.point()
        let directory = try self.node.readyDirectory()
        let found = try await self.limited(for: user) {
            try await directory.place(at: point)
        }
        return .json(
            PlaceCollection(
                features: found.map { [PlaceFeature($0.place)] } ?? [],
                attribution: found?.attribution ?? [],
                failed: []
            )
        )
    }

    /// Queries the directory as soon as the limit, which sessions share, has capacity.
    private func limited<Value: Sendable>(
        for user: UserID,
        _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        try await self.node.requestLimit.run(for: user) { try await body() }
    }
}

extension RouteRequest {
    /// The point of `lat` and `lon` in the query.
    fileprivate func point() throws(FrameError) -> Coordinate {
        func degrees(_ field: String, _ range: ClosedRange<Double>) throws(FrameError) -> Double {
            guard let value = self.query(field).flatMap({ Double($0) }), range.contains(value) else {
                let rule = "\(field) must be a number from \(Int(range.lowerBound)) to \(Int(range.upperBound))."
                throw FrameError(.badRequest, message: rule, field: field)
            }
            return value
        }
        return Coordinate(
            latitude: try degrees("lat", Coordinate.latitudes),
            longitude: try degrees("lon", Coordinate.longitudes)
        )
    }
}

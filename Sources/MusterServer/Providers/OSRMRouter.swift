import MusterCore
import OutboundHTTP

// OSRM's HTTP API (https://project-osrm.org/docs/v5.24.0/api/). It moves each point to its nearest way, however
// distant, and still returns `Ok`. So a point that is moved by more than 250 m counts as unreachable.

/// Walking routes from an OSRM server.
final class OSRMRouter: WalkRouter {
    /// The name of OSRM in metrics.
    private static let name = "osrm"
    /// The maximum distance to the nearest way, in metres.
    private static let reach = 250.0
    /// The maximum number of concurrent requests.
    private static let concurrency = 6

    private struct Waypoint: Decodable {
        let distance: Double?

        var isAtWay: Bool { self.distance.map { $0 <= OSRMRouter.reach } ?? false }
    }

    private struct Table: Decodable {
        let code: String
        let durations: [[Double?]]?
        let distances: [[Double?]]?
        let sources: [Waypoint]?
    }

    private struct Route: Decodable {
        struct Step: Decodable {
            let geometry: String
        }

        struct Leg: Decodable {
            let distance: Double
            let duration: Double
            let steps: [Step]
        }

        struct Way: Decodable {
            let legs: [Leg]
        }

        let code: String
        let routes: [Way]?
        let waypoints: [Waypoint]?
    }

    private let url: OperatorURL
    private let calls: ProviderCalls
    private let timeout: Int64

    init(_ url: OperatorURL, calls: ProviderCalls, timeout: Int64) {
        self.url = url
        self.calls = calls
        self.timeout = timeout
    }

    func table(among points: [Coordinate], deadline: Int64) async -> WalkTable? {
        guard (2...WalkTable.mostPoints).contains(points.count) else {
            return points.count == 1 ? WalkTable(points: 1, walks: [WalkTable.Walk(seconds: 0, metres: 0)]) : nil
        }
        let request = self.request("table", points, [("annotations", "duration,distance")], deadline)
        return try? await self.calls.ask(Self.name, request) { (response) throws(UnreadableAnswer) in
            try Self.table(response, of: points.count)
        }
    }

    func legs(through points: [Coordinate], deadline: Int64) async -> [WalkLeg?]? {
        await self.legs(through: points, beginsAtOrigin: true, deadline: deadline)
    }

    private func legs(through points: [Coordinate], beginsAtOrigin: Bool, deadline: Int64) async -> [WalkLeg?]? {
        guard points.count > 1 else { return [] }
        let fields = [("overview", "false"), ("steps", "true"), ("geometries", "polyline")]
        let request = self.request("route", points, fields, deadline, beginsAtOrigin: beginsAtOrigin)
        let legs = try? await self.calls.ask(Self.name, request) { (response) throws(UnreadableAnswer) in
            try Self.legs(response, of: points.count)
        }
        guard let legs else { return nil }
        if legs.isEmpty, points.count == 2 { return [nil] }
        guard legs.isEmpty else { return legs }
        // OSRM returns no route if a single leg has none. Then each leg is requested separately.
        return await withTaskGroup(of: (Int, [WalkLeg?]?).self) { group in
            for index in points.indices.dropLast() {
                let ends = [points[index], points[index + 1]]
                let isFirst = beginsAtOrigin && index == 0
                group.addTask { (index, await self.legs(through: ends, beginsAtOrigin: isFirst, deadline: deadline)) }
            }
            var all: [WalkLeg?] = Array(repeating: nil, count: points.count - 1)
            for await (index, leg) in group { all[index] = leg?.first ?? nil }
            return all
        }
    }

    private func request(
        _ service: String,
        _ points: [Coordinate],
        _ fields: [(name: String, value: String)],
        _ deadline: Int64,
        beginsAtOrigin: Bool = true
    ) -> OutboundRequest {
        // The first point is the user's start. Outside of the process it is rounded, to about 50 m.
        func text(_ degrees: Double, _ scale: Double) -> String { "\((degrees * scale).rounded() / scale)" }
        let places = points.enumerated().map { index, point in
            let scale = index == 0 && beginsAtOrigin ? 1e3 : 1e6
            return "\(text(point.longitude, scale)),\(text(point.latitude, scale))"
        }
        let path = places.joined(separator: ";")
        var request = OutboundRequest(self.url.appending(service, "v1", "foot", path, query: fields))
        request.timeout = self.timeout
        request.deadline = deadline
        request.concurrency = Self.concurrency
        return request
    }

    private static func table(_ response: OutboundResponse, of count: Int) throws(UnreadableAnswer) -> WalkTable {
        let answer = try ProviderJSON.read(Table.self, response)
        guard answer.code == "Ok", let sources = answer.sources, sources.count == count,
            let durations = answer.durations, durations.count == count, durations.allSatisfy({ $0.count == count }),
            let distances = answer.distances, distances.count == count, distances.allSatisfy({ $0.count == count })
        else { throw UnreadableAnswer() }
        var walks: [WalkTable.Walk?] = []
        for start in 0..<count {
            for end in 0..<count {
                guard sources[start].isAtWay, sources[end].isAtWay, let seconds = durations[start][end],
                    let metres = distances[start][end], seconds >= 0, metres >= 0
                else {
                    walks.append(start == end ? WalkTable.Walk(seconds: 0, metres: 0) : nil)
                    continue
                }
                walks.append(WalkTable.Walk(seconds: seconds, metres: metres))
            }
        }
        return WalkTable(points: count, walks: walks)
    }

    /// The legs of a route; empty when there is none.
    private static func legs(_ response: OutboundResponse, of count: Int) throws(UnreadableAnswer) -> [WalkLeg?] {
        // OSRM reports a missing route with status 400.
        let answer = try ProviderJSON.read(Route.self, response, statuses: [200, 400])
        if answer.code == "NoRoute" || answer.code == "NoSegment" { return [] }
        guard answer.code == "Ok", let legs = answer.routes?.first?.legs, legs.count == count - 1,
            let waypoints = answer.waypoints, waypoints.count == count
        else { throw UnreadableAnswer() }
        var ways: [WalkLeg?] = []
        for (index, leg) in legs.enumerated() {
            guard waypoints[index].isAtWay, waypoints[index + 1].isAtWay else {
                ways.append(nil)
                continue
            }
            ways.append(
                WalkLeg(seconds: leg.duration, metres: leg.distance, geometry: try Self.geometry(leg.steps))
            )
        }
        return ways
    }

    /// The line through steps; each step begins at the end of the previous one.
    private static func geometry(_ steps: [Route.Step]) throws(UnreadableAnswer) -> String {
        var line: [Coordinate] = []
        for step in steps {
            guard let points = Polyline.points(step.geometry) else { throw UnreadableAnswer() }
            for point in points where line.last != point { line.append(point) }
        }
        return Polyline.text(line)
    }
}

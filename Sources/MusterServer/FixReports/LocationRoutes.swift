import EventLoop
import MusterCore
import MusterWire
import WebSocketGateway

/// Reports of fixes over HTTP, for clients that wake only briefly (public/docs/protocol.md#report-a-fix).
struct LocationRoutes: Sendable {
    private let node: ServerNode
    private let world: any WorldLink
    /// Requests that wait for the world.
    private let reports: PendingAnswers<ReportOutcome>
    /// Limits the rate of fixes by user.
    private let meter: RateMeter<UserID>

    init(_ node: ServerNode, world: any WorldLink, reports: PendingAnswers<ReportOutcome>) {
        self.node = node
        self.world = world
        self.reports = reports
        self.meter = RateMeter(rate: node.configuration.fixRate, burst: node.configuration.fixBurst)
    }

    /// The routes of the table.
    var routes: [Route] {
        // The token is looked up together with the device, in one round trip.
        [Route(.post, "/v1/locations", access: .bearer(self.node), body: .json, handler: self.report)]
    }

    private func report(_ request: RouteRequest, _ token: BearerToken) async throws -> HTTPResponse {
        let directory = try self.node.readyDirectory()
        let (key, batch) = try await self.node.reading(for: token) { () throws(FrameError) in try Self.read(request) }
        let admission = try await directory.hello(
            token: token.text,
            device: Hello.Device(key: key, kind: .tracker),
            keepsKind: true
        )
        try self.meter.charge(
            batch.fixes.count + batch.malformed.count,
            to: admission.arrival.user.id,
            now: self.node.clock.milliseconds
        )
        let outcome = try await self.reports.answer { number in
            let origin = FixReport.Origin.request(SessionID(number))
            self.world.send(
                .fixesReceived(FixReport(origin: origin, arrival: admission.arrival, fixes: batch.fixes))
            )
        }
        // An empty report is valid.
        let hasBad = !batch.malformed.isEmpty || !outcome.malformed.isEmpty
        if hasBad, batch.fixes.count == outcome.malformed.count {
            throw batch.malformed.first ?? outcome.malformed.first ?? .noFix()
        }
        return .json(ReportBody(outcome, malformed: batch.malformed))
    }

    /// The device key and the fixes of a request.
    private static func read(_ request: RouteRequest) throws(FrameError) -> (key: String, batch: FixBatch) {
        guard let key = try request.deviceKey() else {
            throw FrameError(
                .badRequest,
                message: "The query must name the device: ?device=KEY of 1…64 characters.",
                field: "device"
            )
        }
        return (key, try request.json { (fields) throws(FrameError) in try FixBatch(reading: fields) })
    }
}

import EventLoop
import MusterCore
import MusterWire
import Synchronization
import WebSocketGateway

// A stream of server-sent events (HTML Standard, 9.2): `id` is the glance's `at`, `event` is `glance`, and `data` is
// its frame. Every glance is complete, and one follows as soon as the stream begins. A client that reconnects may send
// the id of the device's last glance as `Last-Event-ID`. The stream then continues from there: the next glance follows
// a notable change, and no earlier than it is due.

/// Glances for clients that can keep an HTTP response open, but no WebSocket (public/docs/protocol.md#glances).
struct GlanceRoutes: Sendable {
    /// The interval between two heartbeats of a stream, in seconds.
    static let heartbeat = 15

    private static let lastEvent = "last-event-id"

    private let node: ServerNode
    private let world: any WorldLink
    private let streams: GlanceStreams

    init(_ node: ServerNode, world: any WorldLink, streams: GlanceStreams) {
        self.node = node
        self.world = world
        self.streams = streams
    }

    /// The routes of the table.
    var routes: [Route] {
        [
            Route(
                .get,
                "/v1/glances",
                access: .bearer(self.node),
                headers: [Self.lastEvent],
                handler: self.glances
            )
        ]
    }

    private func glances(_ request: RouteRequest, _ token: BearerToken) async throws -> HTTPResponse {
        let directory = try self.node.readyDirectory()
        guard !self.node.isDraining.load(ordering: .acquiring) else { throw FrameError.storageAway }
        let headers: [(name: String, value: String)] = [
            ("content-type", "text/event-stream"), ("cache-control", "no-store"), ("x-accel-buffering", "no"),
        ]
        if request.base.method == .head {
            _ = try await directory.authenticate(token: token.text)
            return HTTPResponse(status: 200, headers: headers)
        }
        let key = try await self.node.reading(for: token) { () throws(FrameError) in
            try request.deviceKey() ?? "glances"
        }
        // The token is looked up together with the device, in one round trip.
        let admission = try await directory.hello(
            token: token.text,
            device: Hello.Device(key: key, kind: .watch),
            keepsKind: true
        )
        let session = SessionID(request.base.id)
        let opening = SessionOpening(
            session: session,
            arrival: admission.arrival,
            login: admission.login,
            expiresAt: admission.expiresAt,
            isWatch: true,
            knownGlance: request.headers[Self.lastEvent].flatMap { Int64($0) }.map { Timestamp(milliseconds: $0) }
        )
        let (streams, world) = (self.streams, self.world)
        let stream = AnswerStream { (stream) async throws in
            let events = streams.open(session)
            world.send(.sessionOpened(opening))
            let beats = Task {
                while !Task.isCancelled {
                    try await Task.sleep(for: .seconds(Self.heartbeat))
                    streams.send(.heartbeat, to: session)
                }
            }
            defer {
                beats.cancel()
                streams.end(session)
                world.send(.sessionClosed(session))
            }
            for await event in events { try await stream.write(Self.text(of: event)) }
        }
        return HTTPResponse(status: 200, headers: headers, stream: stream)
    }

    private static func text(of event: GlanceStreams.Event) -> [UInt8] {
        switch event {
        case .heartbeat: Array(":\n\n".utf8)
        case .glance(let glance):
            Array("id: \(glance.at.milliseconds)\nevent: glance\ndata: ".utf8) + ServerFrame.glance(glance).encoded
                + Array("\n\n".utf8)
        }
    }
}

import MusterCore
import MusterWire
import Synchronization

/// The HTTP requests that are sent glances, each of which is a watch session of the world.
final class GlanceStreams: Sendable {
    /// What a stream is to write.
    enum Event: Sendable {
        case glance(Glance)
        /// Nothing has happened: shows the client, and what lies between, that the connection is alive.
        case heartbeat
    }

    /// Events that may wait for a client that reads slowly; of more the newest are kept, and every glance is whole.
    private static let capacity = 4

    private let streams = Mutex<[SessionID: AsyncStream<Event>.Continuation]>([:])

    /// Begins to collect what a session is to be sent.
    func open(_ session: SessionID) -> AsyncStream<Event> {
        let (events, continuation) = AsyncStream.makeStream(
            of: Event.self,
            bufferingPolicy: .bufferingNewest(Self.capacity)
        )
        self.streams.withLock { $0[session] = continuation }
        return events
    }

    /// Has an event written, and says whether the session is a stream.
    @discardableResult
    func send(_ event: Event, to session: SessionID) -> Bool {
        guard let continuation = self.streams.withLock({ $0[session] }) else { return false }
        continuation.yield(event)
        return true
    }

    /// Ends a stream, if the session is one.
    func end(_ session: SessionID) { self.streams.withLock { $0.removeValue(forKey: session) }?.finish() }

    /// Ends all streams: the server shuts down.
    func endAll() {
        let all = self.streams.withLock { streams in
            defer { streams = [:] }
            return streams
        }
        for continuation in all.values { continuation.finish() }
    }

    /// The number of streams.
    var count: Int { self.streams.withLock { $0.count } }
}

extension GlanceStreams: GlanceOutlet {
    func send(_ glance: Glance, to session: SessionID) -> Bool { self.send(.glance(glance), to: session) }
}

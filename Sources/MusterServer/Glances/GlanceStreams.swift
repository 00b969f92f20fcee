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

    /// Nil once the server shuts down.
    private let streams = Mutex<[SessionID: AsyncStream<Event>.Continuation]?>([:])

    /// How many there are now.
    var count: Int { self.streams.withLock { $0?.count ?? 0 } }

    /// Begins to collect what a session is to be sent: nothing any more when the server shuts down.
    func open(_ session: SessionID) -> AsyncStream<Event> {
        let (events, continuation) = AsyncStream.makeStream(
            of: Event.self,
            bufferingPolicy: .bufferingNewest(Self.capacity)
        )
        let isOpen = self.streams.withLock { streams in
            streams?[session] = continuation
            return streams != nil
        }
        if !isOpen { continuation.finish() }
        return events
    }

    /// Has an event written, and says whether the session is a stream.
    @discardableResult
    func send(_ event: Event, to session: SessionID) -> Bool {
        guard let continuation = self.streams.withLock({ $0?[session] }) else { return false }
        continuation.yield(event)
        return true
    }

    /// Ends a stream, if the session is one.
    func end(_ session: SessionID) { self.streams.withLock { $0?.removeValue(forKey: session) }?.finish() }

    /// Ends all streams, and those that begin from now on: the server shuts down.
    func endAll() {
        for continuation in (self.streams.withLock { $0.take() } ?? [:]).values { continuation.finish() }
    }
}

extension GlanceStreams: GlanceOutlet {
    func send(_ glance: Glance, to session: SessionID) -> Bool { self.send(.glance(glance), to: session) }
}

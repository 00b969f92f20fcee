import MusterCore
import MusterWire
import Synchronization

/// The HTTP requests that receive glances.
///
/// For the world, each is the session of a wearable.
final class GlanceStreams: Sendable {
    /// An event to write to a stream.
    enum Event: Sendable {
        case glance(Glance)
        /// A sign for the client and for proxies that the connection is alive.
        case heartbeat
    }

    /// The maximum number of events that wait for a slow client.
    ///
    /// The newest are kept, and every glance is complete.
    private static let capacity = 4

    /// Nil once the server shuts down.
    private let streams = Mutex<[SessionID: AsyncStream<Event>.Continuation]?>([:])

    /// The current number of streams.
    var count: Int { self.streams.withLock { $0?.count ?? 0 } }

    /// Starts to collect the events of a session; the stream ends at once when the server shuts down.
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

    /// Enqueues an event, and returns whether the session is a stream.
    @discardableResult
    func send(_ event: Event, to session: SessionID) -> Bool {
        guard let continuation = self.streams.withLock({ $0?[session] }) else { return false }
        continuation.yield(event)
        return true
    }

    /// Ends a stream, if the session is one.
    func end(_ session: SessionID) { self.streams.withLock { $0?.removeValue(forKey: session) }?.finish() }

    /// Ends all streams, and those that begin from now on, because the server shuts down.
    func endAll() {
        for continuation in (self.streams.withLock { $0.take() } ?? [:]).values { continuation.finish() }
    }
}

extension GlanceStreams: GlanceOutlet {
    func send(_ glance: Glance, to session: SessionID) -> Bool { self.send(.glance(glance), to: session) }
}

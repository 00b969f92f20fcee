import EventLoop
import MusterWire
import WebSocketGateway

// After an outage all clients reconnect within a second or two, and the directory admits about three thousand a second.
// A task that waits for the directory takes several kilobytes. So a client that cannot be served yet waits here, as its
// `hello`.

/// The FIFO queue of `hello` frames that wait for the directory, and the number of those that it processes.
struct AdmissionQueue {
    /// The maximum number of frames at the directory: twice as many as its connections take.
    ///
    /// The directory then never waits for a shard.
    static let limit = 64

    private var waiting = ArrivalQueue<(hello: Hello, id: ConnectionID)>()
    private var running = 0

    /// Enqueues a `hello`.
    mutating func append(_ hello: Hello, of id: ConnectionID) { self.waiting.append((hello, id)) }

    /// Dequeues the oldest `hello`, if there is capacity; each is followed by an `end`.
    mutating func begin() -> (hello: Hello, id: ConnectionID)? {
        guard self.running < Self.limit, let first = self.waiting.popFirst() else { return nil }
        self.running += 1
        return first
    }

    /// Frees the capacity of one `hello`.
    mutating func end() { self.running -= 1 }
}

import EventLoop
import MusterWire
import WebSocketGateway

// After an outage everybody comes back within a second or two, and the directory lets in about three thousand a second. A
// task that waits for it takes several kilobytes, so those who cannot be served yet wait here, as what they said.

/// Who has said `hello` and waits for the directory, in order; some are with it.
struct AdmissionQueue {
    /// How many may be with the directory: twice as many as its connections take, so that it never waits for a shard.
    static let limit = 64

    private var waiting = ArrivalQueue<(hello: Hello, id: ConnectionID)>()
    private var running = 0

    /// Lets somebody wait.
    mutating func append(_ hello: Hello, of id: ConnectionID) { self.waiting.append((hello, id)) }

    /// Takes out who has waited longest, when there is room; each is followed by an `end`.
    mutating func begin() -> (hello: Hello, id: ConnectionID)? {
        guard self.running < Self.limit, let first = self.waiting.popFirst() else { return nil }
        self.running += 1
        return first
    }

    /// Makes room for another.
    mutating func end() { self.running -= 1 }
}

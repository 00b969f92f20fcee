import MusterWire

// A session's frames take effect in its order where that matters, and nothing waits where it does not:
//
// - A barrier starts at once, and while it runs every later frame of the session waits for it.
// - Other requests run beside each other, eight at most; those that come then wait, in order. Fixes, pings and barriers
//   never wait for them.
// - A request of a line waits for the earlier ones of its line; one behind a line waits for the earlier ones of that line.

/// Which requests of a session run, and which wait.
///
/// A value without clock or threads: whoever owns it starts what it says.
struct RequestSchedule<Payload> {
    /// Requests that run beside each other at most, barriers not counted.
    static var limit: Int { 8 }

    /// A request that is to start.
    struct Start {
        /// Names the request from now on.
        let ticket: UInt64
        let order: RequestOrder
        let payload: Payload
    }

    private struct Running {
        let ticket: UInt64
        let order: RequestOrder
    }

    private var running: [Running] = []
    private var waiting: [Start] = []
    /// The newest ticket.
    private(set) var lastTicket: UInt64

    /// Begins with nothing; tickets rise from `ticket` on.
    init(after ticket: UInt64 = 0) { self.lastTicket = ticket }

    /// Whether a barrier runs, so that later frames wait.
    var isBarred: Bool { self.running.contains { $0.order == .barrier } }

    /// How many requests wait for their turn.
    var waitingCount: Int { self.waiting.count }

    /// Whether nothing runs and nothing waits.
    var isIdle: Bool { self.running.isEmpty && self.waiting.isEmpty }

    /// Takes in a request.
    ///
    /// - Precondition: no barrier runs.
    /// - Returns: the request when it starts now; nil when it waits.
    mutating func enqueue(_ payload: Payload, _ order: RequestOrder) -> Start? {
        precondition(!self.isBarred, "frames behind a barrier are not read yet")
        self.lastTicket += 1
        let request = Start(ticket: self.lastTicket, order: order, payload: payload)
        guard order == .barrier || self.mayStart(order, behind: self.waiting[...]) else {
            self.waiting.append(request)
            return nil
        }
        self.running.append(Running(ticket: request.ticket, order: order))
        return request
    }

    /// Notes that a request has ended.
    ///
    /// - Returns: the requests that start now.
    mutating func finish(_ ticket: UInt64) -> [Start] {
        self.running.removeAll { $0.ticket == ticket }
        var started: [Start] = []
        var index = 0
        while index < self.waiting.count {
            guard self.mayStart(self.waiting[index].order, behind: self.waiting[..<index]) else {
                index += 1
                continue
            }
            let request = self.waiting.remove(at: index)
            self.running.append(Running(ticket: request.ticket, order: request.order))
            started.append(request)
        }
        return started
    }

    /// Whether there is room, and nothing earlier that the request must wait for.
    private func mayStart(_ order: RequestOrder, behind earlier: ArraySlice<Start>) -> Bool {
        guard self.running.count(where: { $0.order != .barrier }) < Self.limit else { return false }
        let line: RequestOrder
        switch order {
        case .barrier, .beside: return true
        case .line(let name), .behind(let name): line = .line(name)
        }
        return !self.running.contains { $0.order == line } && !earlier.contains { $0.order == line }
    }
}

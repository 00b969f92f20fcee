import MusterWire

// The frames of a session take effect in order where that matters, and nothing waits where it does not:
//
// - A barrier starts at once, and while it runs every later frame of the session waits.
// - Other requests run concurrently, eight at most; further requests wait, in order. Fixes, pings and barriers never
//   wait for them.
// - A request of a line waits for the earlier requests of its line. A request behind a line waits for the earlier ones
//   of that line.

/// Decides which requests of a session run, and which wait.
///
/// A value without clock or threads; its owner starts the requests that it returns.
struct RequestSchedule<Payload> {
    /// The maximum number of concurrent requests, barriers not counted.
    static var limit: Int { 8 }

    /// A request to start.
    struct Start {
        /// Identifies the request from now on.
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

    /// Creates an empty schedule; tickets increase from `ticket` on.
    init(after ticket: UInt64 = 0) { self.lastTicket = ticket }

    /// Whether a barrier is running, so that later frames wait.
    var isBarred: Bool { self.running.contains { $0.order == .barrier } }

    /// The number of waiting requests.
    var waitingCount: Int { self.waiting.count }

    /// Whether no request runs or waits.
    var isIdle: Bool { self.running.isEmpty && self.waiting.isEmpty }

    /// Adds a request.
    ///
    /// - Precondition: no barrier runs.
    /// - Returns: the request if it starts now; nil if it waits.
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

    /// Removes a request that has ended.
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

    /// Whether there is capacity, and no earlier request that this one must wait for.
    private func mayStart(_ order: RequestOrder, behind earlier: ArraySlice<Start>) -> Bool {
        guard self.running.count(where: { $0.order != .barrier }) < Self.limit else { return false }
        let line: RequestOrder
        switch order {
        case .barrier, .concurrent: return true
        case .line(let name), .behind(let name): line = .line(name)
        }
        return !self.running.contains { $0.order == line } && !earlier.contains { $0.order == line }
    }
}

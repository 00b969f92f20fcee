import CLibCurl
import EventLoop

/// What a client asks of its loop.
enum OutboundCommand: Sendable {
    /// Does a request, and tells its end once.
    case begin(UInt64, OutboundRequest, @Sendable (Result<OutboundResponse, OutboundError>) -> Void)
    /// Gives a request up.
    case cancel(UInt64)
    /// Gives everything up and ends.
    case close
}

/// The one thread on which libcurl works.
final class OutboundLoop {
    private struct Request {
        let request: OutboundRequest
        let end: @Sendable (Result<OutboundResponse, OutboundError>) -> Void
        /// Nil while its turn has not come.
        var transfer: Transfer?
    }

    private let multi: MultiHandle
    private let mailbox: Mailbox<OutboundCommand>
    private let heartbeat: Heartbeat
    private let clock: MonotonicClock
    private let userAgent: String
    private var queue: HostQueue
    private var requests: [UInt64: Request] = [:]
    /// Requests by libcurl's handles.
    private var transfers: [UnsafeMutableRawPointer: UInt64] = [:]
    private var isClosed = false

    init(
        _ multi: MultiHandle,
        _ mailbox: Mailbox<OutboundCommand>,
        heartbeat: Heartbeat,
        clock: MonotonicClock,
        userAgent: String,
        waitingPerHost: Int
    ) {
        self.multi = multi
        self.mailbox = mailbox
        self.heartbeat = heartbeat
        self.clock = clock
        self.userAgent = userAgent
        self.queue = HostQueue(limit: waitingPerHost)
    }

    /// Works until it is closed.
    func run() {
        var commands: [OutboundCommand] = []
        while !self.isClosed {
            self.mailbox.drain(into: &commands)
            for command in commands { self.apply(command) }
            var running = Int32(0)
            curl_multi_perform(self.multi.pointer, &running)
            self.finishTransfers()
            for id in self.queue.removeExpired(now: self.clock.milliseconds) {
                self.end(id, .failure(OutboundError(.queueTimeout, "the host had no room in time")))
            }
            guard !self.isClosed else { break }
            self.heartbeat.end()
            curl_multi_poll(self.multi.pointer, nil, 0, self.patience, nil)
            self.heartbeat.begin()
        }
        for id in Array(self.requests.keys) {
            self.end(id, .failure(OutboundError(.cancelled, "the process goes")))
        }
    }

    /// Milliseconds until there is something to do besides what libcurl waits for.
    private var patience: Int32 {
        let left = self.queue.nextDeadline.map { $0 - self.clock.milliseconds } ?? 60_000
        return Int32(min(max(left, 1), 60_000))
    }

    private func apply(_ command: OutboundCommand) {
        switch command {
        case .begin(let id, let request, let end):
            self.requests[id] = Request(request: request, end: end)
            let waiting = HostQueue.Waiting(id: id, deadline: request.deadline, concurrency: request.concurrency)
            switch self.queue.add(waiting, to: request.url.authority) {
            case .begins: self.begin(id)
            case .waits: break
            case .refused: self.end(id, .failure(OutboundError(.busy, "too many requests wait for the host")))
            }
        case .cancel(let id):
            guard let request = self.requests[id] else { return }
            if request.transfer == nil { self.queue.remove(id, from: request.request.url.authority) }
            self.end(id, .failure(OutboundError(.cancelled, "nobody waits for it")))
        case .close:
            self.isClosed = true
        }
    }

    /// Hands a request, which the queue counts as under way, to libcurl.
    private func begin(_ id: UInt64) {
        guard let request = self.requests[id]?.request else { return }
        let left = request.deadline == .max ? .max : request.deadline - self.clock.milliseconds
        // None at all would mean for ever.
        let transfer = Transfer(request, userAgent: self.userAgent, milliseconds: max(1, min(request.timeout, left)))
        self.requests[id]?.transfer = transfer
        self.transfers[transfer.easy] = id
        curl_multi_add_handle(self.multi.pointer, transfer.easy)
    }

    private func finishTransfers() {
        var left = Int32(0)
        while let message = curl_multi_info_read(self.multi.pointer, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle,
                let id = self.transfers[easy], let transfer = self.requests[id]?.transfer
            else { continue }
            self.end(id, transfer.result(muster_curl_result(message)))
        }
    }

    /// Tells a request's end, and lets the next begin.
    private func end(_ id: UInt64, _ result: Result<OutboundResponse, OutboundError>) {
        guard let request = self.requests.removeValue(forKey: id) else { return }
        request.end(result)
        guard let transfer = request.transfer else { return }
        curl_multi_remove_handle(self.multi.pointer, transfer.easy)
        self.transfers[transfer.easy] = nil
        let next = self.queue.end(at: request.request.url.authority)
        guard !self.isClosed else { return }
        for id in next { self.begin(id) }
        // What was added just now is looked at without a wait.
        if !next.isEmpty { self.multi.wake() }
    }
}

@available(*, unavailable)
extension OutboundLoop: Sendable {}

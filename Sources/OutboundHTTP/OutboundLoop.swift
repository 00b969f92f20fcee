import CLibCurl
import EventLoop

/// A command from the client to its loop.
enum OutboundCommand: Sendable {
    /// Starts a request, and calls the closure once with the result.
    case begin(UInt64, OutboundJob, @Sendable (Result<OutboundResponse, OutboundError>) -> Void)
    /// Cancels a request.
    case cancel(UInt64)
    /// Cancels all requests and ends the loop.
    case close
}

/// The loop of the one thread that calls libcurl.
final class OutboundLoop {
    private struct Request {
        let request: OutboundJob
        let end: @Sendable (Result<OutboundResponse, OutboundError>) -> Void
        /// Nil while the request is queued.
        var transfer: Transfer?
    }

    private let multi: MultiHandle
    private let mailbox: Mailbox<OutboundCommand>
    private let heartbeat: Heartbeat
    private let clock: MonotonicClock
    private let userAgent: String
    private var queue: HostQueue
    private var requests: [UInt64: Request] = [:]
    /// The ids of the requests by libcurl's handles.
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

    /// Runs until `close`.
    func run() {
        var commands: [OutboundCommand] = []
        while !self.isClosed {
            self.mailbox.drain(into: &commands)
            for command in commands { self.apply(command) }
            var running = Int32(0)
            curl_multi_perform(self.multi.pointer, &running)
            self.finishTransfers()
            for id in self.queue.removeExpired(now: self.clock.milliseconds) {
                self.end(
                    id,
                    .failure(OutboundError(.queueTimeout, "the request waited too long for other requests to the host"))
                )
            }
            guard !self.isClosed else { break }
            self.heartbeat.end()
            curl_multi_poll(self.multi.pointer, nil, 0, self.timeout, nil)
            self.heartbeat.begin()
        }
        for id in Array(self.requests.keys) {
            self.end(id, .failure(OutboundError(.cancelled, "the process is ending")))
        }
    }

    /// Milliseconds until the loop must wake up on its own, without an event of libcurl.
    private var timeout: Int32 {
        let left = self.queue.nextDeadline.map { $0 - self.clock.milliseconds } ?? 60_000
        return Int32(min(max(left, 1), 60_000))
    }

    private func apply(_ command: OutboundCommand) {
        switch command {
        case .begin(let id, let request, let end):
            self.requests[id] = Request(request: request, end: end)
            let waiting = HostQueue.Waiting(id: id, deadline: request.deadline, concurrency: request.concurrency)
            switch self.queue.add(waiting, to: request.authority) {
            case .begins: self.begin(id)
            case .waits: break
            case .refused: self.end(id, .failure(OutboundError(.busy, "too many requests wait for the host")))
            }
        case .cancel(let id):
            guard let request = self.requests[id] else { return }
            if request.transfer == nil { self.queue.remove(id, from: request.request.authority) }
            self.end(id, .failure(OutboundError(.cancelled, "the caller no longer waits for the answer")))
        case .close:
            self.isClosed = true
        }
    }

    /// Starts a request, which the queue already counts as running.
    private func begin(_ id: UInt64) {
        guard let request = self.requests[id]?.request else { return }
        let left = request.deadline == .max ? .max : request.deadline - self.clock.milliseconds
        // libcurl would read 0 as no timeout.
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

    /// Reports the result of a request, and starts the requests that waited for it.
    private func end(_ id: UInt64, _ result: Result<OutboundResponse, OutboundError>) {
        guard let request = self.requests.removeValue(forKey: id) else { return }
        request.end(result)
        guard let transfer = request.transfer else { return }
        curl_multi_remove_handle(self.multi.pointer, transfer.easy)
        self.transfers[transfer.easy] = nil
        let next = self.queue.end(at: request.request.authority)
        guard !self.isClosed else { return }
        for id in next { self.begin(id) }
        // So that libcurl starts the added requests without waiting.
        if !next.isEmpty { self.multi.wake() }
    }
}

@available(*, unavailable)
extension OutboundLoop: Sendable {}

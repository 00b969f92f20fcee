import CMusterShims
import EventLoop
import Glibc

/// Many non-blocking WebSockets on one thread, for simulations and load tests.
///
/// `open` numbers the connections, starting at 1. Confined to one thread.
package final class ClientLoop {
    /// A handler of a text message whose bytes are still in the receive buffer.
    ///
    /// It copies what it needs later.
    package typealias TextHandler = (_ connection: Int, _ text: UnsafeRawBufferPointer) -> Void

    private let host: String
    private let port: UInt16
    private let epoll: Int32
    /// The connections by number; nil for a closed one.
    private var links: [ClientLink?] = [nil]
    private var failed: [Int] = []
    private var ready: [epoll_event]
    private var events: [WebSocketEvent] = []
    private let inbox = UnsafeMutableRawBufferPointer.allocate(byteCount: 262_144, alignment: 64)
    /// The number of open and connecting connections.
    package private(set) var count = 0
    /// The number of bytes received since the loop was created.
    package private(set) var bytesReceived = 0

    /// Creates a loop for a numeric IPv4 address.
    ///
    /// One iteration handles at most `eventsPerIteration` sockets.
    package init(host: String, port: UInt16, eventsPerIteration: Int = 512) {
        self.host = host
        self.port = port
        self.epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        precondition(self.epoll >= 0, "the process has no descriptor left for a client loop")
        self.ready = Array(repeating: epoll_event(), count: eventsPerIteration)
    }

    deinit {
        Glibc.close(self.epoll)
        self.inbox.deallocate()
    }

    /// Starts to connect.
    ///
    /// An event `opened`, `refused` or `closed` follows.
    package func open(
        path: String = "/v1/ws",
        subprotocol: String? = "muster.v1",
        headers: [(name: String, value: String)] = []
    ) -> Int {
        let number = self.links.count
        self.links.append(nil)
        let flags = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_INET, flags, 0)
        guard descriptor >= 0, self.beginConnecting(descriptor) else {
            if descriptor >= 0 { Glibc.close(descriptor) }
            self.failed.append(number)
            return number
        }
        let link = ClientLink(
            descriptor: descriptor,
            codec: WebSocketCodec(
                host: "\(self.host):\(self.port)",
                path: path,
                subprotocol: subprotocol,
                headers: headers
            )
        )
        self.links[number] = link
        self.count += 1
        self.control(EPOLL_CTL_ADD, number, link)
        return number
    }

    /// Sends a text message as soon as the socket accepts it.
    package func send(_ text: some Sequence<UInt8>, on number: Int) {
        guard let link = self.links[number] else { return }
        link.codec.send(text: text)
        self.flush(number, link)
    }

    /// Sends a text message as soon as the socket accepts it.
    ///
    /// The masked copy is the only copy.
    package func send(bytes: UnsafeRawBufferPointer, on number: Int) {
        guard let link = self.links[number] else { return }
        link.codec.send(opcode: 1, bytes: bytes)
        self.flush(number, link)
    }

    /// Cuts a connection without a close frame, like a phone that loses its network.
    package func cut(_ number: Int) { self.drop(number) }

    /// Waits up to `timeoutMilliseconds` for the sockets, and calls `body` with each event and its connection.
    package func iterate(timeoutMilliseconds: Int32, _ body: (Int, WebSocketEvent) -> Void) {
        self.iterate(timeoutNanoseconds: Int64(timeoutMilliseconds) * 1_000_000, text: nil, body)
    }

    /// Waits up to `timeoutNanoseconds` for the sockets, and reports each event with its connection.
    ///
    /// With `text`, unfragmented text messages are passed to `text` in place, and `body` gets all other events. Without
    /// `text`, `body` gets all events.
    package func iterate(timeoutNanoseconds: Int64, text: TextHandler?, _ body: (Int, WebSocketEvent) -> Void) {
        let lost = self.failed
        self.failed.removeAll(keepingCapacity: true)
        for number in lost { body(number, .closed(number: 1006, reason: "cannot connect")) }
        let wait = lost.isEmpty ? max(0, timeoutNanoseconds) : 0
        var timeout = timespec(tv_sec: Int(wait / 1_000_000_000), tv_nsec: Int(wait % 1_000_000_000))
        let count = epoll_pwait2(self.epoll, &self.ready, Int32(self.ready.count), &timeout, nil)
        guard count > 0 else { return }
        for index in 0..<Int(count) {
            let number = Int(self.ready[index].data.u64)
            let happened = self.ready[index].events
            guard let link = self.links[number] else { continue }
            if happened & EPOLLOUT.rawValue != 0 { self.flush(number, link) }
            guard happened & ~EPOLLOUT.rawValue != 0 else { continue }
            // Edge-triggered polling (`EPOLLET`) reports a socket once for new input, which saves the kernel a second
            // check in the next iteration. A short read means that the socket is empty, but the end of the connection may
            // follow.
            let isEnding = happened & ~(EPOLLOUT.rawValue | EPOLLIN.rawValue) != 0
            while let count = self.receive(number, link, text, body), count == self.inbox.count || isEnding,
                self.links[number] === link
            {}
        }
    }

    /// Reads once, and reports the events.
    ///
    /// - Returns: the number of bytes; nil when there were none.
    private func receive(
        _ number: Int,
        _ link: ClientLink,
        _ text: TextHandler?,
        _ body: (Int, WebSocketEvent) -> Void
    ) -> Int? {
        let count = recv(link.descriptor, self.inbox.baseAddress, self.inbox.count, 0)
        guard count > 0 else {
            let isAlive = count < 0 && (errno == EAGAIN || errno == EINTR)
            guard !isAlive else { return nil }
            self.drop(number)
            body(number, .closed(number: 1006, reason: "connection lost"))
            return nil
        }
        self.read(UnsafeRawBufferPointer(rebasing: self.inbox[..<count]), number, link, text, body)
        return count
    }

    private func read(
        _ bytes: UnsafeRawBufferPointer,
        _ number: Int,
        _ link: ClientLink,
        _ text: TextHandler?,
        _ body: (Int, WebSocketEvent) -> Void
    ) {
        self.bytesReceived += bytes.count
        var rest = bytes
        if let text, link.codec.isBetweenMessages {
            while let message = WebSocketCodec.textMessage(startOf: rest) {
                rest = UnsafeRawBufferPointer(rebasing: rest[message.end...])
                text(number, message.payload)
                // The handler may have cut the connection.
                guard self.links[number] === link else { return }
            }
        }
        guard !rest.isEmpty else { return }
        link.codec.receive(rest, into: &self.events)
        var events: [WebSocketEvent] = []
        swap(&events, &self.events)
        self.flush(number, link)
        var hasEnded = false
        for event in events {
            switch event {
            case .closed, .refused: hasEnded = true
            case .opened, .text, .binary, .ping, .pong: break
            }
            body(number, event)
        }
        if hasEnded { self.drop(number) }
        events.removeAll(keepingCapacity: true)
        swap(&events, &self.events)
    }

    private func flush(_ number: Int, _ link: ClientLink) {
        guard !link.codec.outgoing.isEmpty || link.waitsToWrite else { return }
        let mustWait = link.flush()
        guard mustWait != link.waitsToWrite else { return }
        link.waitsToWrite = mustWait
        self.control(EPOLL_CTL_MOD, number, link)
    }

    private func beginConnecting(_ descriptor: Int32) -> Bool {
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = self.port.bigEndian
        guard inet_pton(AF_INET, self.host, &address.sin_addr) == 1 else { return false }
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return status == 0 || errno == EINPROGRESS
    }

    private func control(_ operation: Int32, _ number: Int, _ link: ClientLink) {
        var event = epoll_event()
        event.events = EPOLLIN.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue
        if link.waitsToWrite { event.events |= EPOLLOUT.rawValue }
        event.data.u64 = UInt64(number)
        epoll_ctl(self.epoll, operation, link.descriptor, &event)
    }

    private func drop(_ number: Int) {
        guard self.links[number] != nil else { return }
        self.links[number] = nil
        self.count -= 1
    }
}

@available(*, unavailable)
extension ClientLoop: Sendable {}

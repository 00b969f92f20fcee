import CMusterShims
import EventLoop
import Glibc

/// Many WebSockets on one thread, none of which blocks: for simulations and load.
///
/// Connections are known by the numbers that `open` gives, from 1 up. Confined to one thread.
package final class ClientLoop {
    /// Told of a text message while its bytes are still in the receive buffer, and copies what it wants to keep.
    package typealias TextHandler = (_ connection: Int, _ text: UnsafeRawBufferPointer) -> Void

    private let host: String
    private let port: UInt16
    private let epoll: Int32
    /// By number; nil once the connection is gone.
    private var links: [ClientLink?] = [nil]
    private var failed: [Int] = []
    private var ready: [epoll_event]
    private var events: [WebSocketEvent] = []
    private let inbox = UnsafeMutableRawBufferPointer.allocate(byteCount: 262_144, alignment: 64)
    /// The number of connections that are open or being opened.
    package private(set) var count = 0
    /// Bytes that came from the server since the loop was made.
    package private(set) var bytesReceived = 0

    /// Prepares connections to a numeric IPv4 address; one turn serves `eventsPerTurn` sockets at most.
    package init(host: String, port: UInt16, eventsPerTurn: Int = 512) {
        self.host = host
        self.port = port
        self.epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        precondition(self.epoll >= 0, "the process has no descriptor left for a client loop")
        self.ready = Array(repeating: epoll_event(), count: eventsPerTurn)
    }

    deinit {
        Glibc.close(self.epoll)
        self.inbox.deallocate()
    }

    /// Begins to connect; `opened`, `refused` or `closed` will follow.
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

    /// Sends a text message as soon as the socket takes it.
    package func send(_ text: some Sequence<UInt8>, on number: Int) {
        guard let link = self.links[number] else { return }
        link.codec.send(text: text)
        self.flush(number, link)
    }

    /// Sends a text message as soon as the socket takes it; makes no copy but the masked one.
    package func send(bytes: UnsafeRawBufferPointer, on number: Int) {
        guard let link = self.links[number] else { return }
        link.codec.send(opcode: 1, bytes: bytes)
        self.flush(number, link)
    }

    /// Ends a connection without a word, as a phone does that loses its network.
    package func cut(_ number: Int) { self.drop(number) }

    /// Waits up to `timeoutMilliseconds` for the sockets and tells `body` what came, and from which connection.
    package func turn(timeoutMilliseconds: Int32, _ body: (Int, WebSocketEvent) -> Void) {
        self.turn(timeoutNanoseconds: Int64(timeoutMilliseconds) * 1_000_000, text: nil, body)
    }

    /// Waits up to `timeoutNanoseconds` for the sockets and tells what came, and from which connection.
    ///
    /// `text` is told of text messages in place, and `body` only of those that came in pieces; without `text`, `body`
    /// gets all. `body` is told of everything else.
    package func turn(timeoutNanoseconds: Int64, text: TextHandler?, _ body: (Int, WebSocketEvent) -> Void) {
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
            // A socket is told of once for what has come (`EPOLLET`), which saves the kernel a second look at each in the
            // next turn. A short read has emptied it, but the end of the connection may stand behind.
            let isEnding = happened & ~(EPOLLOUT.rawValue | EPOLLIN.rawValue) != 0
            while let count = self.receive(number, link, text, body), count == self.inbox.count || isEnding,
                self.links[number] === link
            {}
        }
    }

    /// Reads once, and tells what came.
    ///
    /// - Returns: how many bytes; nil when there were none.
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
                // Whoever read it may have cut the connection.
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

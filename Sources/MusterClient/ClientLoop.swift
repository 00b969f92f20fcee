import CMusterShims
import EventLoop
import Glibc

/// Many WebSockets on one thread, none of which blocks: for simulations and load.
///
/// Connections are known by the numbers that `open` gives. Confined to one thread.
package final class ClientLoop {
    private struct Link {
        let descriptor: Int32
        var codec: WebSocketCodec
        var waitsToWrite = true
    }

    private let host: String
    private let port: UInt16
    private let epoll: Int32
    private var links: [Int: Link] = [:]
    private var nextNumber = 0
    private var failed: [Int] = []
    private var ready: [epoll_event]
    private var events: [WebSocketEvent] = []

    /// Prepares connections to a numeric IPv4 address.
    package init(host: String, port: UInt16) {
        self.host = host
        self.port = port
        self.epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        precondition(self.epoll >= 0, "the process has no descriptor left for a client loop")
        self.ready = Array(repeating: epoll_event(), count: 512)
    }

    deinit {
        for link in self.links.values { Glibc.close(link.descriptor) }
        Glibc.close(self.epoll)
    }

    /// The number of connections that are open or being opened.
    package var count: Int { self.links.count }

    /// Begins to connect; `opened`, `refused` or `closed` will follow.
    package func open(
        path: String = "/v1/ws",
        subprotocol: String = "muster.v1",
        headers: [(name: String, value: String)] = []
    ) -> Int {
        self.nextNumber += 1
        let number = self.nextNumber
        let flags = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_INET, flags, 0)
        guard descriptor >= 0, self.beginConnecting(descriptor) else {
            if descriptor >= 0 { Glibc.close(descriptor) }
            self.failed.append(number)
            return number
        }
        self.links[number] = Link(
            descriptor: descriptor,
            codec: WebSocketCodec(
                host: "\(self.host):\(self.port)",
                path: path,
                subprotocol: subprotocol,
                headers: headers
            )
        )
        self.control(EPOLL_CTL_ADD, number, writing: true)
        return number
    }

    /// Sends a text message as soon as the socket takes it.
    package func send(_ text: some Sequence<UInt8>, on number: Int) {
        guard self.links[number] != nil else { return }
        self.links[number]?.codec.send(text: text)
        self.flush(number)
    }

    /// Ends a connection without a word, as a phone does that loses its network.
    package func cut(_ number: Int) { self.drop(number) }

    /// Waits up to `timeoutMilliseconds` for the sockets and tells `body` what came, and from which connection.
    package func turn(timeoutMilliseconds: Int32, _ body: (Int, WebSocketEvent) -> Void) {
        let lost = self.failed
        self.failed.removeAll(keepingCapacity: true)
        for number in lost { body(number, .closed(number: 1006, reason: "cannot connect")) }
        let count = epoll_wait(self.epoll, &self.ready, Int32(self.ready.count), lost.isEmpty ? timeoutMilliseconds : 0)
        guard count > 0 else { return }
        for index in 0..<Int(count) {
            let number = Int(self.ready[index].data.u64)
            let happened = self.ready[index].events
            if happened & EPOLLOUT.rawValue != 0 { self.flush(number) }
            if happened & ~EPOLLOUT.rawValue != 0 { self.receive(number, body) }
        }
    }

    private func receive(_ number: Int, _ body: (Int, WebSocketEvent) -> Void) {
        guard let descriptor = self.links[number]?.descriptor else { return }
        var isAlive = true
        withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 16) { buffer in
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count > 0 {
                let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
                self.links[number]?.codec.receive(bytes, into: &self.events)
            } else {
                isAlive = count < 0 && (errno == EAGAIN || errno == EINTR)
            }
        }
        var events: [WebSocketEvent] = []
        swap(&events, &self.events)
        self.flush(number)
        var hasEnded = false
        for event in events {
            switch event {
            case .closed, .refused: hasEnded = true
            case .opened, .text, .binary, .ping, .pong: break
            }
            body(number, event)
        }
        if hasEnded {
            self.drop(number)
        } else if !isAlive {
            self.drop(number)
            body(number, .closed(number: 1006, reason: "connection lost"))
        }
    }

    private func flush(_ number: Int) {
        guard var link = self.links[number], !link.codec.outgoing.isEmpty || link.waitsToWrite else { return }
        // Swapped out, so that the codec's buffer has one owner while it is written and trimmed.
        var bytes: [UInt8] = []
        self.links[number] = nil
        swap(&bytes, &link.codec.outgoing)
        let sent = bytes.withUnsafeBytes {
            Glibc.send(link.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        if sent > 0 { bytes.removeFirst(sent) }
        let mustWait = !bytes.isEmpty
        swap(&bytes, &link.codec.outgoing)
        let changes = mustWait != link.waitsToWrite
        link.waitsToWrite = mustWait
        self.links[number] = link
        if changes { self.control(EPOLL_CTL_MOD, number, writing: mustWait) }
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

    private func control(_ operation: Int32, _ number: Int, writing: Bool) {
        guard let descriptor = self.links[number]?.descriptor else { return }
        var event = epoll_event()
        event.events = EPOLLIN.rawValue | (writing ? EPOLLOUT.rawValue : 0)
        event.data.u64 = UInt64(number)
        epoll_ctl(self.epoll, operation, descriptor, &event)
    }

    private func drop(_ number: Int) {
        guard let link = self.links.removeValue(forKey: number) else { return }
        Glibc.close(link.descriptor)
    }
}

@available(*, unavailable)
extension ClientLoop: Sendable {}

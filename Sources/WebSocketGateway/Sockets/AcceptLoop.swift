import EventLoop
import Glibc

/// The loop of the accept thread.
struct AcceptLoop {
    /// A refused socket whose client has not closed yet.
    private struct Lingering {
        let descriptor: Int32
        let deadline: Int64
    }

    private static let maximumLingering = 64
    private static let lingerMilliseconds: Int64 = 1000

    private let clock: MonotonicClock
    private let admissions: AdmissionBook
    private let heartbeat: Heartbeat
    private let isStalled: @Sendable () -> Bool
    private let refuse: @Sendable (RefusalReason) -> [UInt8]?
    private let accept: @Sendable (Int32, String) -> Void
    private var lingering: [Lingering] = []
    private var pausedUntil: Int64 = 0

    init(
        clock: MonotonicClock,
        admissions: AdmissionBook,
        heartbeat: Heartbeat,
        isStalled: @escaping @Sendable () -> Bool,
        refuse: @escaping @Sendable (RefusalReason) -> [UInt8]?,
        accept: @escaping @Sendable (Int32, String) -> Void
    ) {
        self.clock = clock
        self.admissions = admissions
        self.heartbeat = heartbeat
        self.isStalled = isStalled
        self.refuse = refuse
        self.accept = accept
    }

    /// Accepts connections until `isStopping` returns true after `signal` is raised.
    mutating func run(listener: Int32, signal: WakeSignal, isStopping: () -> Bool) {
        while !isStopping() {
            let now = self.clock.milliseconds
            let isPaused = now < self.pausedUntil
            var entries = [
                pollfd(fd: signal.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: isPaused ? -1 : listener, events: Int16(POLLIN), revents: 0),
            ]
            entries += self.lingering.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
            self.heartbeat.end()
            poll(&entries, nfds_t(entries.count), isPaused || !self.lingering.isEmpty ? 100 : -1)
            self.heartbeat.begin()
            if entries[0].revents != 0 { signal.clear() }
            self.readLingering(entries.dropFirst(2).map(\.revents))
            if entries[1].revents != 0 { self.acceptAll(listener) }
        }
        for socket in self.lingering { close(socket.descriptor) }
        self.lingering.removeAll()
        self.heartbeat.end()
    }

    private mutating func acceptAll(_ listener: Int32) {
        // Bounded, so that a flood of connections does not delay closing the lingering ones.
        for _ in 0..<256 {
            var storage = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let descriptor = withUnsafeMutablePointer(to: &storage) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    Glibc.accept(listener, $0, &length)
                }
            }
            guard descriptor >= 0 else {
                // Without descriptors or memory, accepting would spin until some are free again.
                if errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM {
                    self.pausedUntil = self.clock.milliseconds + 100
                }
                if errno == ECONNABORTED || errno == EINTR { continue }
                return
            }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            var one: Int32 = 1
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
            let address = PeerAddress.text(&storage, length)
            if self.isStalled() {
                self.turnAway(descriptor, .stalled)
            } else if let reason = self.admissions.admit(address, now: self.clock.milliseconds) {
                self.turnAway(descriptor, reason)
            } else {
                self.accept(descriptor, address)
            }
        }
    }

    private mutating func turnAway(_ descriptor: Int32, _ reason: RefusalReason) {
        guard let answer = self.refuse(reason), self.lingering.count < Self.maximumLingering else {
            close(descriptor)
            return
        }
        send(descriptor, answer, answer.count, Int32(MSG_NOSIGNAL))
        shutdown(descriptor, Int32(SHUT_WR))
        let deadline = self.clock.milliseconds + Self.lingerMilliseconds
        self.lingering.append(Lingering(descriptor: descriptor, deadline: deadline))
    }

    private mutating func readLingering(_ events: [Int16]) {
        guard !self.lingering.isEmpty else { return }
        let now = self.clock.milliseconds
        var kept: [Lingering] = []
        for (index, socket) in self.lingering.enumerated() {
            if socket.deadline > now, events[index] == 0 || self.hasMore(socket.descriptor) {
                kept.append(socket)
            } else {
                close(socket.descriptor)
            }
        }
        self.lingering = kept
    }

    /// Discards received bytes; false at the end of the stream.
    private func hasMore(_ descriptor: Int32) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            return count > 0 || (count < 0 && errno == EAGAIN)
        }
    }
}

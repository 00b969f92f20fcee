import CMusterShims
import EventLoop
import Glibc
import ImagingWire
import Synchronization

/// A process of `muster-imaging`, with the server's end of its socket.
///
/// One thread uses it at a time; its calls block.
final class ImagingChild: Sendable {
    /// The reason why no answer came; the child is then unusable.
    enum Silence: Error {
        /// It did not answer in time.
        case late
        /// It has ended.
        case gone
        /// It sent an invalid reply.
        case nonsense
    }

    /// The maximum number of answers of a child before it is replaced, so that leaks do not accumulate.
    private static let longestLife = 200

    /// Its process id.
    let process: pid_t
    private let socket: Int32
    private let clock: MonotonicClock
    private let answered = Atomic(0)

    /// Starts a child; nil when it cannot be started.
    init?(program: String, clock: MonotonicClock) {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
        // Few arenas, because each takes much of the child's address space. Warnings are off, because nothing reads
        // them.
        var environment = ["LC_ALL=C.UTF-8", "MALLOC_ARENA_MAX=2", "VIPS_WARNING=0", "SWIFT_BACKTRACE=enable=no"]
        // The path of Swift's runtime, on machines that need it.
        if let path = getenv("LD_LIBRARY_PATH") { environment.append("LD_LIBRARY_PATH=\(String(cString: path))") }
        var process = pid_t()
        let status = withArgumentVector([program]) { arguments in
            withArgumentVector(environment) { muster_spawn_child(&process, arguments, $0, ends[1]) }
        }
        close(ends[1])
        guard status == 0 else {
            close(ends[0])
            return nil
        }
        self.process = process
        self.socket = ends[0]
        self.clock = clock
        // Non-blocking, so that every wait has its deadline.
        _ = fcntl(self.socket, F_SETFL, O_NONBLOCK)
    }

    /// Whether the child should be replaced.
    var isOld: Bool { self.answered.load(ordering: .relaxed) >= Self.longestLife }

    /// Sends a request and waits for the answer.
    func perform(_ request: ImagingRequest, within milliseconds: Int64) throws(Silence) -> ImagingReply {
        let deadline = self.clock.milliseconds + milliseconds
        try self.write(request.encoded, until: deadline)
        let head = try self.read(ImagingLength.count, until: deadline)
        guard let length = ImagingLength.read(head, upTo: ImagingReply.longest),
            let reply = ImagingReply(decoding: try self.read(length, until: deadline))
        else { throw .nonsense }
        self.answered.wrappingAdd(1, ordering: .relaxed)
        return reply
    }

    /// Ends the child and waits until it has ended; must be the last call, and called once.
    ///
    /// - Returns: the signal that ended the child: its own if it had ended before, 0 if it had ended without a signal.
    @discardableResult
    func end() -> Int32 {
        close(self.socket)
        kill(self.process, SIGKILL)
        var code: Int32 = 0
        while waitpid(self.process, &code, 0) < 0 && errno == EINTR {}
        return code & 0x7F
    }

    // MARK: The socket

    private func write(_ bytes: [UInt8], until deadline: Int64) throws(Silence) {
        var written = 0
        while written < bytes.count {
            let status = bytes.withUnsafeBytes { buffer in
                send(
                    self.socket,
                    buffer.baseAddress?.advanced(by: written),
                    bytes.count - written,
                    Int32(MSG_NOSIGNAL)
                )
            }
            if status >= 0 { written += status } else { try self.wait(for: POLLOUT, until: deadline) }
        }
    }

    private func read(_ count: Int, until deadline: Int64) throws(Silence) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let status = bytes.withUnsafeMutableBytes { buffer in
                Glibc.read(self.socket, buffer.baseAddress?.advanced(by: filled), count - filled)
            }
            guard status != 0 else { throw .gone }
            if status > 0 { filled += status } else { try self.wait(for: POLLIN, until: deadline) }
        }
        return bytes
    }

    /// Waits until the socket is ready, after a call that failed because it was not.
    private func wait(for events: Int32, until deadline: Int64) throws(Silence) {
        guard errno == EAGAIN || errno == EINTR else { throw .gone }
        let rest = deadline - self.clock.milliseconds
        guard rest > 0 else { throw .late }
        var entry = pollfd(fd: self.socket, events: Int16(events), revents: 0)
        poll(&entry, 1, Int32(clamping: rest))
    }
}

import EventLoop
import Glibc

/// A TCP connection with deadlines, for tests and small tools.
package final class BlockingSocket {
    /// The descriptor, owned by this object.
    package let descriptor: Int32
    private let clock = MonotonicClock.system

    /// Connects to a numeric IPv4 address.
    package init(host: String, port: UInt16, receiveBuffer: Int32? = nil) throws(ClientError) {
        self.descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard self.descriptor >= 0 else { throw ClientError(.cannotConnect, message: String(cString: strerror(errno))) }
        if var size = receiveBuffer {
            setsockopt(self.descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        var one: Int32 = 1
        setsockopt(self.descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        inet_pton(AF_INET, host, &address.sin_addr)
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(self.descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else {
            throw ClientError(.cannotConnect, message: "\(host):\(port): \(String(cString: strerror(errno)))")
        }
    }

    deinit { close(self.descriptor) }

    /// Sends all of `bytes`, and blocks while the kernel accepts none.
    package func send(_ bytes: [UInt8]) throws(ClientError) {
        var position = 0
        while position < bytes.count {
            let sent = bytes.withUnsafeBytes { buffer in
                Glibc.send(
                    self.descriptor,
                    buffer.baseAddress.map { $0 + position },
                    bytes.count - position,
                    Int32(MSG_NOSIGNAL)
                )
            }
            if sent < 0, errno == EINTR { continue }
            guard sent > 0 else { throw ClientError(.connectionLost, message: String(cString: strerror(errno))) }
            position += sent
        }
    }

    /// Closes the sending side.
    func endSending() { shutdown(self.descriptor, Int32(SHUT_WR)) }

    /// Waits for bytes and passes them to `body`; false at the end of the stream.
    ///
    /// The deadline is in milliseconds of the monotonic clock.
    package func receive(until deadline: Int64, _ body: (UnsafeRawBufferPointer) -> Void) throws(ClientError) -> Bool {
        var entry = pollfd(fd: self.descriptor, events: Int16(POLLIN), revents: 0)
        let rest = deadline - self.clock.milliseconds
        guard rest > 0, poll(&entry, 1, Int32(min(rest, 60_000))) > 0 else {
            throw ClientError(.timedOut, message: "no data arrived in time")
        }
        return withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 16) { buffer in
            let count = recv(self.descriptor, buffer.baseAddress, buffer.count, 0)
            guard count > 0 else { return false }
            body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            return true
        }
    }
}

import Glibc

/// Conversions of socket addresses to text, and the listening socket.
enum PeerAddress {
    /// Returns the numeric text of a socket address.
    ///
    /// An IPv4-mapped IPv6 address is returned as IPv4.
    static func text(_ storage: inout sockaddr_storage, _ length: socklen_t) -> String {
        var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let status = withUnsafePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                getnameinfo(address, length, &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST)
            }
        }
        guard status == 0 else { return "unknown" }
        let text = host.withUnsafeBufferPointer { buffer in
            String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        return text.hasPrefix("::ffff:") ? String(text.dropFirst(7)) : text
    }

    /// Creates a listening, non-blocking socket on a numeric address.
    ///
    /// Returns its descriptor and its actual port.
    static func listen(host: String, port: UInt16) throws(GatewayError) -> (descriptor: Int32, port: UInt16) {
        var hints = addrinfo()
        hints.ai_flags = AI_PASSIVE | AI_NUMERICHOST | AI_NUMERICSERV
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, "\(port)", &hints, &found) == 0, let address = found else {
            throw GatewayError(
                .cannotListen,
                message: "'\(host)' is not a numeric address such as 127.0.0.1, 0.0.0.0 (all addresses) or [::1]"
            )
        }
        defer { freeaddrinfo(found) }
        let descriptor = socket(
            address.pointee.ai_family,
            Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue),
            0
        )
        var one: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        guard
            descriptor >= 0,
            bind(descriptor, address.pointee.ai_addr, address.pointee.ai_addrlen) == 0,
            Glibc.listen(descriptor, 4096) == 0
        else {
            let reason = Self.reason(errno)
            if descriptor >= 0 { close(descriptor) }
            throw GatewayError(.cannotListen, message: "\(host):\(port): \(reason)")
        }
        return (descriptor, self.port(of: descriptor))
    }

    /// Returns the reason why a socket cannot listen, and a hint.
    private static func reason(_ error: Int32) -> String {
        let cause = String(cString: strerror(error))
        return switch error {
        case EADDRINUSE:
            "\(cause): another program uses this port; end it, or choose another port (0 for any free port)"
        case EACCES:
            "\(cause): ports below 1024 need a privilege; choose a higher port, or grant CAP_NET_BIND_SERVICE"
        case EADDRNOTAVAIL:
            "\(cause): this machine does not have this address; choose one of its own, or 0.0.0.0 for all"
        default: cause
        }
    }

    private static func port(of descriptor: Int32) -> UInt16 {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        withUnsafeMutablePointer(to: &storage) { pointer in
            _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        // The port is at the same offset in both address families, in network byte order.
        return withUnsafeBytes(of: &storage) { UInt16(bigEndian: $0.load(fromByteOffset: 2, as: UInt16.self)) }
    }
}

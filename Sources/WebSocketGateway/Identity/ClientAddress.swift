package import EventLoop
import Glibc

// A chain of proxies each adds the address that it saw to the end of `X-Forwarded-For`. So from the right each entry is true as long
// as the one who wrote it is trusted: the first that is no proxy of ours is the client, and whatever stands before it anybody may
// have written.

/// The network address that a client comes from.
package enum ClientAddress {
    /// Finds the client's address; nil when nobody who is trusted says it.
    ///
    /// - Parameters:
    ///   - peer: the other end of the connection.
    ///   - forwarded: what `X-Forwarded-For` says, nil when it is absent.
    ///   - trusted: our own proxies.
    ///   - unreadable: called with what is no address.
    /// - Returns: the address in its usual form; an IPv4 address that is mapped into IPv6 as the former.
    package static func find(
        peer: String,
        forwarded: String?,
        trusted: AddressSet,
        unreadable: (Substring) -> Void = { _ in }
    ) -> String? {
        guard let peer = Self.canonical(peer[...]) else { return nil }
        guard trusted.contains(peer) else { return peer }
        guard let forwarded, !forwarded.allSatisfy({ $0 == " " || $0 == "\t" }) else { return nil }
        for hop in forwarded.split(separator: ",", omittingEmptySubsequences: false).reversed() {
            guard let address = Self.hop(hop) else {
                unreadable(hop)
                return nil
            }
            if !trusted.contains(address) { return address }
        }
        return nil
    }

    /// The address that a client is metered by.
    ///
    /// That of the proxy when what it says is no address: so its clients are metered at all. Where they are is not known by it.
    package static func metered(
        peer: String,
        forwarded: String?,
        trusted: AddressSet,
        unreadable: (Substring) -> Void = { _ in }
    ) -> String? {
        var isUnreadable = false
        let found = Self.find(peer: peer, forwarded: forwarded, trusted: trusted) { hop in
            isUnreadable = true
            unreadable(hop)
        }
        return isUnreadable ? Self.canonical(peer[...]) : found
    }

    /// The line of the log about what a proxy said that is no address.
    package static func unreadable(_ hop: Substring, from peer: String) -> LogEvent {
        LogEvent(
            .warning,
            "a proxy's X-Forwarded-For holds what is no address; its clients are metered together, as the proxy",
            [("proxy.address", peer), ("proxy.forwarded", String(hop.prefix(100)))]
        )
    }

    /// The address that a proxy wrote, with a port or in brackets or not; nil when it is none.
    static func hop(_ text: Substring) -> String? {
        let bare = text.filter { $0 != " " && $0 != "\t" }[...]
        if let address = Self.canonical(bare) { return address }
        let isPort = { (text: Substring) in
            text.isEmpty || text.first == ":" && UInt16(text.dropFirst()) != nil && text.dropFirst().first != "+"
        }
        if bare.first == "[", let end = bare.firstIndex(of: "]") {
            let inside = bare[bare.index(after: bare.startIndex)..<end]
            guard inside.contains(":"), isPort(bare[bare.index(after: end)...]) else { return nil }
            return Self.canonical(inside)
        }
        guard let colon = bare.firstIndex(of: ":"), isPort(bare[colon...]) else { return nil }
        let address = Self.canonical(bare[..<colon])
        return address
    }

    /// What of an address one subscriber has alone: all of an IPv4 address, the first 64 bits of an IPv6 address, of whose other
    /// bits everybody chooses as many as they like.
    package static func network(of address: String) -> String {
        let address = Self.canonical(address[...]) ?? address
        var six = in6_addr()
        guard inet_pton(AF_INET6, address, &six) == 1 else { return address }
        withUnsafeMutableBytes(of: &six) { bytes in
            for index in 8..<16 { bytes[index] = 0 }
        }
        return "\(Self.text(of: six) ?? address)/64"
    }

    /// An address in its usual form; nil for what is none.
    static func canonical(_ text: Substring) -> String? {
        let bare = String(text.filter { $0 != " " && $0 != "\t" }.prefix { $0 != "%" })
        var four = in_addr()
        if inet_pton(AF_INET, bare, &four) == 1 { return bare }
        var six = in6_addr()
        guard inet_pton(AF_INET6, bare, &six) == 1 else { return nil }
        let bytes = withUnsafeBytes(of: six) { Array($0) }
        if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xff, bytes[11] == 0xff {
            return bytes[12...].map(String.init).joined(separator: ".")
        }
        return Self.text(of: six)
    }

    private static func text(of address: in6_addr) -> String? {
        var address = address
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { buffer in
            inet_ntop(AF_INET6, &address, buffer.baseAddress, socklen_t(buffer.count)).map { String(cString: $0) }
        }
    }
}

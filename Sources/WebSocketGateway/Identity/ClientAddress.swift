package import EventLoop
import Glibc

// Each proxy of a chain appends the address that it saw to `X-Forwarded-For`. Read from the right, an entry is reliable
// if the proxy that wrote it is trusted. The first entry that is not a trusted proxy is the client. All entries to its
// left could be forged.

/// The network address of a client.
package enum ClientAddress {
    /// Returns the client's address; nil when no trusted source states it.
    ///
    /// - Parameters:
    ///   - peer: the other end of the connection.
    ///   - forwarded: the value of `X-Forwarded-For`; nil when it is absent.
    ///   - trusted: the operator's own proxies.
    ///   - unreadable: called with an entry that is not an address.
    /// - Returns: the address in canonical form; an IPv4-mapped IPv6 address as IPv4.
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

    /// Returns the address for a client's rate limits.
    ///
    /// If the proxy's header is not valid, the address is that of the proxy, so that its clients are still limited.
    /// That address says nothing about the location of the client.
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

    /// Returns the log event about an invalid entry of a proxy.
    package static func unreadable(_ hop: Substring, from peer: String) -> LogEvent {
        LogEvent(
            .warning,
            "X-Forwarded-For of a proxy contains no valid address; its clients share the proxy's rate limits",
            [("proxy.address", peer), ("proxy.forwarded", String(hop.prefix(100)))]
        )
    }

    /// Parses an address as a proxy writes it, with or without a port or brackets; nil when it is invalid.
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

    /// Returns the part of an address that belongs to one subscriber: all of an IPv4 address, or the first 64 bits of
    /// an IPv6 address.
    ///
    /// A subscriber can choose the other bits of an IPv6 address freely.
    package static func network(of address: String) -> String {
        let address = Self.canonical(address[...]) ?? address
        var six = in6_addr()
        guard inet_pton(AF_INET6, address, &six) == 1 else { return address }
        withUnsafeMutableBytes(of: &six) { bytes in
            for index in 8..<16 { bytes[index] = 0 }
        }
        return "\(Self.text(of: six) ?? address)/64"
    }

    /// Returns an address in canonical form; nil when it is invalid.
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

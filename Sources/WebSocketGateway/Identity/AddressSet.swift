import Glibc

/// An IP address as 128 bits.
///
/// An IPv4 address is stored as its IPv4-mapped IPv6 address.
struct IPAddress: Hashable, Sendable {
    let high: UInt64
    let low: UInt64

    /// The number of bits before an IPv4 address.
    static let mappedBits = 96

    /// Parses a numeric address; nil when it is invalid.
    ///
    /// The zone of a link-local address is ignored.
    init?(_ text: some StringProtocol) {
        let bare = text.prefix { $0 != "%" }
        var four = in_addr()
        if inet_pton(AF_INET, String(bare), &four) == 1 {
            self.high = 0
            self.low = 0xFFFF_0000_0000 | UInt64(UInt32(bigEndian: four.s_addr))
            return
        }
        var six = in6_addr()
        guard inet_pton(AF_INET6, String(bare), &six) == 1 else { return nil }
        (self.high, self.low) = withUnsafeBytes(of: six) { bytes in
            (
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
    }

    /// Whether it is an IPv4 address.
    var isFour: Bool { self.high == 0 && self.low >> 32 == 0xFFFF }
    /// Whether it is the unspecified address.
    var isUnspecified: Bool { self.high == 0 && (self.low == 0 || self.low == 0xFFFF_0000_0000) }
}

/// A network of addresses that share their first bits, such as `10.0.0.0/8`, or a single address.
package struct AddressNetwork: Hashable, Sendable {
    /// The reason why a text is not a valid client address or network.
    package struct Problem: Error, CustomStringConvertible {
        package let description: String
    }

    private let address: IPAddress
    /// The length of the prefix, of 128 bits.
    private let bits: Int

    /// Parses an address or a network.
    ///
    /// - Throws: when no client can have such an address.
    package init(_ text: String) throws(Problem) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = IPAddress(parts[0]), !parts[0].contains("%") else {
            throw Problem(description: Self.complaint(of: String(parts[0])))
        }
        let width = address.isFour ? 32 : 128
        var length = width
        if parts.count == 2 {
            guard let number = Int(parts[1]), (1...width).contains(number), !parts[1].hasPrefix("+") else {
                throw Problem(description: "the prefix length of a network must be 1 to \(width), not '\(parts[1])'")
            }
            length = number
        } else if address.isUnspecified {
            throw Problem(description: "'\(text)' is not a possible address of a client")
        }
        self.address = address
        self.bits = length + (address.isFour ? IPAddress.mappedBits : 0)
    }

    private static func complaint(of text: String) -> String {
        let isName = text.contains { $0.isLetter } && !text.contains(":")
        if isName {
            return "'\(text)' is a host name; use an address such as 10.0.0.2 or a network such as 10.0.0.0/8"
        }
        if text.contains("%") { return "'\(text)' has a zone; use the address without it" }
        if ClientAddress.hop(text[...]) != nil {
            return "'\(text)' has a port or brackets; use the address alone"
        }
        return "'\(text)' is neither an address such as 10.0.0.2 nor a network such as 10.0.0.0/8"
    }

    func contains(_ other: IPAddress) -> Bool {
        let high = self.bits >= 64 ? UInt64.max : ~(UInt64.max >> UInt64(self.bits))
        let low = self.bits >= 128 ? UInt64.max : self.bits <= 64 ? 0 : ~(UInt64.max >> UInt64(self.bits - 64))
        return (self.address.high ^ other.high) & high == 0 && (self.address.low ^ other.low) & low == 0
    }
}

/// A set of addresses and networks.
package struct AddressSet: Sendable, ExpressibleByArrayLiteral {
    private let networks: Set<AddressNetwork>

    /// Creates a set of networks.
    package init(_ networks: [AddressNetwork]) { self.networks = Set(networks) }

    package init(arrayLiteral elements: String...) {
        self.init(
            elements.map { text in
                guard let network = try? AddressNetwork(text) else { preconditionFailure("\(text) is no address") }
                return network
            }
        )
    }

    /// Returns whether the set contains an address, given as text.
    package func contains(_ address: String) -> Bool {
        guard !self.networks.isEmpty, let address = IPAddress(address) else { return false }
        return self.networks.contains { $0.contains(address) }
    }
}

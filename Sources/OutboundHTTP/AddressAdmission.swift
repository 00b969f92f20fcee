import Glibc

/// The addresses that are not public, and that the operator allows for URLs of clients.
package struct OutboundAllowance: Sendable {
    /// No address.
    package static let nothing = OutboundAllowance(isEmpty: true) { _ in false }

    /// Whether it contains no address.
    package let isEmpty: Bool
    let contains: @Sendable (String) -> Bool

    /// Creates an allowance from a test of addresses in their canonical spelling.
    package init(isEmpty: Bool, contains: @escaping @Sendable (String) -> Bool) {
        self.isEmpty = isEmpty
        self.contains = contains
    }
}

/// The decision whether a connection to an address of a client's URL may be opened.
///
/// It is made for each address that a name resolves to, right before the connection, so that a name that changes its
/// address gains nothing.
struct AddressAdmission: Sendable {
    let allowance: OutboundAllowance
    /// Whether the connection will be encrypted; others are admitted only to addresses that the operator allows.
    let isEncrypted: Bool

    /// Whether the address in the bytes of a `sockaddr` is admitted.
    func admits(_ address: UnsafeRawBufferPointer, family: CInt) -> Bool {
        switch family {
        case AF_INET:
            guard address.count >= 8 else { return false }
            return self.admits(Array(address[4..<8]))
        case AF_INET6:
            guard address.count >= 24 else { return false }
            return self.admits(Array(address[8..<24]))
        default:
            return false
        }
    }

    /// Whether an address of 4 or 16 bytes is admitted.
    func admits(_ bytes: [UInt8]) -> Bool {
        self.isAllowed(bytes) || self.isEncrypted && PublicAddress.isPublic(bytes)
    }

    /// Whether the operator allows an address of 4 or 16 bytes.
    func isAllowed(_ bytes: [UInt8]) -> Bool {
        !self.allowance.isEmpty && self.allowance.contains(Self.text(PublicAddress.unmapped(bytes)))
    }

    private static func text(_ bytes: [UInt8]) -> String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        _ = inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, bytes, &text, socklen_t(text.count))
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

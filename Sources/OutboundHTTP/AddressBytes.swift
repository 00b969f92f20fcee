import Glibc

/// The bytes of an address in its usual spelling.
enum AddressBytes {
    /// Parses four decimal numbers, or an address of IPv6; nil for any other text.
    static func parse(_ text: String, isV6: Bool) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: isV6 ? 16 : 4)
        return inet_pton(isV6 ? AF_INET6 : AF_INET, text, &bytes) == 1 ? bytes : nil
    }
}

import CSodium

/// A hash of bytes that detects changes: BLAKE2b, 128 bits.
enum ContentHash {
    /// The hash in hexadecimal digits.
    static func of(_ bytes: [UInt8]) -> String {
        var hash = [UInt8](repeating: 0, count: 16)
        let status = crypto_generichash(&hash, hash.count, bytes, UInt64(bytes.count), nil, 0)
        precondition(status == 0, "a hash of this length exists")
        return hash.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}

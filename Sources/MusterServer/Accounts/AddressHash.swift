import CSodium

/// A keyed hash of an IP address that may be stored.
///
/// Without the key, the database alone does not allow finding the address by trying all possible ones.
struct AddressHash: Sendable {
    private let key: [UInt8]

    /// Creates a hash with a secret key of 32 bytes that is not in the database.
    init(key: [UInt8]) { self.key = key }

    /// The 16-byte keyed BLAKE2b hash of an address.
    func callAsFunction(_ address: String) -> [UInt8] {
        var hash = [UInt8](repeating: 0, count: 16)
        let bytes = Array("login address \(address)".utf8)
        let status = crypto_generichash(&hash, hash.count, bytes, UInt64(bytes.count), self.key, self.key.count)
        precondition(status == 0, "a key has 16 to 64 bytes")
        return hash
    }
}

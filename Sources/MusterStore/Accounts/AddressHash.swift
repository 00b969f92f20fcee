import CSodium

/// Makes of an address what may be stored: whoever has the database alone cannot find the address by trying all there are.
struct AddressHash: Sendable {
    private let key: [UInt8]

    /// Takes a secret of 32 bytes that is not in the database.
    init(key: [UInt8]) { self.key = key }

    /// 16 bytes of BLAKE2b of an address, keyed.
    func callAsFunction(_ address: String) -> [UInt8] {
        var hash = [UInt8](repeating: 0, count: 16)
        let bytes = Array("login address \(address)".utf8)
        let status = crypto_generichash(&hash, hash.count, bytes, UInt64(bytes.count), self.key, self.key.count)
        precondition(status == 0, "a key has 16 to 64 bytes")
        return hash
    }
}

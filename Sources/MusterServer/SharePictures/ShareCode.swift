import CSodium

/// The last component of a share picture's address.
///
/// It is derived from a seed in the database and a secret key that the database does not contain. The server can thus
/// show members the address again. The database or a copy of it alone, with the seed and the hash, does not reveal the
/// address.
struct ShareCode: Sendable, Equatable {
    /// 128 bits in URL-safe base64.
    let text: String
    /// BLAKE2b-256 of the text.
    let hash: [UInt8]

    /// Derives the code from 16 random bytes.
    init(seed: [UInt8], key: [UInt8]) {
        var bits = [UInt8](repeating: 0, count: 16)
        let bytes = Array("share picture".utf8) + seed
        let status = crypto_generichash(&bits, bits.count, bytes, UInt64(bytes.count), key, key.count)
        precondition(status == 0, "a key has 16 to 64 bytes")
        self.init(text: urlSafeText(bits))
    }

    /// Wraps a code from a request.
    init(text: String) {
        self.text = text
        self.hash = AccessToken(text: text).hash
    }
}

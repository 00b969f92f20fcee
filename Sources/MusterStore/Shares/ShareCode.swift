import CSodium

/// What the address of a share picture ends in.
///
/// The database has what it is made of but not the secret key, and its hash; so members are told it again, and who reads the
/// database or a copy of it alone is not.
struct ShareCode: Sendable, Equatable {
    /// 128 bits in URL-safe base64.
    let text: String
    /// BLAKE2b-256 of the text.
    let hash: [UInt8]

    /// Makes the code of 16 random bytes.
    init(seed: [UInt8], key: [UInt8]) {
        var bits = [UInt8](repeating: 0, count: 16)
        let bytes = Array("share picture".utf8) + seed
        let status = crypto_generichash(&bits, bits.count, bytes, UInt64(bytes.count), key, key.count)
        precondition(status == 0, "a key has 16 to 64 bytes")
        self.init(text: urlSafeText(bits))
    }

    /// Takes what somebody asks for.
    init(text: String) {
        self.text = text
        self.hash = AccessToken(text: text).hash
    }
}

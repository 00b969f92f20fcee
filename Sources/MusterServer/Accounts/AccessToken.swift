import CSodium

/// The secret of a login, as the client holds it.
struct AccessToken {
    /// The form on the wire: 256 random bits in URL-safe base64.
    let text: String

    /// What the database holds instead: BLAKE2b-256.
    ///
    /// The secret is random, so the hash needs no salt and the time of an index lookup reveals nothing about it.
    let hash: [UInt8]

    /// Creates a new secret.
    init() { self.init(text: randomURLSafeText(byteCount: 32)) }

    /// Wraps a token that a client sent.
    init(text: String) {
        self.text = text
        var hash = [UInt8](repeating: 0, count: 32)
        let bytes = Array(text.utf8)
        let status = crypto_generichash(&hash, hash.count, bytes, UInt64(bytes.count), nil, 0)
        precondition(status == 0, "BLAKE2b takes any input")
        self.hash = hash
    }
}

/// Random bits from the system.
func randomBytes(count: Int) -> [UInt8] {
    precondition(sodiumIsReady, "libsodium found no source of randomness")
    var bytes = [UInt8](repeating: 0, count: count)
    randombytes_buf(&bytes, bytes.count)
    return bytes
}

/// Random bits from the system in URL-safe base64 without padding.
func randomURLSafeText(byteCount: Int) -> String {
    urlSafeText(randomBytes(count: byteCount))
}

/// Bytes in URL-safe base64 without padding.
func urlSafeText(_ bytes: [UInt8]) -> String {
    let variant = CInt(sodium_base64_VARIANT_URLSAFE_NO_PADDING)
    var text = [CChar](repeating: 0, count: sodium_base64_encoded_len(bytes.count, variant))
    sodium_bin2base64(&text, text.count, bytes, bytes.count, variant)
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}

/// Whether a text is a secret in lower-case hexadecimal digits, compared in constant time.
func isSecret(_ secret: [UInt8], inDigits text: String) -> Bool {
    var digits = [CChar](repeating: 0, count: secret.count * 2 + 1)
    sodium_bin2hex(&digits, digits.count, secret, secret.count)
    let given = Array(text.utf8)
    return given.count == secret.count * 2 && sodium_memcmp(digits, given, given.count) == 0
}

/// Whether libsodium could be initialised, which happens at the first use; repeated calls are harmless.
let sodiumIsReady = sodium_init() >= 0

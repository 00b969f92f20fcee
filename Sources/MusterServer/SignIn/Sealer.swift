import CSodium

/// Encrypts small secrets under the server's secret key, so that the database alone does not reveal them.
struct Sealer: Sendable {
    private let key: [UInt8]

    /// Creates a sealer with a key of its own, derived from the secret key for a purpose.
    init(_ secretKey: [UInt8], purpose: String) {
        self.key = Self.derived(from: secretKey, "seal \(purpose)")
    }

    /// Returns 32 bytes that only the holder of the secret key can compute from a text.
    static func derived(from secretKey: [UInt8], _ text: String) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 32)
        let message = Array("muster \(text)".utf8)
        let status = crypto_generichash(&bytes, bytes.count, message, UInt64(message.count), secretKey, secretKey.count)
        precondition(status == 0, "a secret key has 16 to 64 bytes")
        return bytes
    }

    /// Encrypts a message: the nonce, then the sealed message.
    func seal(_ message: [UInt8]) -> [UInt8] {
        let nonce = randomBytes(count: crypto_secretbox_noncebytes())
        var sealed = [UInt8](repeating: 0, count: message.count + crypto_secretbox_macbytes())
        let status = crypto_secretbox_easy(&sealed, message, UInt64(message.count), nonce, self.key)
        precondition(status == 0, "a message of memory can be sealed")
        return nonce + sealed
    }

    /// Decrypts a message; nil when it was sealed under another key or changed.
    func open(_ sealed: [UInt8]) -> [UInt8]? {
        let (head, tail) = (crypto_secretbox_noncebytes(), crypto_secretbox_macbytes())
        guard sealed.count >= head + tail else { return nil }
        let body = Array(sealed[head...])
        var message = [UInt8](repeating: 0, count: body.count - tail)
        let status = crypto_secretbox_open_easy(&message, body, UInt64(body.count), Array(sealed[..<head]), self.key)
        return status == 0 ? message : nil
    }
}

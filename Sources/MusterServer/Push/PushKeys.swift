import CSodium
import Cryptography
import MusterCore

/// The keys for notifications, all of which follow from the server's secret key.
struct PushKeys: Sendable {
    /// Signs requests to push services, so that a subscription works for this server only (RFC 8292).
    let signer: P256PrivateKey
    private let sealing: [UInt8]
    private let codes: [UInt8]

    /// Derives the keys.
    init(_ secret: SecretKey) {
        let derived = { (purpose: String) in
            SHA256.authenticationCode(of: Array("push \(purpose)".utf8), key: secret.bytes)
        }
        self.sealing = derived("targets")
        self.codes = derived("codes")
        // Nearly every number of 256 bits is below the order of the curve.
        var signer: P256PrivateKey?
        for attempt in 0..<8 where signer == nil { signer = P256PrivateKey(scalar: derived("signer \(attempt)")) }
        guard let signer else { preconditionFailure("eight numbers in a row were beyond the order of the curve") }
        self.signer = signer
    }

    /// Encrypts the address of a target for storage.
    func seal(_ text: [UInt8]) -> [UInt8] {
        let nonce = randomBytes(count: Int(crypto_secretbox_NONCEBYTES))
        var box = [UInt8](repeating: 0, count: text.count + Int(crypto_secretbox_MACBYTES))
        let status = crypto_secretbox_easy(&box, text, UInt64(text.count), nonce, self.sealing)
        precondition(status == 0, "a key has 32 bytes")
        return nonce + box
    }

    /// Decrypts the address of a target; nil when it was sealed with another key.
    func open(_ sealed: [UInt8]) -> [UInt8]? {
        let count = Int(crypto_secretbox_NONCEBYTES)
        let overhead = Int(crypto_secretbox_MACBYTES)
        guard sealed.count >= count + overhead else { return nil }
        var text = [UInt8](repeating: 0, count: sealed.count - count - overhead)
        let box = Array(sealed[count...])
        let status = crypto_secretbox_open_easy(&text, box, UInt64(box.count), Array(sealed[..<count]), self.sealing)
        return status == 0 ? text : nil
    }

    /// The code that proves that a text is from this server, 128 bits.
    func code(of text: String) -> String { urlSafeText(self.codeBytes(of: text)) }

    /// Whether a code belongs to a text, compared in constant time.
    func isCode(_ code: String, of text: String) -> Bool {
        let (given, own) = (Array(code.utf8), Array(self.code(of: text).utf8))
        return given.count == own.count && sodium_memcmp(given, own, own.count) == 0
    }

    private func codeBytes(of text: String) -> [UInt8] {
        Array(SHA256.authenticationCode(of: Array(text.utf8), key: self.codes).prefix(16))
    }
}

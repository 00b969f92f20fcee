import COpenSSL

// The body, with a key pair of its own for each message (RFC 8188, 2.1; RFC 8291, 3.4):
//
//     | salt (16) | record size (4) | key length (1) = 65 | sender's public key (65) | sealed record |
//
// The record is the text, a byte 2 that ends it, and zeros up to one of a few lengths, so that the length reveals little.

/// The encryption of messages to a browser, which their push service cannot read (RFC 8291).
package struct WebPushMessage: Sendable {
    /// The lengths of records; a text is padded to the first one that it fits into.
    package static let recordLengths = [512, 1024, 2048]
    /// The maximum number of bytes of a text.
    package static let longestText = 2047
    /// The number of bytes of the secret that the browser shares with the sender.
    package static let secretCount = 16

    private static let recordSize: UInt32 = 4096

    private let receiver: P256PublicKey
    private let secret: [UInt8]

    /// Creates the encryption for a subscription: the browser's public key and its secret of 16 bytes.
    ///
    /// - Returns: nil for a secret of another length.
    package init?(to receiver: P256PublicKey, secret: [UInt8]) {
        guard secret.count == Self.secretCount else { return nil }
        self.receiver = receiver
        self.secret = secret
    }

    /// Encrypts a text of at most `longestText` bytes with a new key pair and a new salt.
    package func seal(_ text: [UInt8]) -> [UInt8] {
        var salt = [UInt8](repeating: 0, count: 16)
        precondition(RAND_bytes(&salt, 16) == 1, "OpenSSL found no source of randomness")
        let length = Self.recordLengths.first { $0 > text.count }
        return self.seal(text, from: P256PrivateKey(), salt: salt, paddedTo: length ?? text.count + 1)
    }

    /// Encrypts a text with a given key pair and salt.
    func seal(_ text: [UInt8], from sender: P256PrivateKey, salt: [UInt8], paddedTo length: Int) -> [UInt8] {
        precondition(text.count < length && length <= Self.recordSize - 16, "the text must fit into a record")
        let agreed = SHA256.authenticationCode(of: sender.sharedSecret(with: self.receiver), key: self.secret)
        let info = Array("WebPush: info\0".utf8) + self.receiver.bytes + sender.publicBytes
        let material = SHA256.authenticationCode(of: info + [1], key: agreed)
        let root = SHA256.authenticationCode(of: material, key: salt)
        let key = SHA256.authenticationCode(of: Array("Content-Encoding: aes128gcm\0\u{1}".utf8), key: root)
        let nonce = SHA256.authenticationCode(of: Array("Content-Encoding: nonce\0\u{1}".utf8), key: root)
        let record = text + [2] + [UInt8](repeating: 0, count: length - text.count - 1)
        let head =
            salt + withUnsafeBytes(of: Self.recordSize.bigEndian) { Array($0) } + [UInt8(P256PublicKey.byteCount)]
        return head + sender.publicBytes
            + AES128GCM.seal(record, key: Array(key.prefix(16)), nonce: Array(nonce.prefix(12)))
    }
}

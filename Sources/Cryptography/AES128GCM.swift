import COpenSSL

/// AES in Galois/Counter Mode with keys of 128 bits (SP 800-38D).
package enum AES128GCM {
    /// The number of bytes that a sealed text is longer.
    package static let tagCount = 16

    /// Encrypts and authenticates a text under a key of 16 bytes and a nonce of 12 bytes.
    package static func seal(_ text: [UInt8], key: [UInt8], nonce: [UInt8]) -> [UInt8] {
        precondition(key.count == 16 && nonce.count == 12, "a key has 16 bytes and a nonce 12")
        guard let context = EVP_CIPHER_CTX_new() else { preconditionFailure("OpenSSL has no memory for a cipher") }
        defer { EVP_CIPHER_CTX_free(context) }
        var sealed = [UInt8](repeating: 0, count: text.count + Self.tagCount)
        let isDone = sealed.withUnsafeMutableBufferPointer { sealed in
            var count = Int32(0)
            var rest = Int32(0)
            return EVP_EncryptInit_ex2(context, EVP_aes_128_gcm(), key, nonce, nil) == 1
                && EVP_EncryptUpdate(context, sealed.baseAddress, &count, text, Int32(text.count)) == 1
                && EVP_EncryptFinal_ex(context, sealed.baseAddress.map { $0 + Int(count) }, &rest) == 1
                && EVP_CIPHER_CTX_ctrl(
                    context,
                    EVP_CTRL_AEAD_GET_TAG,
                    Int32(Self.tagCount),
                    sealed.baseAddress.map { $0 + text.count }
                ) == 1
        }
        precondition(isDone, "OpenSSL has no AES-GCM")
        return sealed
    }
}

import COpenSSL

/// A public key on the curve P-256 (FIPS 186-4, D.1.2.3), as an uncompressed point.
///
/// `@unchecked`: OpenSSL only reads the key after its creation.
package final class P256PublicKey: @unchecked Sendable {
    /// The number of bytes of an uncompressed point.
    package static let byteCount = 65

    /// The uncompressed point: 4, then both coordinates.
    package let bytes: [UInt8]
    let pointer: OpaquePointer

    /// Reads an uncompressed point, and checks it if it comes from a client.
    ///
    /// The check costs as much as a key agreement, so a stored key that was checked before is not checked again.
    ///
    /// - Returns: nil for another encoding, and for a point that is not on the curve.
    package init?(_ bytes: [UInt8], isChecked: Bool = false) {
        guard bytes.count == Self.byteCount, bytes.first == 4,
            let pointer = P256PrivateKey.makeKey(publicPoint: bytes, scalar: nil)
        else { return nil }
        self.bytes = bytes
        self.pointer = pointer
        guard isChecked || Self.isValid(pointer) else { return nil }
    }

    deinit { EVP_PKEY_free(self.pointer) }

    /// Whether an ECDSA signature with SHA-256 of a message, as both numbers of 32 bytes, is from the owner of the key.
    package func isSignature(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard signature.count == 64, let pair = ECDSA_SIG_new() else { return false }
        defer { ECDSA_SIG_free(pair) }
        // The pair owns both numbers from here on.
        ECDSA_SIG_set0(
            pair,
            BN_bin2bn(Array(signature[..<32]), 32, nil),
            BN_bin2bn(Array(signature[32...]), 32, nil)
        )
        var encoded: UnsafeMutablePointer<UInt8>?
        let count = i2d_ECDSA_SIG(pair, &encoded)
        guard count > 0, let encoded, let context = EVP_MD_CTX_new() else { return false }
        defer {
            muster_openssl_free(encoded)
            EVP_MD_CTX_free(context)
        }
        guard EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, self.pointer) == 1 else { return false }
        return EVP_DigestVerify(context, encoded, Int(count), message, message.count) == 1
    }

    private static func isValid(_ key: OpaquePointer) -> Bool {
        guard let context = EVP_PKEY_CTX_new(key, nil) else { return false }
        defer { EVP_PKEY_CTX_free(context) }
        // Points at infinity pass the import, and fail here.
        return EVP_PKEY_public_check(context) == 1
    }
}

import COpenSSL

/// A signature algorithm of JSON Web Algorithms (RFC 7518, RFC 8037) with a public key.
///
/// The symmetric algorithms and `none` are not members, so no token can choose them.
package enum SignatureAlgorithm: String, Sendable, CaseIterable {
    case rs256 = "RS256"
    case rs384 = "RS384"
    case rs512 = "RS512"
    case ps256 = "PS256"
    case ps384 = "PS384"
    case ps512 = "PS512"
    case es256 = "ES256"
    case es384 = "ES384"
    case es512 = "ES512"
    case edDSA = "EdDSA"

    /// The kind of key that the algorithm needs.
    package var keyKind: PublicKey.Kind {
        switch self {
        case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512: .rsa
        case .es256: .p256
        case .es384: .p384
        case .es512: .p521
        case .edDSA: .ed25519
        }
    }

    /// Whether the algorithm is RSASSA-PSS.
    var isPSS: Bool {
        switch self {
        case .ps256, .ps384, .ps512: true
        case .rs256, .rs384, .rs512, .es256, .es384, .es512, .edDSA: false
        }
    }

    /// The digest of the algorithm; for EdDSA the one that Ed25519 uses inside.
    var digest: OpaquePointer? {
        switch self {
        case .rs256, .ps256, .es256: EVP_sha256()
        case .rs384, .ps384, .es384: EVP_sha384()
        case .rs512, .ps512, .es512, .edDSA: EVP_sha512()
        }
    }

    /// Returns the left half of the digest of a text in base64url: `at_hash` of an access token (OpenID Connect Core,
    /// section 3.1.3.6).
    package func halfHash(of text: String) -> String {
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        let message = Array(text.utf8)
        let isDone = EVP_Digest(message, message.count, &digest, &count, self.digest, nil)
        precondition(isDone == 1, "OpenSSL lacks a digest of SHA-2")
        return Base64URL.encoded(digest.prefix(Int(count) / 2))
    }
}

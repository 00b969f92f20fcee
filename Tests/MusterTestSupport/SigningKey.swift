import COpenSSL
import Foundation

/// A key pair that signs JSON Web Tokens, as a provider does; the owner of OpenSSL's `EVP_PKEY *`.
///
/// `@unchecked`: the key never changes after `init`.
package final class SigningKey: @unchecked Sendable {
    /// The kind of a key.
    package enum Kind: Sendable, Hashable {
        case rsa(bits: Int)
        case p256
        case p384
        case p521
        case ed25519
    }

    /// The name of the key.
    package let id: String
    private let kind: Kind
    private let pointer: OpaquePointer

    /// Makes a new pair.
    package init(_ kind: Kind, id: String = "key") {
        self.id = id
        self.kind = kind
        let name =
            switch kind {
            case .rsa: "RSA"
            case .p256, .p384, .p521: "EC"
            case .ed25519: "ED25519"
            }
        guard let context = EVP_PKEY_CTX_new_from_name(nil, name, nil) else { preconditionFailure("no \(name)") }
        defer { EVP_PKEY_CTX_free(context) }
        precondition(EVP_PKEY_keygen_init(context) == 1)
        switch kind {
        case .rsa(let bits): precondition(EVP_PKEY_CTX_set_rsa_keygen_bits(context, Int32(bits)) == 1)
        case .p256: precondition(EVP_PKEY_CTX_set_group_name(context, "prime256v1") == 1)
        case .p384: precondition(EVP_PKEY_CTX_set_group_name(context, "secp384r1") == 1)
        case .p521: precondition(EVP_PKEY_CTX_set_group_name(context, "secp521r1") == 1)
        case .ed25519: break
        }
        var key: OpaquePointer?
        guard EVP_PKEY_generate(context, &key) == 1, let key else { preconditionFailure("no key of \(name)") }
        self.pointer = key
    }

    deinit { EVP_PKEY_free(self.pointer) }

    /// The public half as a JSON Web Key.
    package var publicKey: [String: String] {
        switch self.kind {
        case .rsa:
            return ["kty": "RSA", "kid": self.id, "n": base64URL(self.number("n")), "e": base64URL(self.number("e"))]
        case .p256: return self.point("P-256")
        case .p384: return self.point("P-384")
        case .p521: return self.point("P-521")
        case .ed25519:
            var bytes = [UInt8](repeating: 0, count: 32)
            var count = bytes.count
            precondition(EVP_PKEY_get_raw_public_key(self.pointer, &bytes, &count) == 1)
            return ["kty": "OKP", "crv": "Ed25519", "kid": self.id, "x": base64URL(bytes)]
        }
    }

    /// Signs a message in the form of RFC 7518, with the digest of this many bits.
    package func sign(_ message: String, bits: Int, isPSS: Bool = false) -> [UInt8] {
        guard let context = EVP_MD_CTX_new() else { preconditionFailure("no memory") }
        defer { EVP_MD_CTX_free(context) }
        let digest =
            self.kind == .ed25519 ? nil : bits == 256 ? EVP_sha256() : bits == 384 ? EVP_sha384() : EVP_sha512()
        var parameters: OpaquePointer?
        precondition(EVP_DigestSignInit(context, &parameters, digest, nil, self.pointer) == 1)
        if isPSS {
            precondition(EVP_PKEY_CTX_set_rsa_padding(parameters, RSA_PKCS1_PSS_PADDING) == 1)
            precondition(EVP_PKEY_CTX_set_rsa_pss_saltlen(parameters, RSA_PSS_SALTLEN_DIGEST) == 1)
        }
        let bytes = Array(message.utf8)
        var count = 0
        precondition(EVP_DigestSign(context, nil, &count, bytes, bytes.count) == 1)
        var signature = [UInt8](repeating: 0, count: count)
        precondition(EVP_DigestSign(context, &signature, &count, bytes, bytes.count) == 1)
        signature.removeLast(signature.count - count)
        switch self.kind {
        case .rsa, .ed25519: return signature
        case .p256: return Self.plain(signature, width: 32)
        case .p384: return Self.plain(signature, width: 48)
        case .p521: return Self.plain(signature, width: 66)
        }
    }

    /// A signed compact token.
    ///
    /// `header` replaces, adds or removes fields of the header.
    package func token(
        _ algorithm: String,
        claims: [String: any Sendable],
        header: [String: (any Sendable)?] = [:]
    ) -> String {
        var head: [String: any Sendable] = ["alg": algorithm, "kid": self.id]
        for (name, value) in header { head[name] = value }
        let message = "\(base64URL(json(head))).\(base64URL(json(claims)))"
        let bits = Int(algorithm.suffix(3)) ?? 512
        return "\(message).\(base64URL(self.sign(message, bits: bits, isPSS: algorithm.hasPrefix("PS"))))"
    }

    private func number(_ name: String) -> [UInt8] {
        var number: OpaquePointer?
        guard EVP_PKEY_get_bn_param(self.pointer, name, &number) == 1 else { preconditionFailure("no \(name)") }
        defer { BN_free(number) }
        var bytes = [UInt8](repeating: 0, count: Int(BN_num_bits(number) + 7) / 8)
        BN_bn2bin(number, &bytes)
        return bytes
    }

    private func point(_ curve: String) -> [String: String] {
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = EVP_PKEY_get1_encoded_public_key(self.pointer, &bytes)
        guard let bytes, count > 1 else { preconditionFailure("no point") }
        defer { CRYPTO_free(bytes, #fileID, #line) }
        let point = Array(UnsafeBufferPointer(start: bytes, count: count).dropFirst())
        let width = point.count / 2
        return [
            "kty": "EC", "crv": curve, "kid": self.id, "x": base64URL(Array(point[..<width])),
            "y": base64URL(Array(point[width...])),
        ]
    }

    /// Both numbers of a DER sequence at a width.
    private static func plain(_ signature: [UInt8], width: Int) -> [UInt8] {
        var rest = signature[(signature[1] & 0x80 == 0 ? 2 : 3)...]
        var numbers: [UInt8] = []
        for _ in 0..<2 {
            let count = Int(rest[rest.startIndex + 1])
            let digits = rest.dropFirst(2).prefix(count).drop { $0 == 0 }
            numbers += [UInt8](repeating: 0, count: width - digits.count) + digits
            rest = rest.dropFirst(2 + count)
        }
        return numbers
    }
}

/// An object as JSON.
package func json(_ object: [String: any Sendable]) -> [UInt8] {
    guard let data = try? JSONSerialization.data(withJSONObject: object, options: [.sortedKeys]) else {
        preconditionFailure("this is no JSON: \(object)")
    }
    return Array(data)
}

/// Bytes in URL-safe base64, made by Foundation.
package func base64URL(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
}

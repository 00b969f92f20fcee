import COpenSSL

/// A public key for checking signatures: the owner of OpenSSL's `EVP_PKEY *`.
///
/// `@unchecked`: the key never changes after `init`, and OpenSSL locks its reference count.
package final class PublicKey: @unchecked Sendable {
    /// The kind of a key.
    package enum Kind: Sendable, Equatable {
        case rsa
        case p256
        case p384
        case p521
        case ed25519
    }

    /// The reason why a key is refused.
    package enum Problem: Error, Equatable {
        /// The key is of an unknown type or curve, or symmetric.
        case unknownKind
        /// The key is not for signatures.
        case wrongUse
        /// An RSA key of less than 2,048 or more than 8,192 bits.
        case badLength
        /// A field is missing or malformed, or the point is not on the curve.
        case malformed
    }

    /// The numbers of a curve.
    private struct Curve {
        let kind: Kind
        /// OpenSSL's name of the curve.
        let name: String
        /// The bytes of a coordinate.
        let width: Int
    }

    private static let curves: [String: Curve] = [
        "P-256": Curve(kind: .p256, name: "prime256v1", width: 32),
        "P-384": Curve(kind: .p384, name: "secp384r1", width: 48),
        "P-521": Curve(kind: .p521, name: "secp521r1", width: 66),
    ]

    /// The kind of the key.
    package let kind: Kind
    /// The only algorithm that the key's description admits; nil for all of its kind.
    package let algorithm: SignatureAlgorithm?
    private let pointer: OpaquePointer

    /// Makes a key of its description.
    ///
    /// - Throws: the reason why the key is refused.
    package init(_ key: JSONWebKey) throws(Problem) {
        guard key.use == nil || key.use == "sig" else { throw .wrongUse }
        let algorithm = key.algorithm.flatMap { SignatureAlgorithm(rawValue: $0) }
        guard key.algorithm == nil || algorithm != nil else { throw .wrongUse }
        switch (key.type, key.curve) {
        case ("RSA", _):
            self.kind = .rsa
            self.pointer = try Self.rsa(key)
        case ("EC", let name?):
            guard let curve = Self.curves[name] else { throw .unknownKind }
            self.kind = curve.kind
            self.pointer = try Self.point(key, on: curve)
        case ("OKP", "Ed25519"):
            self.kind = .ed25519
            guard let bytes = key.x.flatMap({ Base64URL.decoded($0) }), bytes.count == 32,
                let pointer = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, bytes, bytes.count)
            else { throw .malformed }
            self.pointer = pointer
        default:
            throw .unknownKind
        }
        self.algorithm = algorithm
    }

    deinit { EVP_PKEY_free(self.pointer) }

    /// Whether the key may check signatures of an algorithm.
    package func fits(_ algorithm: SignatureAlgorithm) -> Bool {
        self.kind == algorithm.keyKind && (self.algorithm ?? algorithm) == algorithm
    }

    /// Whether a signature, in the form of RFC 7518, was made of a message with this key's other half.
    package func verifies(_ signature: [UInt8], of message: [UInt8], by algorithm: SignatureAlgorithm) -> Bool {
        guard self.fits(algorithm), let encoded = Self.encoded(signature, of: algorithm),
            let context = EVP_MD_CTX_new()
        else { return false }
        defer {
            EVP_MD_CTX_free(context)
            // A refused signature leaves its reason in the queue of the thread.
            ERR_clear_error()
        }
        var parameters: OpaquePointer?
        let digest = algorithm == .edDSA ? nil : algorithm.digest
        guard EVP_DigestVerifyInit(context, &parameters, digest, nil, self.pointer) == 1 else { return false }
        if algorithm.isPSS {
            guard EVP_PKEY_CTX_set_rsa_padding(parameters, RSA_PKCS1_PSS_PADDING) == 1,
                EVP_PKEY_CTX_set_rsa_pss_saltlen(parameters, RSA_PSS_SALTLEN_DIGEST) == 1
            else { return false }
        }
        return EVP_DigestVerify(context, encoded, encoded.count, message, message.count) == 1
    }

    // MARK: - Making keys

    private static func rsa(_ key: JSONWebKey) throws(Problem) -> OpaquePointer {
        guard let modulus = key.modulus.flatMap({ Base64URL.decoded($0) })?.drop(while: { $0 == 0 }),
            let exponent = key.exponent.flatMap({ Base64URL.decoded($0) })?.drop(while: { $0 == 0 }),
            let first = modulus.first, let last = modulus.last, let odd = exponent.last
        else { throw .malformed }
        let bits = modulus.count * 8 - first.leadingZeroBitCount
        guard (2048...8192).contains(bits) else { throw .badLength }
        // An even number cannot be either of them; a long exponent makes a check slow.
        guard last & 1 == 1, odd & 1 == 1, exponent.count <= 8, Array(exponent) != [1] else { throw .malformed }
        let pointer = muster_rsa_public_key(
            Array(modulus),
            Int32(modulus.count),
            Array(exponent),
            Int32(exponent.count)
        )
        return try self.owned(pointer)
    }

    private static func point(_ key: JSONWebKey, on curve: Curve) throws(Problem) -> OpaquePointer {
        guard let x = key.x.flatMap({ Base64URL.decoded($0) }), let y = key.y.flatMap({ Base64URL.decoded($0) }),
            x.count == curve.width, y.count == curve.width
        else { throw .malformed }
        // 4: both coordinates follow, so that infinity cannot be written.
        let point = [4] + x + y
        return try self.owned(muster_ec_public_key(curve.name, point, point.count))
    }

    private static func owned(_ pointer: OpaquePointer?) throws(Problem) -> OpaquePointer {
        guard let pointer else {
            ERR_clear_error()
            throw .malformed
        }
        return pointer
    }

    // MARK: - Signatures of elliptic curves

    // RFC 7518 writes both numbers at the width of the curve's order, OpenSSL as a DER sequence of integers.

    /// Returns a signature in OpenSSL's form; nil when its length is not that of the algorithm.
    private static func encoded(_ signature: [UInt8], of algorithm: SignatureAlgorithm) -> [UInt8]? {
        guard let curve = self.curves.values.first(where: { $0.kind == algorithm.keyKind }) else { return signature }
        guard signature.count == curve.width * 2 else { return nil }
        let numbers = self.integer(signature.prefix(curve.width)) + self.integer(signature.suffix(curve.width))
        return [0x30] + (numbers.count < 128 ? [] : [0x81]) + [UInt8(numbers.count)] + numbers
    }

    private static func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var digits = Array(bytes.drop { $0 == 0 })
        // A leading bit of one would make the number negative.
        if digits.first.map({ $0 >= 128 }) ?? true { digits.insert(0, at: 0) }
        return [2, UInt8(digits.count)] + digits
    }
}

import COpenSSL

/// A private key on the curve P-256, with its public key.
///
/// `@unchecked`: OpenSSL only reads the key after its creation.
package final class P256PrivateKey: @unchecked Sendable {
    /// The public key as an uncompressed point, 65 bytes.
    package let publicBytes: [UInt8]
    private let pointer: OpaquePointer

    /// Creates a random key.
    package init() {
        guard let context = EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else {
            preconditionFailure("OpenSSL has no elliptic curves")
        }
        defer { EVP_PKEY_CTX_free(context) }
        var pointer: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1, EVP_PKEY_CTX_set_group_name(context, "P-256") == 1,
            EVP_PKEY_generate(context, &pointer) == 1, let pointer
        else { preconditionFailure("OpenSSL cannot make a key") }
        self.pointer = pointer
        self.publicBytes = Self.publicBytes(of: pointer)
    }

    /// Creates the key with a given scalar of 32 bytes.
    ///
    /// - Returns: nil unless the scalar is from 1 to the order of the curve, exclusively.
    package init?(scalar: [UInt8]) {
        guard scalar.count == 32, let group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1),
            let number = BN_bin2bn(scalar, 32, nil), let point = EC_POINT_new(group)
        else { return nil }
        defer {
            EC_POINT_free(point)
            BN_clear_free(number)
            EC_GROUP_free(group)
        }
        guard BN_is_zero(number) == 0, BN_cmp(number, EC_GROUP_get0_order(group)) < 0,
            EC_POINT_mul(group, point, number, nil, nil, nil) == 1
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: P256PublicKey.byteCount)
        let count = EC_POINT_point2oct(group, point, POINT_CONVERSION_UNCOMPRESSED, &bytes, bytes.count, nil)
        guard count == bytes.count, let pointer = Self.makeKey(publicPoint: bytes, scalar: scalar) else { return nil }
        self.publicBytes = bytes
        self.pointer = pointer
    }

    deinit { EVP_PKEY_free(self.pointer) }

    /// Returns the secret that both owners of the keys can compute (ECDH, SP 800-56A), 32 bytes.
    ///
    /// The peer's key was checked when it was created.
    package func sharedSecret(with peer: P256PublicKey) -> [UInt8] {
        guard let context = EVP_PKEY_CTX_new(self.pointer, nil) else {
            preconditionFailure("OpenSSL has no memory for a key agreement")
        }
        defer { EVP_PKEY_CTX_free(context) }
        var secret = [UInt8](repeating: 0, count: 32)
        var count = secret.count
        guard EVP_PKEY_derive_init(context) == 1, EVP_PKEY_derive_set_peer_ex(context, peer.pointer, 0) == 1,
            EVP_PKEY_derive(context, &secret, &count) == 1, count == 32
        else { preconditionFailure("OpenSSL cannot agree on a secret on P-256") }
        return secret
    }

    /// Returns the ECDSA signature of a message with SHA-256, as both numbers of 32 bytes (ES256, RFC 7518).
    package func signature(of message: [UInt8]) -> [UInt8] {
        guard let context = EVP_MD_CTX_new() else { preconditionFailure("OpenSSL has no memory for a signature") }
        defer { EVP_MD_CTX_free(context) }
        var encoded = [UInt8](repeating: 0, count: 80)
        var count = encoded.count
        guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, self.pointer) == 1,
            EVP_DigestSign(context, &encoded, &count, message, message.count) == 1
        else { preconditionFailure("OpenSSL cannot sign with P-256") }
        return encoded.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            guard let pair = d2i_ECDSA_SIG(nil, &start, count) else {
                preconditionFailure("a signature of OpenSSL is unreadable")
            }
            defer { ECDSA_SIG_free(pair) }
            var numbers = [UInt8](repeating: 0, count: 64)
            let isWhole = numbers.withUnsafeMutableBufferPointer { numbers in
                BN_bn2binpad(ECDSA_SIG_get0_r(pair), numbers.baseAddress, 32) == 32
                    && BN_bn2binpad(ECDSA_SIG_get0_s(pair), numbers.baseAddress.map { $0 + 32 }, 32) == 32
            }
            precondition(isWhole, "a number of a signature has at most 32 bytes")
            return numbers
        }
    }

    /// Imports a key; nil when OpenSSL refuses the point or the scalar.
    static func makeKey(publicPoint: [UInt8], scalar: [UInt8]?) -> OpaquePointer? {
        guard let context = EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else { return nil }
        defer { EVP_PKEY_CTX_free(context) }
        var group = Array("P-256".utf8CString)
        var point = publicPoint
        // Numbers have the machine's byte order.
        var number: [UInt8] = (scalar ?? []).reversed()
        defer { if !number.isEmpty { OPENSSL_cleanse(&number, number.count) } }
        var key: OpaquePointer?
        let status = group.withUnsafeMutableBufferPointer { group in
            point.withUnsafeMutableBufferPointer { point in
                number.withUnsafeMutableBufferPointer { number in
                    var parameters = [
                        muster_group_parameter(group.baseAddress),
                        muster_public_key_parameter(point.baseAddress, point.count),
                    ]
                    if !number.isEmpty {
                        parameters.append(muster_private_key_parameter(number.baseAddress, number.count))
                    }
                    parameters.append(OSSL_PARAM_construct_end())
                    guard EVP_PKEY_fromdata_init(context) == 1 else { return Int32(0) }
                    let selection = scalar == nil ? muster_evp_public_key() : muster_evp_key_pair()
                    return EVP_PKEY_fromdata(context, &key, selection, &parameters)
                }
            }
        }
        // A refused key of a client leaves its reason in the thread's queue of errors.
        if status != 1 { ERR_clear_error() }
        return status == 1 ? key : nil
    }

    private static func publicBytes(of key: OpaquePointer) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: P256PublicKey.byteCount)
        var count = 0
        let status = EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PUB_KEY, &bytes, bytes.count, &count)
        precondition(status == 1 && count == bytes.count && bytes[0] == 4, "OpenSSL makes uncompressed points")
        return bytes
    }
}

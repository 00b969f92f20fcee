import COpenSSL
import Glibc

/// SHA-256 (FIPS 180-4) and its HMAC (RFC 2104).
package enum SHA256 {
    /// Returns the digest of a message, 32 bytes.
    package static func digest(of message: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        let isDone = EVP_Digest(message, message.count, &digest, nil, EVP_sha256(), nil)
        precondition(isDone == 1, "OpenSSL has no SHA-256")
        return digest
    }

    /// Returns the digest of a file, 32 bytes; nil when it cannot be read.
    package static func digest(ofFile path: String) -> [UInt8]? {
        guard let file = fopen(path, "rbe"), let context = EVP_MD_CTX_new() else { return nil }
        defer {
            EVP_MD_CTX_free(context)
            fclose(file)
        }
        guard EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else { return nil }
        var piece = [UInt8](repeating: 0, count: 1 << 20)
        while case let count = fread(&piece, 1, piece.count, file), count > 0 {
            guard EVP_DigestUpdate(context, piece, count) == 1 else { return nil }
        }
        var digest = [UInt8](repeating: 0, count: 32)
        guard ferror(file) == 0, EVP_DigestFinal_ex(context, &digest, nil) == 1 else { return nil }
        return digest
    }

    /// Returns the authentication code of a message under a key of any length, 32 bytes.
    package static func authenticationCode(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: 32)
        var length = 0
        let result = EVP_Q_mac(
            nil,
            "HMAC",
            nil,
            "SHA256",
            nil,
            key,
            key.count,
            message,
            message.count,
            &code,
            code.count,
            &length
        )
        precondition(result != nil && length == 32, "OpenSSL has no HMAC with SHA-256")
        return code
    }
}

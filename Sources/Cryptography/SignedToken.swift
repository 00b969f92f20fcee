import Foundation

/// A JSON Web Token with a signature, in its compact form (RFC 7515, RFC 7519), not yet checked.
package struct SignedToken: Sendable {
    /// The reason why a text is no such token, or none that is accepted.
    package enum Problem: String, Error, CaseIterable {
        /// More than 16 KiB.
        case tooLong = "token_too_long"
        /// Not three parts: an encrypted token has five.
        case notThreeParts = "token_not_signed"
        /// A part is not base64url, or the header is not JSON of the right types.
        case malformed = "token_malformed"
        /// The header demands extensions (`crit`).
        case criticalExtensions = "token_crit"
        /// The algorithm is not one of those that a public key checks.
        case unknownAlgorithm = "token_algorithm"
    }

    private struct Header: Decodable {
        let alg: String
        let kid: String?
        let typ: String?
    }

    /// The marker of a header with extensions, whatever their value is.
    private struct Extensions: Decodable {
        private enum CodingKeys: CodingKey {
            case crit
        }

        let areDemanded: Bool

        init(from decoder: any Decoder) throws {
            self.areDemanded = try decoder.container(keyedBy: CodingKeys.self).contains(.crit)
        }
    }

    private static let longest = 16_384

    /// The algorithm of the signature.
    package let algorithm: SignatureAlgorithm
    /// The name of the key.
    package let keyID: String?
    /// The media type of the token.
    package let type: String?
    /// The claims, JSON.
    package let payload: [UInt8]
    private let signature: [UInt8]
    private let message: [UInt8]

    /// Parses a compact token.
    ///
    /// - Throws: the reason why it is refused.
    package init(_ text: String) throws(Problem) {
        guard text.utf8.count <= Self.longest else { throw .tooLong }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw .notThreeParts }
        guard let head = Base64URL.decoded(parts[0]), let payload = Base64URL.decoded(parts[1]),
            let signature = Base64URL.decoded(parts[2])
        else { throw .malformed }
        let decoder = JSONDecoder()
        guard let extensions = try? decoder.decode(Extensions.self, from: Data(head)),
            let header = try? decoder.decode(Header.self, from: Data(head))
        else { throw .malformed }
        guard !extensions.areDemanded else { throw .criticalExtensions }
        guard let algorithm = SignatureAlgorithm(rawValue: header.alg) else { throw .unknownAlgorithm }
        self.algorithm = algorithm
        self.keyID = header.kid
        self.type = header.typ
        self.payload = payload
        self.signature = signature
        self.message = Array("\(parts[0]).\(parts[1])".utf8)
    }

    /// Whether the token was signed with the other half of a key.
    package func isSigned(by key: PublicKey) -> Bool {
        key.verifies(self.signature, of: self.message, by: self.algorithm)
    }
}

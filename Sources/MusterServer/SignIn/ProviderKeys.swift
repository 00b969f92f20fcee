import Cryptography
import Foundation

/// The keys of a provider by which it signs tokens.
struct ProviderKeys: Sendable {
    private struct Document: Decodable {
        let keys: LossyArray<JSONWebKey>
    }

    /// The keys that can check a signature.
    private let keys: [(id: String?, key: PublicKey)]

    /// Reads a key set.
    ///
    /// Keys for other purposes, symmetric ones and weak ones are left out.
    ///
    /// - Throws: `unavailable` when no usable key is left.
    init(_ body: [UInt8]) throws(SignInFailure) {
        guard let document = try? JSONDecoder().decode(Document.self, from: Data(body)) else {
            throw .unavailable("keys_malformed")
        }
        self.keys = document.keys.elements.compactMap { key in
            (try? PublicKey(key)).map { (id: key.id, key: $0) }
        }
        guard !self.keys.isEmpty else { throw .unavailable("keys_unusable") }
    }

    /// Whether a token was signed by one of the keys; nil when the set does not hold its key.
    ///
    /// A token without the name of a key is checked only when exactly one key fits.
    ///
    /// - Throws: `refused` when the key does not fit the algorithm, or several fit.
    func verify(_ token: SignedToken) throws(SignInFailure) -> Bool? {
        guard let id = token.keyID else {
            let fitting = self.keys.filter { $0.key.fits(token.algorithm) }
            guard fitting.count <= 1 else { throw .refused("token_key_ambiguous") }
            return fitting.first.map { token.isSigned(by: $0.key) }
        }
        let named = self.keys.filter { $0.id == id }
        guard !named.isEmpty else { return nil }
        guard let key = named.first(where: { $0.key.fits(token.algorithm) }) else {
            throw .refused("token_key_type")
        }
        return token.isSigned(by: key.key)
    }
}

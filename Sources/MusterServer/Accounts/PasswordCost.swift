import CSodium

/// The cost of checking one password with Argon2id.
package enum PasswordCost: Sendable {
    /// 64 MiB and two passes: some 50 to 100 ms, libsodium's choice for logins.
    case interactive
    /// The minimum of the algorithm, for tests and demos that create many accounts.
    case minimal

    /// Returns the text that the database stores for a password: algorithm, cost, salt and hash.
    ///
    /// Slow by design. Nil when the required memory is not available.
    func hash(_ password: String) -> String? {
        precondition(sodiumIsReady, "libsodium found no source of randomness")
        var text = [CChar](repeating: 0, count: crypto_pwhash_strbytes())
        let bytes = password.utf8.map(CChar.init(bitPattern:))
        let (operations, memory) =
            switch self {
            case .interactive: (crypto_pwhash_opslimit_interactive(), crypto_pwhash_memlimit_interactive())
            case .minimal: (crypto_pwhash_opslimit_min(), crypto_pwhash_memlimit_min())
            }
        guard crypto_pwhash_str(&text, bytes, UInt64(bytes.count), UInt64(operations), memory) == 0 else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Whether `hash` was made from `password`; as slow as `hash`, with the cost that the text contains.
    static func verify(_ password: String, against hash: String) -> Bool {
        let bytes = password.utf8.map(CChar.init(bitPattern:))
        return crypto_pwhash_str_verify(hash, bytes, UInt64(bytes.count)) == 0
    }
}

import CSodium
import MusterCore

extension ReportKey {
    /// Hashes the identity of a fix: BLAKE2b-64.
    init(of fix: Fix) {
        let bytes = ReportIdentity(of: fix).bytes
        var hash = [UInt8](repeating: 0, count: 8)
        let status = crypto_generichash_blake2b(&hash, hash.count, bytes, UInt64(bytes.count), nil, 0)
        precondition(status == 0, "BLAKE2b takes any input")
        self.init(rawValue: hash.reversed().reduce(0) { $0 << 8 | Int64($1) })
    }
}

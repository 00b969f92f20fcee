import CGatewayShims

/// The allowed TLS parameters: Mozilla's "intermediate" configuration, which every browser of the last ten years
/// supports.
enum TLSParameters {
    /// The cipher suites of TLS 1.2, with forward secrecy and authenticated encryption.
    static let suites = [
        "ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384",
        "ECDHE-RSA-AES256-GCM-SHA384", "ECDHE-ECDSA-CHACHA20-POLY1305", "ECDHE-RSA-CHACHA20-POLY1305",
    ].joined(separator: ":")
    /// The cipher suites of TLS 1.3.
    static let newerSuites = "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256"
    private static let groups = "X25519:P-256:P-384"
    /// `SSL_OP_NO_TLSv1` and `SSL_OP_NO_TLSv1_1`.
    static let options = 1 << 26 | 1 << 28

    /// Restricts the key exchange groups, for which libwebsockets has no setting.
    static func limitGroups(of context: UnsafeMutableRawPointer) {
        let isSet = muster_tls_set_groups(context, self.groups)
        precondition(isSet, "OpenSSL has these groups")
    }
}

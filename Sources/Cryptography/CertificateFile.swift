import COpenSSL

/// A PEM file of a certificate, and of the chain to its authority.
package struct CertificateFile: Sendable {
    /// The first thing that is wrong with a certificate.
    package enum Trouble: Sendable, Equatable {
        case unreadable
        case keyUnreadable
        case otherKey
        case otherName
        /// Its chain does not lead to an authority that this machine trusts.
        case untrusted
    }

    /// What is wrong; nil for nothing.
    package let trouble: Trouble?
    /// The seconds until its validity ends; below zero when it is over.
    package let secondsLeft: Int64

    /// Checks a certificate.
    ///
    /// - Parameters:
    ///   - path: the file of the certificate and its chain.
    ///   - keyPath: the file of its private key.
    ///   - host: the name that browsers use; nil for any.
    package init(_ path: String, key keyPath: String, host: String?) {
        var seconds: Int64 = 0
        let state = muster_certificate_check(path, keyPath, host, &seconds)
        self.secondsLeft = seconds
        self.trouble =
            switch UInt32(state) {
            case muster_certificate_fine.rawValue: nil
            case muster_certificate_key_unreadable.rawValue: .keyUnreadable
            case muster_certificate_of_another_key.rawValue: .otherKey
            case muster_certificate_of_another_name.rawValue: .otherName
            case muster_certificate_without_trust.rawValue: .untrusted
            default: .unreadable
            }
    }
}

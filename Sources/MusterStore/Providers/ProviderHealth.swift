/// The health of an external server, for operators.
package struct ProviderHealth: Sendable, Equatable {
    /// The service that the server provides.
    package let provider: String
    /// The host name.
    package let host: String
    /// The number of failures since the last success.
    package let failures: Int
    /// The last failure; nil when the server is healthy.
    package let reason: String?
    /// The remaining time without requests to the server, in milliseconds; nil when requests are sent.
    package let openFor: Int64?

    /// Creates a description.
    package init(provider: String, host: String, failures: Int, reason: String?, openFor: Int64?) {
        self.provider = provider
        self.host = host
        self.failures = failures
        self.reason = reason
        self.openFor = openFor
    }
}

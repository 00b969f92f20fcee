/// How a server elsewhere does, as operators see it.
package struct ProviderHealth: Sendable, Equatable {
    /// What it is asked for.
    package let provider: String
    /// Its host.
    package let host: String
    /// How often it failed since its last success.
    package let failures: Int
    /// How it failed last; nil when it is well.
    package let reason: String?
    /// Milliseconds for which it is left alone from now on; nil when it is not.
    package let openFor: Int64?

    /// Describes a server.
    package init(provider: String, host: String, failures: Int, reason: String?, openFor: Int64?) {
        self.provider = provider
        self.host = host
        self.failures = failures
        self.reason = reason
        self.openFor = openFor
    }
}

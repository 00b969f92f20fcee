/// The health of an external server, for operators.
struct ProviderHealth: Sendable, Equatable {
    /// The service that the server provides.
    let provider: String
    /// The host name.
    let host: String
    /// The number of failures since the last success.
    let failures: Int
    /// The last failure; nil when the server is healthy.
    let reason: String?
    /// The remaining time without requests to the server, in milliseconds; nil when requests are sent.
    let openFor: Int64?
}

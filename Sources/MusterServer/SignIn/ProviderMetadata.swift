import Foundation
import OutboundHTTP

/// The endpoints of a provider.
struct ProviderMetadata: Sendable {
    /// The address that browsers open.
    let authorization: String
    let token: OperatorURL
    let userInfo: OperatorURL?
    let keys: OperatorURL?
    /// The address at which browsers end the session; nil when the provider has none.
    let endSession: String?
    let revocation: OperatorURL?
    /// Whether the way back names the issuer (RFC 9207).
    let namesIssuer: Bool
    let authentication: ProviderSettings.ClientAuthentication

    /// The discovery document (OpenID Connect Discovery, section 3).
    private struct Document: Decodable {
        let issuer: String
        let authorization_endpoint: String?
        let token_endpoint: String?
        let userinfo_endpoint: String?
        let jwks_uri: String?
        let end_session_endpoint: String?
        let revocation_endpoint: String?
        let authorization_response_iss_parameter_supported: Bool?
        let token_endpoint_auth_methods_supported: [String]?
    }

    /// Reads a discovery document; the configuration adds what it lacks.
    ///
    /// - Throws: `unavailable` when it is another issuer's, or lacks an endpoint that cannot be done without.
    init(_ body: [UInt8], _ settings: ProviderSettings) throws(SignInFailure) {
        guard let document = try? JSONDecoder().decode(Document.self, from: Data(body)) else {
            throw .unavailable("discovery_malformed")
        }
        guard document.issuer == settings.issuer else { throw .unavailable("discovery_issuer") }
        let methods = document.token_endpoint_auth_methods_supported ?? ["client_secret_basic"]
        try self.init(
            settings,
            found: [
                "authorization": document.authorization_endpoint, "token": document.token_endpoint,
                "userinfo": document.userinfo_endpoint, "jwks": document.jwks_uri,
                "end_session": document.end_session_endpoint, "revocation": document.revocation_endpoint,
            ],
            namesIssuer: document.authorization_response_iss_parameter_supported ?? false,
            authentication: methods.contains("client_secret_basic") || !methods.contains("client_secret_post")
                ? .basic : .post
        )
        guard self.keys != nil else { throw .unavailable("discovery_jwks_uri") }
    }

    /// The endpoints of a provider without discovery.
    ///
    /// - Throws: `unavailable` when one is not a URL for requests.
    init(configured settings: ProviderSettings) throws(SignInFailure) {
        try self.init(settings, found: [:], namesIssuer: false, authentication: .post)
    }

    private init(
        _ settings: ProviderSettings,
        found: [String: String?],
        namesIssuer: Bool,
        authentication: ProviderSettings.ClientAuthentication
    ) throws(SignInFailure) {
        func address(_ name: String) throws(SignInFailure) -> String? {
            guard let text = (found[name] ?? nil) ?? settings.endpoints[name] else { return nil }
            guard ProviderSettings.isUsable(text, allowsLoopback: settings.allowsLoopback) else {
                throw .unavailable("endpoint_\(name)")
            }
            return text
        }
        func url(_ name: String) throws(SignInFailure) -> OperatorURL? {
            guard let text = try address(name) else { return nil }
            guard let url = try? OperatorURL(endpoint: text) else { throw .unavailable("endpoint_\(name)") }
            return url
        }
        guard let authorization = try address("authorization") else { throw .unavailable("endpoint_authorization") }
        guard let token = try url("token") else { throw .unavailable("endpoint_token") }
        self.authorization = authorization
        self.token = token
        self.userInfo = try url("userinfo")
        self.keys = try url("jwks")
        self.endSession = try address("end_session")
        self.revocation = try url("revocation")
        self.namesIssuer = namesIssuer
        self.authentication = settings.authentication ?? authentication
    }
}

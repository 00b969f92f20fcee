import Cryptography
import EventLoop
import Foundation
import MusterCore
import OutboundHTTP

/// A provider at work: its endpoints and keys, and the requests to it.
final class IdentityProvider: Sendable {
    private struct ErrorBody: Decodable {
        let error: String
    }

    let settings: ProviderSettings
    private let client: OutboundClient
    private let clock: MonotonicClock
    private let redirect: String
    private let metadata: ProviderDocument<ProviderMetadata>
    private let keys: ProviderDocument<ProviderKeys>

    /// Creates a provider; `site` is the public address of this server.
    init(_ settings: ProviderSettings, site: String, client: OutboundClient, clock: MonotonicClock) {
        self.settings = settings
        self.client = client
        self.clock = clock
        self.redirect = "\(site)/v1/auth/\(settings.id)/callback"
        let metadata = ProviderDocument(clock: clock) { () async throws(SignInFailure) in
            guard settings.profile == .openID else {
                return (value: try ProviderMetadata(configured: settings), maxAge: nil)
            }
            guard let issuer = try? OperatorURL(configured: settings.issuer) else { throw .unavailable("issuer") }
            let answer = try await Self.get(
                issuer.appending(".well-known", "openid-configuration"),
                client,
                "discovery"
            )
            return (value: try ProviderMetadata(answer.body, settings), maxAge: answer.maxAge)
        }
        self.metadata = metadata
        self.keys = ProviderDocument(clock: clock) { () async throws(SignInFailure) in
            guard let url = try await metadata.value().keys else { throw .unavailable("no_keys") }
            let answer = try await Self.get(url, client, "keys")
            return (value: try ProviderKeys(answer.body), maxAge: answer.maxAge)
        }
    }

    /// Whether the provider answered lately.
    var isAvailable: Bool { self.metadata.isAvailable }

    /// The endpoints.
    ///
    /// - Throws: `unavailable`.
    func endpoints() async throws(SignInFailure) -> ProviderMetadata { try await self.metadata.value() }

    /// Fetches the endpoints and keys ahead of the first sign-in.
    ///
    /// - Throws: `unavailable`.
    func prepare() async throws(SignInFailure) {
        _ = try await self.metadata.value()
        if self.settings.profile == .openID { _ = try await self.keys.value() }
    }

    // MARK: - Browser

    /// The address that the browser opens for a sign-in.
    ///
    /// - Throws: `unavailable`.
    func authorizationURL(
        state: String,
        nonce: String,
        verifier: String,
        isFresh: Bool
    ) async throws(SignInFailure) -> String {
        let endpoint = try await self.metadata.value().authorization
        var query: [(name: String, value: String)] = [
            ("response_type", "code"), ("client_id", self.settings.client), ("redirect_uri", self.redirect),
            ("scope", self.settings.scopes.joined(separator: " ")), ("state", state),
            ("code_challenge", Base64URL.encoded(SHA256.digest(of: Array(verifier.utf8)))),
            ("code_challenge_method", "S256"),
        ]
        switch (self.settings.profile, isFresh) {
        case (.openID, true): query += [("nonce", nonce), ("prompt", "login"), ("max_age", "0")]
        case (.openID, false): query.append(("nonce", nonce))
        case (.oauth2, true): query.append(("auth_type", "reauthenticate"))
        case (.oauth2, false): break
        }
        return endpoint + (endpoint.contains("?") ? "&" : "?") + PercentEncoding.form(query)
    }

    /// The address that ends the session at the provider; nil when it ends none.
    func logoutURL(_ tokens: ProviderTokens?, back: String) async -> String? {
        guard self.settings.logout == .both, let hint = tokens?.identity,
            let endpoint = try? await self.metadata.value().endSession
        else { return nil }
        let query = [
            (name: "id_token_hint", value: hint), (name: "client_id", value: self.settings.client),
            (name: "post_logout_redirect_uri", value: back),
        ]
        return endpoint + (endpoint.contains("?") ? "&" : "?") + PercentEncoding.form(query)
    }

    // MARK: - Tokens

    /// Exchanges a code for tokens.
    ///
    /// - Throws: `refused` for a code that is not accepted; `unavailable`.
    func redeem(code: String, verifier: String) async throws(SignInFailure) -> ProviderTokens {
        let metadata = try await self.metadata.value()
        let answer = try await self.post(
            [
                ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", self.redirect),
                ("code_verifier", verifier),
            ],
            to: metadata.token,
            as: metadata.authentication
        )
        guard answer.status == 200 else {
            let error = try? JSONDecoder().decode(ErrorBody.self, from: Data(answer.body))
            guard error?.error == "invalid_grant" else { throw .unavailable("token_status_\(answer.status)") }
            throw .refused("code")
        }
        guard let tokens = try? JSONDecoder().decode(ProviderTokens.self, from: Data(answer.body)) else {
            throw .unavailable("token_answer_malformed")
        }
        return tokens
    }

    /// Checks the tokens of a sign-in.
    ///
    /// - Parameters:
    ///   - tokens: the answer of the token endpoint.
    ///   - nonce: the number of the request.
    ///   - freshSince: when a request that demanded a new login was sent; nil when it did not.
    /// - Returns: the account at the provider.
    /// - Throws: `refused`, `unavailable`.
    func identity(
        in tokens: ProviderTokens,
        nonce: String,
        freshSince: Timestamp?
    ) async throws(SignInFailure) -> VerifiedIdentity {
        switch self.settings.profile {
        case .openID: try await self.openIDIdentity(in: tokens, nonce: nonce, freshSince: freshSince)
        case .oauth2: try await self.profileIdentity(in: tokens)
        }
    }

    /// Checks a logout token.
    ///
    /// - Throws: `refused`, `unavailable`.
    func logout(_ text: String) async throws(SignInFailure) -> LogoutTokenRule.Logout {
        let (token, claims) = try await self.verifiedClaims(of: text)
        let rule = LogoutTokenRule(
            issuer: self.settings.issuer,
            client: self.settings.client,
            audiences: self.settings.audiences
        )
        do throws(TokenProblem) {
            return try rule.check(claims, type: token.type, now: self.now)
        } catch {
            throw .refused("logout_token_\(error.rawValue)")
        }
    }

    /// Revokes tokens.
    ///
    /// - Throws: `unavailable` when the provider did not answer, and the request is to be repeated.
    func revoke(_ tokens: ProviderTokens) async throws(SignInFailure) {
        guard let endpoint = try await self.metadata.value().revocation else { return }
        let answer: OutboundResponse
        if self.settings.profile == .oauth2 {
            guard let access = tokens.access else { return }
            answer = try await self.send(
                OutboundRequest(endpoint.appending(query: self.proof(access)), method: .post(form: "method=delete")),
                bearer: access
            )
        } else {
            guard let token = tokens.refresh ?? tokens.access else { return }
            answer = try await self.post(
                [
                    ("token", token),
                    ("token_type_hint", tokens.refresh == nil ? "access_token" : "refresh_token"),
                ],
                to: endpoint,
                as: try await self.metadata.value().authentication
            )
        }
        // Any other 4xx says that the token is dead or that repeating does not help.
        guard answer.status < 500, answer.status != 429 else { throw .unavailable("revocation_\(answer.status)") }
    }

    private var now: Timestamp { Timestamp(milliseconds: self.clock.wallMilliseconds) }

    private func openIDIdentity(
        in tokens: ProviderTokens,
        nonce: String,
        freshSince: Timestamp?
    ) async throws(SignInFailure) -> VerifiedIdentity {
        guard let text = tokens.identity else { throw .refused("token_missing") }
        let (token, claims) = try await self.verifiedClaims(of: text)
        let rule = IDTokenRule(
            issuer: self.settings.issuer,
            client: self.settings.client,
            audiences: self.settings.audiences,
            nonce: nonce,
            accessTokenHash: tokens.access.map { token.algorithm.halfHash(of: $0) },
            freshSince: freshSince
        )
        let subject: String
        do throws(TokenProblem) {
            subject = try rule.check(claims, now: self.now)
        } catch {
            throw .refused("id_token_\(error.rawValue)")
        }
        var identity = VerifiedIdentity(
            provider: self.settings.id,
            issuer: self.settings.issuer,
            subject: subject,
            session: claims.session,
            issuedAt: claims.issuedAt ?? self.now,
            name: claims["name"]?.text,
            username: claims["preferred_username"]?.text,
            isAdmitted: self.settings.required.allSatisfy { claims[$0.key]?.includes($0.value) ?? false }
        )
        if identity.name == nil, let access = tokens.access, let profile = try await self.userInfo(access) {
            guard profile.subject == subject else { throw .refused("userinfo_subject") }
            identity.name = profile["name"]?.text
            identity.username = identity.username ?? profile["preferred_username"]?.text
        }
        return identity
    }

    /// The identity of a provider without ID tokens: its answer to our own request is the proof.
    private func profileIdentity(in tokens: ProviderTokens) async throws(SignInFailure) -> VerifiedIdentity {
        guard let access = tokens.access else { throw .refused("token_missing") }
        guard let profile = try await self.userInfo(access) else { throw .unavailable("profile") }
        let field = self.settings.claims["subject"] ?? "id"
        guard let subject = profile[field]?.text, (1...255).contains(subject.utf8.count), !subject.utf8.contains(0)
        else { throw .refused("profile_subject") }
        return VerifiedIdentity(
            provider: self.settings.id,
            issuer: self.settings.issuer,
            subject: subject,
            issuedAt: self.now,
            name: profile[self.settings.claims["name"] ?? "name"]?.text,
            isAdmitted: self.settings.required.allSatisfy { profile[$0.key]?.includes($0.value) ?? false }
        )
    }

    /// The claims of a token whose signature was checked.
    private func verifiedClaims(of text: String) async throws(SignInFailure) -> (SignedToken, TokenClaims) {
        let token: SignedToken
        do throws(SignedToken.Problem) {
            token = try SignedToken(text)
        } catch {
            throw .refused(error.rawValue)
        }
        guard self.settings.algorithms.contains(token.algorithm) else { throw .refused("token_algorithm") }
        var verdict = try await self.keys.value().verify(token)
        if verdict == nil, let renewed = try await self.keys.renewed() { verdict = try renewed.verify(token) }
        guard let isSigned = verdict else { throw .refused("token_key_unknown") }
        guard isSigned else { throw .refused("token_signature") }
        guard let claims = try? JSONDecoder().decode([String: ClaimValue].self, from: Data(token.payload)) else {
            throw .refused("token_claims_malformed")
        }
        return (token, TokenClaims(claims))
    }

    /// The profile behind an access token; nil when the provider has none or does not tell it.
    private func userInfo(_ access: String) async throws(SignInFailure) -> TokenClaims? {
        guard let endpoint = try await self.metadata.value().userInfo else { return nil }
        var query: [(name: String, value: String)] = []
        if self.settings.profile == .oauth2 { query = [("fields", "id,name")] + self.proof(access) }
        let url = query.isEmpty ? endpoint : endpoint.appending(query: query)
        let answer = try await self.send(OutboundRequest(url), bearer: access)
        guard answer.status == 200,
            let claims = try? JSONDecoder().decode([String: ClaimValue].self, from: Data(answer.body))
        else { return nil }
        return TokenClaims(claims)
    }

    /// The proof that this server, and nobody who found the token, uses it.
    private func proof(_ access: String) -> [(name: String, value: String)] {
        guard self.settings.isFacebook, let secret = self.settings.secret else { return [] }
        let code = SHA256.authenticationCode(of: Array(access.utf8), key: Array(secret.utf8))
        return [("appsecret_proof", code.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined())]
    }

    // MARK: - Requests

    private func post(
        _ fields: [(name: String, value: String)],
        to url: OperatorURL,
        as authentication: ProviderSettings.ClientAuthentication
    ) async throws(SignInFailure) -> OutboundResponse {
        var fields = fields
        var authorization: String?
        let (client, secret) = (self.settings.client, self.settings.secret ?? "")
        switch authentication {
        case .basic:
            let pair = "\(PercentEncoding.encoded(client)):\(PercentEncoding.encoded(secret))"
            authorization = "Basic \(Data(pair.utf8).base64EncodedString())"
        case .post: fields += [("client_id", client), ("client_secret", secret)]
        case .none: fields.append(("client_id", client))
        }
        var request = OutboundRequest(url, method: .post(form: PercentEncoding.form(fields)))
        if let authorization { request.headers.append(("Authorization", authorization)) }
        return try await Self.send(request, self.client, "request")
    }

    private func send(_ request: OutboundRequest, bearer: String) async throws(SignInFailure) -> OutboundResponse {
        // A token with other signs could end the header.
        guard bearer.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else { throw .refused("access_token_malformed") }
        var request = request
        request.headers.append(("Authorization", "Bearer \(bearer)"))
        return try await Self.send(request, self.client, "request")
    }

    private static func get(
        _ url: OperatorURL,
        _ client: OutboundClient,
        _ what: String
    ) async throws(SignInFailure) -> OutboundResponse {
        let answer = try await self.send(OutboundRequest(url), client, what)
        guard answer.status == 200 else { throw .unavailable("\(what)_status_\(answer.status)") }
        return answer
    }

    /// Sends a request within the limits of sign-ins: 10 s, 64 KiB, 8 at once to a host.
    private static func send(
        _ request: OutboundRequest,
        _ client: OutboundClient,
        _ what: String
    ) async throws(SignInFailure) -> OutboundResponse {
        var request = request
        request.timeout = 10_000
        request.bodyLimit = 65_536
        request.concurrency = 8
        request.headers.append(("Accept", "application/json"))
        do throws(OutboundError) {
            return try await client.send(request)
        } catch {
            throw .unavailable("\(what)_\(error.code.rawValue)")
        }
    }
}

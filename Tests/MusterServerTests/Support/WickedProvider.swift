import Foundation
import MusterTestSupport

@testable import MusterWire

/// A provider of identities that answers and signs whatever a test tells it, good answers at first.
final class WickedProvider {
    /// One key for all providers, because it takes long to make.
    static let rsa = SigningKey(.rsa(bits: 2048), id: "rsa")

    /// The id in the configuration of the server.
    let id: String
    /// The address, with a path for each provider of a stand-in.
    let issuer: String
    /// Changes of the discovery document; nil removes a field.
    var discovery: [String: (any Sendable)?] = [:]
    /// Further fields of an answer, such as `mode` or `status`, by its path.
    var manners: [String: [String: any Sendable]] = [:]
    var keys: [[String: any Sendable]] = [WickedProvider.rsa.publicKey]
    /// Changes of the claims; nil removes one.
    var claims: [String: (any Sendable)?] = [:]
    /// Makes the ID token of its claims.
    var sign: ([String: any Sendable]) -> String = { WickedProvider.rsa.token("RS256", claims: $0) }
    /// The answer of the UserInfo endpoint.
    var userInfo: [String: any Sendable] = [:]
    /// `iss` of the way back.
    var responseIssuer: String?

    private let standIn: StandIn
    private let port: UInt16

    /// Creates a provider at a stand-in.
    init(_ standIn: StandIn, id: String = "wicked") throws {
        self.standIn = standIn
        self.id = id
        self.issuer = "\(standIn.url)/\(id)"
        guard let port = URL(string: standIn.url)?.port.flatMap({ UInt16(exactly: $0) }) else {
            throw TestFailure("the stand-in has no port: \(standIn.url)")
        }
        self.port = port
    }

    /// The options of a server that lets people in by these providers.
    static func options(_ providers: [WickedProvider], in folder: URL) throws -> [String] {
        let list = providers.map { provider -> [String: any Sendable] in
            [
                "id": provider.id, "issuer": provider.issuer, "client_id": "muster", "client_secret": "a secret",
                "insecure_loopback": true, "audiences": ["admitted"],
            ]
        }
        let file = folder.appending(path: "auth.json")
        try Data(json(["providers": list])).write(to: file)
        return ["--auth-config", file.path, "--public-url", "https://muster.example"]
    }

    /// Publishes the discovery document and the keys.
    func publish() throws {
        var document: [String: any Sendable] = [
            "issuer": self.issuer, "authorization_endpoint": "\(self.issuer)/authorize",
            "token_endpoint": "\(self.issuer)/token", "jwks_uri": "\(self.issuer)/keys",
            "userinfo_endpoint": "\(self.issuer)/userinfo", "end_session_endpoint": "\(self.issuer)/end",
            "revocation_endpoint": "\(self.issuer)/revoke",
        ]
        for (name, value) in self.discovery { document[name] = value }
        try self.set("/.well-known/openid-configuration", document)
        try self.set("/keys", ["keys": self.keys])
        try self.set("/userinfo", self.userInfo)
        try self.set("/revoke", [:])
    }

    /// Good claims with the changes, for the request with this nonce.
    func claims(nonce: String) -> [String: any Sendable] {
        let now = Int(Date.now.timeIntervalSince1970)
        var claims: [String: any Sendable] = [
            "iss": self.issuer, "aud": "muster", "sub": "ada", "exp": now + 300, "iat": now, "nonce": nonce,
            "name": "Ada Lovelace", "preferred_username": "ada",
        ]
        for (name, value) in self.claims { claims[name] = value }
        return claims
    }

    /// Answers the redemption of a code with a token that was signed for a request.
    func grant(_ code: String, nonce: String) throws {
        let tokens: [String: any Sendable] = [
            "access_token": "access", "refresh_token": "refresh", "token_type": "Bearer",
            "id_token": self.sign(self.claims(nonce: nonce)),
        ]
        try self.set("/token", tokens, code: code)
    }

    /// How often a path was asked for.
    func count(of path: String) throws -> Int { try self.requests(path).count }

    /// The bodies of the requests to a path.
    func requests(_ path: String) throws -> [String] {
        let log = try HTTPReply.request("GET", "/log", port: self.port, transcript: nil)
        return try JSONDocument(Array(log.text.utf8)).root.elements
            .filter { $0["path"].string == "/\(self.id)\(path)" }.map { $0["body"].string ?? "" }
    }

    private func set(_ path: String, _ body: [String: any Sendable], code: String? = nil) throws {
        var order: [String: any Sendable] = [
            "path": "/\(self.id)\(path)", "body": String(decoding: json(body), as: UTF8.self),
        ]
        if let code { order["code"] = code }
        for (name, value) in self.manners[path] ?? [:] { order[name] = value }
        let text = String(decoding: json(order), as: UTF8.self)
        _ = try HTTPReply.request("POST", "/set", body: text, port: self.port, transcript: nil)
    }
}

/// A sign-in by a wicked provider, step by step as a browser does it.
struct WickedSignIn {
    let provider: WickedProvider
    /// The secret of the tab.
    let flow: String
    /// The parameters that the browser brings to the provider.
    let request: [String: String]

    /// Begins a sign-in; returns nil and the answer when it is refused.
    static func start(
        _ fixture: ServerFixture,
        _ provider: WickedProvider,
        purpose: String = "login",
        token: String? = nil,
        returnTo: String = "/"
    ) throws -> (signIn: WickedSignIn?, reply: HTTPReply) {
        let reply = try fixture.http(
            "POST",
            "/v1/auth/\(provider.id)/start",
            token: token,
            body: ["purpose": .string(purpose), "return": .string(returnTo)]
        )
        guard reply.status == 200, let url = reply.json?["url"].string, let flow = reply.json?["flow"].string else {
            return (nil, reply)
        }
        let items = URLComponents(string: url)?.queryItems ?? []
        let request = Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
        return (WickedSignIn(provider: provider, flow: flow, request: request), reply)
    }

    /// Comes back from the provider; returns where the browser is sent.
    func comeBack(_ fixture: ServerFixture, code: String, state: String? = nil) throws -> String {
        var path = "/v1/auth/\(self.provider.id)/callback?code=\(code)&state=\(state ?? self.request["state"] ?? "")"
        if let issuer = self.provider.responseIssuer { path += "&iss=\(issuer)" }
        return try fixture.http("GET", path).headers["location"] ?? ""
    }

    /// Comes back with a code that the provider grants; returns the ticket.
    func ticket(_ fixture: ServerFixture) throws -> String {
        let code = UUID().uuidString
        try self.provider.grant(code, nonce: self.request["nonce"] ?? "")
        let location = try self.comeBack(fixture, code: code)
        guard location.hasPrefix("/#ticket=") else { throw TestFailure("the way back leads to \(location)") }
        return String(location.dropFirst("/#ticket=".count))
    }

    /// Redeems a ticket.
    func exchange(
        _ fixture: ServerFixture,
        ticket: String,
        flow: String? = nil,
        token: String? = nil
    ) throws -> HTTPReply {
        try fixture.http(
            "POST",
            "/v1/auth/exchange",
            token: token,
            body: ["ticket": .string(ticket), "flow": .string(flow ?? self.flow)]
        )
    }

    /// Signs in from the beginning to the end; returns the first answer that is not a success, or the last.
    static func run(
        _ fixture: ServerFixture,
        _ provider: WickedProvider,
        purpose: String = "login",
        token: String? = nil
    ) throws -> HTTPReply {
        let start = try Self.start(fixture, provider, purpose: purpose, token: token)
        guard let signIn = start.signIn else { return start.reply }
        return try signIn.exchange(fixture, ticket: try signIn.ticket(fixture), token: token)
    }
}

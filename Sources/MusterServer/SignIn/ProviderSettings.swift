import Cryptography
import Foundation
import MusterCore
import OutboundHTTP

/// One provider as the operator configured it.
package struct ProviderSettings: Sendable {
    /// How a provider says who somebody is.
    enum Profile: Sendable, Equatable {
        /// OpenID Connect, with the endpoints of the issuer's discovery document.
        case openID
        /// OAuth 2 with configured endpoints, and a profile that this server fetches.
        case oauth2
    }

    /// How this server proves who it is at the token endpoint.
    enum ClientAuthentication: String, Sendable, CaseIterable {
        case basic
        case post
        case none
    }

    /// Which sessions a logout ends.
    enum Logout: String, Sendable, CaseIterable {
        /// That at the provider too.
        case both
        /// Only that here.
        case here
    }

    private static let known: Set<String> = [
        "id", "name", "preset", "profile", "issuer", "client_id", "client_secret", "client_secret_file", "scopes",
        "algs",
        "audiences", "signup", "require", "logout", "insecure_loopback", "endpoints", "token_auth", "claims",
        "secret_proof",
    ]
    private static let knownEndpoints: Set<String> = [
        "authorization", "token", "userinfo", "jwks", "end_session", "revocation",
    ]
    /// The endpoints of Facebook's Graph API.
    private static let facebook = [
        "authorization": "https://www.facebook.com/v21.0/dialog/oauth",
        "token": "https://graph.facebook.com/v21.0/oauth/access_token",
        "userinfo": "https://graph.facebook.com/v21.0/me",
        "revocation": "https://graph.facebook.com/v21.0/me/permissions",
    ]

    /// The name in addresses: lower-case letters, digits and hyphens.
    package let id: String
    /// The text of the button.
    package let name: String
    let profile: Profile
    /// The provider's own name, compared byte for byte.
    let issuer: String
    let client: String
    let secret: String?
    let scopes: [String]
    let algorithms: Set<SignatureAlgorithm>
    /// Other audiences that a token may name.
    let audiences: Set<String>
    /// Whether a first sign-in makes an account.
    let makesAccounts: Bool
    /// Claims that a person must have to be let in.
    let required: [String: ClaimValue]
    let logout: Logout
    /// Whether http is accepted on this machine.
    let allowsLoopback: Bool
    /// Endpoints that discovery lacks, by name.
    let endpoints: [String: String]
    let authentication: ClientAuthentication?
    /// The fields of an OAuth 2 profile: `subject` and `name`.
    let claims: [String: String]
    /// Whether requests carry `appsecret_proof`, and a new login is asked for as Facebook does.
    let isFacebook: Bool

    /// Reads one provider.
    ///
    /// - Throws: the problem with it.
    init(_ fields: SettingFields, folder: URL) throws(SignInConfiguration.Problem) {
        try fields.requireKnown(Self.known)
        self.id = try fields.required("id")
        guard (1...32).contains(self.id.utf8.count),
            self.id.utf8.allSatisfy({
                $0 == UInt8(ascii: "-") || (0x30...0x39).contains($0) || (0x61...0x7a).contains($0)
            })
        else { throw fields.problem("id", "must be 1 to 32 of a-z 0-9 -") }
        let preset = try fields.text("preset")
        guard preset == nil || preset == "facebook" else { throw fields.problem("preset", "must be facebook") }
        self.isFacebook = try fields.flag("secret_proof", default: preset == "facebook")
        self.name = try fields.text("name") ?? (preset == "facebook" ? "Facebook" : self.id)
        let profile = try fields.text("profile") ?? (preset == nil ? "openid" : "oauth2")
        switch profile {
        case "openid": self.profile = .openID
        case "oauth2": self.profile = .oauth2
        default: throw fields.problem("profile", "must be openid or oauth2")
        }
        self.allowsLoopback = try fields.flag("insecure_loopback", default: false)
        if preset == "facebook", try fields.text("issuer") == nil {
            self.issuer = "https://www.facebook.com"
        } else {
            self.issuer = try fields.required("issuer")
        }
        guard Self.isUsable(self.issuer, allowsLoopback: self.allowsLoopback),
            (try? OperatorURL(configured: self.issuer)) != nil
        else { throw fields.problem("issuer", "must be an https URL without query and fragment") }
        self.client = try fields.required("client_id")
        self.secret = try Self.secret(fields, folder: folder)
        self.scopes =
            try fields.texts("scopes") ?? (self.profile == .openID ? ["openid", "profile"] : ["public_profile"])
        guard self.profile == .oauth2 || self.scopes.contains("openid") else {
            throw fields.problem("scopes", "must contain openid")
        }
        var algorithms: Set<SignatureAlgorithm> = []
        for name in try fields.texts("algs") ?? SignatureAlgorithm.allCases.map(\.rawValue) {
            guard let algorithm = SignatureAlgorithm(rawValue: name) else {
                let names = SignatureAlgorithm.allCases.map(\.rawValue).joined(separator: ", ")
                throw fields.problem("algs", "may contain \(names), and not '\(name)'")
            }
            algorithms.insert(algorithm)
        }
        self.algorithms = algorithms
        self.audiences = Set(try fields.texts("audiences") ?? [])
        self.makesAccounts = try fields.flag("signup", default: true)
        self.required = try fields.object("require") ?? [:]
        self.logout = try Self.choice(fields, "logout") ?? .both
        self.authentication = try Self.choice(fields, "token_auth")
        guard self.secret != nil || self.authentication == ClientAuthentication.none else {
            throw fields.problem("client_secret_file", "or client_secret is required, or \"token_auth\": \"none\"")
        }
        var endpoints = preset == "facebook" ? Self.facebook : [:]
        for (name, value) in try fields.object("endpoints") ?? [:] {
            guard Self.knownEndpoints.contains(name) else {
                let names = Self.knownEndpoints.sorted().joined(separator: ", ")
                throw fields.problem("endpoints.\(name)", "is not an endpoint; those are \(names)")
            }
            guard let url = value.text, Self.isUsable(url, allowsLoopback: self.allowsLoopback) else {
                throw fields.problem("endpoints.\(name)", "must be an https URL")
            }
            endpoints[name] = url
        }
        if self.profile == .oauth2,
            let missing = ["authorization", "token", "userinfo"].first(where: { endpoints[$0] == nil })
        {
            throw fields.problem("endpoints.\(missing)", "is required with profile oauth2")
        }
        self.endpoints = endpoints
        let names = try fields.object("claims") ?? [:]
        self.claims = ["subject": "id", "name": "name"].merging(names.compactMapValues(\.text)) { $1 }
    }

    /// Whether a URL may be used: https, or http on this machine if the operator admits that.
    static func isUsable(_ url: String, allowsLoopback: Bool) -> Bool {
        guard url.utf8.count <= 2000, url.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "\\") }),
            !url.contains("#")
        else { return false }
        if url.hasPrefix("https://") { return url.count > 8 }
        guard allowsLoopback, url.hasPrefix("http://") else { return false }
        let host = url.dropFirst(7).prefix { $0 != "/" && $0 != "?" }
        return ["127.0.0.1", "localhost", "[::1]"].contains { host == $0 || host.hasPrefix("\($0):") }
    }

    private static func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ fields: SettingFields,
        _ name: String
    ) throws(SignInConfiguration.Problem) -> Choice? {
        guard let text = try fields.text(name) else { return nil }
        guard let choice = Choice(rawValue: text) else {
            throw fields.problem(name, "must be one of \(Choice.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return choice
    }

    private static func secret(
        _ fields: SettingFields,
        folder: URL
    ) throws(SignInConfiguration.Problem) -> String? {
        guard let file = try fields.text("client_secret_file") else { return try fields.text("client_secret") }
        let path = URL(filePath: file, relativeTo: folder).path
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw fields.problem("client_secret_file", "cannot be read: '\(path)'")
        }
        let secret = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !secret.isEmpty else { throw fields.problem("client_secret_file", "is empty: '\(path)'") }
        return secret
    }
}

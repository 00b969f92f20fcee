import Cryptography
import Foundation
import MusterTestSupport
import Testing

@testable import MusterClient
@testable import MusterWire

@Suite("Sign-in by other providers, end to end", .blocking)
struct SignInTests {
    /// Runs `body` with a server and one provider that behaves well.
    private func open(_ body: (ServerFixture, WickedProvider) async throws -> Void) async throws {
        let provider = try WickedProvider(try StandIn("provider.py"))
        provider.claims["sid"] = "session 1"
        try provider.publish()
        try await self.open([provider]) { try await body($0, provider) }
    }

    private func open(_ providers: [WickedProvider], _ body: (ServerFixture) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "muster-sign-in-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await ServerFixture.open(try WickedProvider.options(providers, in: folder)) { fixture in
            #expect(try eventually(within: 60_000) { try fixture.unreadiness() == nil })
            try await body(fixture)
        }
    }

    private func account(_ reply: HTTPReply) throws -> Account {
        guard let id = reply.json?["user"]["id"].string, let token = reply.json?["token"].string else {
            throw TestFailure("the sign-in was answered \(reply.status) \(reply.text)")
        }
        return Account(id: id, username: "", password: "", name: reply.json?["user"]["name"].string ?? "", token: token)
    }

    private func announceLogout(_ fixture: ServerFixture, _ provider: WickedProvider, _ token: String) throws -> Int {
        let answer = try BlockingHTTP(port: fixture.server.port).request(
            "POST",
            "/v1/auth/\(provider.id)/backchannel-logout",
            headers: [(name: "Content-Type", value: "application/x-www-form-urlencoded")],
            body: Array("logout_token=\(token)".utf8)
        )
        return answer.status
    }

    private static func logoutClaims(_ provider: WickedProvider) -> [String: any Sendable] {
        let now = Int(Date.now.timeIntervalSince1970)
        return [
            "iss": provider.issuer, "aud": "muster", "iat": now, "exp": now + 120, "jti": UUID().uuidString,
            "sub": "ada", "sid": "session 1",
            "events": ["http://schemas.openid.net/event/backchannel-logout": [String: String]()],
        ]
    }

    // MARK: - What works

    @Test("the first sign-in makes the account, the second finds it, and a logout leads to the provider and revokes")
    func story() async throws {
        try await self.open { fixture, provider in
            let first = try WickedSignIn.run(fixture, provider)
            #expect(first.status == 201, "\(first.text)")
            let ada = try self.account(first)
            #expect(ada.name == "Ada Lovelace")
            let second = try WickedSignIn.run(fixture, provider)
            #expect(second.status == 200, "\(second.text)")
            #expect(try self.account(second).id == ada.id)
            #expect(try fixture.count(of: "muster.account WHERE username = 'ada'") == 1)

            let socket = try fixture.enter(ada)
            let logout = try fixture.http("DELETE", "/v1/sessions/current", token: ada.token)
            #expect(logout.status == 200, "\(logout.text)")
            let url = try #require(logout.json?["logoutUrl"].string)
            #expect(url.hasPrefix("\(provider.issuer)/end?id_token_hint="))
            #expect(url.contains("post_logout_redirect_uri=https%3A%2F%2Fmuster.example%2F"))
            #expect(try socket.expectClose() == 4401)
            #expect(try fixture.http("GET", "/v1/me/identities", token: ada.token).status == 401)
            #expect(
                try eventually(within: 30_000) {
                    try provider.requests("/revoke").contains { $0.contains("token=refresh") }
                }
            )
        }
    }

    @Test("an account links a provider and unlinks it, and nobody is left without a way in, also by two at once")
    func link() async throws {
        let standIn = try StandIn("provider.py")
        let (provider, other) = (try WickedProvider(standIn), try WickedProvider(standIn, id: "other"))
        try provider.publish()
        try other.publish()
        try await self.open([provider, other]) { fixture in
            let bo = try fixture.signUp("Bo")
            let linked = try WickedSignIn.run(fixture, provider, purpose: "link", token: bo.token)
            #expect(linked.status == 200, "\(linked.text)")
            let id = try #require(linked.json?["identities"][0]["id"].string)
            #expect(try self.account(try WickedSignIn.run(fixture, provider)).id == bo.id)
            let cy = try fixture.signUp("Cy")
            #expect(try WickedSignIn.run(fixture, provider, purpose: "link", token: cy.token).status == 409)
            #expect(try fixture.http("DELETE", "/v1/me/identities/\(id)", token: cy.token).status == 404)
            #expect(try fixture.http("DELETE", "/v1/me/identities/\(id)", token: bo.token).status == 204)

            let dee = try self.account(try WickedSignIn.run(fixture, provider))
            #expect(dee.id != bo.id)
            let only = try fixture.http("GET", "/v1/me/identities", token: dee.token)
            let last = try #require(only.json?["identities"][0]["id"].string)
            #expect(try fixture.http("DELETE", "/v1/me/identities/\(last)", token: dee.token).status == 409)

            // Two ways in, and both are removed at once.
            let both = try WickedSignIn.run(fixture, other, purpose: "link", token: dee.token)
            let ids = both.json?["identities"].elements.compactMap { $0["id"].string } ?? []
            #expect(ids.count == 2, "\(both.text)")
            let (port, token) = (fixture.server.port, dee.token)
            let statuses = try await Self.atOnce(ids) { id in
                try HTTPReply.request("DELETE", "/v1/me/identities/\(id)", token: token, port: port, transcript: nil)
                    .status
            }
            #expect(statuses.filter { $0 == 204 }.count == 1, "\(statuses)")
            #expect(try fixture.count(of: "muster.identity WHERE user_id = $1", [.id(dee.id)]) == 1)
        }
    }

    @Test("two first sign-ins at once make one account")
    func atOnce() async throws {
        try await self.open { fixture, provider in
            var bodies: [String] = []
            for _ in 0..<2 {
                let signIn = try #require(try WickedSignIn.start(fixture, provider).signIn)
                let body: JSON = ["ticket": .string(try signIn.ticket(fixture)), "flow": .string(signIn.flow)]
                bodies.append(body.text)
            }
            let port = fixture.server.port
            let statuses = try await Self.atOnce(bodies) { body in
                try HTTPReply.request("POST", "/v1/auth/exchange", body: body, port: port, transcript: nil).status
            }
            #expect(statuses.sorted() == [200, 201])
            #expect(try fixture.count(of: "muster.account") == 1)
        }
    }

    /// Sends requests at once, each on a thread of its own.
    private static func atOnce(
        _ inputs: [String],
        _ send: @escaping @Sendable (String) throws -> Int
    ) async throws -> [Int] {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for input in inputs { group.addTask { try await onWorkerThread { try send(input) } } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test("a logout that the provider announces closes the sockets of its session within a second, and of no other")
    func backChannel() async throws {
        try await self.open { fixture, provider in
            let ended = try fixture.enter(try self.account(try WickedSignIn.run(fixture, provider)))
            provider.claims["sid"] = "session 2"
            let kept = try fixture.enter(try self.account(try WickedSignIn.run(fixture, provider)), device: "tablet")
            let token = WickedProvider.rsa.token("RS256", claims: Self.logoutClaims(provider))
            #expect(try self.announceLogout(fixture, provider, token) == 200)
            #expect(try ended.expectClose(within: 1_000) == 4401)
            try kept.catchUp()
            #expect(try self.announceLogout(fixture, provider, token) == 400, "the same token again")
        }
    }

    @Test("a logout that overtakes the exchange of its own sign-in refuses it")
    func overtaken() async throws {
        try await self.open { fixture, provider in
            let signIn = try #require(try WickedSignIn.start(fixture, provider).signIn)
            let ticket = try signIn.ticket(fixture)
            let token = WickedProvider.rsa.token("RS256", claims: Self.logoutClaims(provider))
            #expect(try self.announceLogout(fixture, provider, token) == 200)
            #expect(try signIn.exchange(fixture, ticket: ticket).status == 401)
            #expect(try fixture.count(of: "muster.account") == 0)
        }
    }

    // OpenID Foundation: oidcc-client-test-signing-key-rotation-just-before-signing.
    @Test("keys that changed right before a token was signed are fetched, and unknown ones once a minute at most")
    func rotation() async throws {
        try await self.open { fixture, provider in
            #expect(try WickedSignIn.run(fixture, provider).status == 201)
            let fetched = try provider.count(of: "/keys")
            let new = SigningKey(.p256, id: "new")
            provider.keys = [new.publicKey]
            provider.sign = { new.token("ES256", claims: $0) }
            try provider.publish()
            #expect(try WickedSignIn.run(fixture, provider).status == 200)
            #expect(try provider.count(of: "/keys") == fetched + 1)
            for number in 0..<20 {
                provider.sign = { new.token("ES256", claims: $0, header: ["kid": "unknown \(number)"]) }
                #expect(try WickedSignIn.run(fixture, provider).status == 401)
            }
            #expect(try provider.count(of: "/keys") == fetched + 1)
        }
    }

    // MARK: - What is refused

    /// A change of a good sign-in, and its answer.
    private struct Row: Sendable {
        /// What is tried, with the name of the same case in the OpenID Foundation's plans for relying parties.
        let name: String
        let status: Int
        /// The reason in the log.
        let reason: String
        let change: @Sendable (WickedProvider) -> Void

        init(_ name: String, _ status: Int, _ reason: String, _ change: @escaping @Sendable (WickedProvider) -> Void) {
            self.name = name
            self.status = status
            self.reason = reason
            self.change = change
        }

        /// A change of one claim; nil removes it.
        static func claim(_ name: String, _ claim: String, _ value: (any Sendable)?, _ reason: String) -> Row {
            Row(name, 401, "id_token_\(reason)") { $0.claims.updateValue(value, forKey: claim) }
        }

        /// A token that is made in another way.
        static func token(
            _ name: String,
            _ reason: String,
            _ sign: @escaping @Sendable ([String: any Sendable]) -> String
        ) -> Row {
            Row(name, 401, "token_\(reason)") { $0.sign = sign }
        }
    }

    private static func unsigned(_ algorithm: String, _ claims: [String: any Sendable]) -> String {
        "\(base64URL(json(["alg": algorithm, "kid": "rsa"]))).\(base64URL(json(claims)))"
    }

    private static let tokenRows: [Row] = {
        let (rsa, now) = (WickedProvider.rsa, Int(Date.now.timeIntervalSince1970))
        let stranger = SigningKey(.rsa(bits: 2048), id: "rsa")
        let second = SigningKey(.rsa(bits: 2048), id: "second")
        return [
            .token("none: oidcc-client-test-idtoken-sig-none", "algorithm") { "\(unsigned("none", $0))." },
            .token("HS256 by the public key", "algorithm") {
                let text = unsigned("HS256", $0)
                let code = SHA256.authenticationCode(of: Array(text.utf8), key: json(rsa.publicKey))
                return "\(text).\(base64URL(code))"
            },
            .token("other key: oidcc-client-test-invalid-sig-rs256", "signature") {
                stranger.token("RS256", claims: $0)
            },
            .token("key type that does not fit the algorithm", "key_type") {
                rsa.token("RS256", claims: $0, header: ["alg": "ES256"])
            },
            .token("JWE", "not_signed") { _ in "\(base64URL(json(["alg": "RSA-OAEP", "enc": "A128GCM"]))).AA.AA.AA.AA"
            },
            .token("crit", "crit") { rsa.token("RS256", claims: $0, header: ["crit": ["exp"]]) },
            Row("no kid and two keys: oidcc-client-test-kid-absent-multiple-jwks", 401, "token_key_ambiguous") {
                $0.keys.append(second.publicKey)
                $0.sign = { rsa.token("RS256", claims: $0, header: ["kid": nil]) }
            },
            Row("no kid and one key: oidcc-client-test-kid-absent-single-jwks", 201, "") {
                $0.sign = { rsa.token("RS256", claims: $0, header: ["kid": nil]) }
            },
            Row("iss with a slash more: oidcc-client-test-invalid-iss", 401, "id_token_issuer") {
                $0.claims["iss"] = "\($0.issuer)/"
            },
            .claim("aud of another: oidcc-client-test-invalid-aud", "aud", "another", "audience"),
            .claim("aud of two", "aud", ["muster", "another"], "audience"),
            .claim("aud of two that are admitted, without azp", "aud", ["muster", "admitted"], "authorized_party"),
            .claim("azp of another", "azp", "another", "authorized_party"),
            .claim("exp 121 s ago", "exp", now - 121, "expired"),
            .claim("exp missing", "exp", nil, "expired"),
            // The clock goes on while the rows before it run.
            .claim("iat ahead by more than 120 s", "iat", now + 600, "issued_at"),
            .claim("iat missing: oidcc-client-test-missing-iat", "iat", nil, "issued_at"),
            .claim("sub missing: oidcc-client-test-missing-sub", "sub", nil, "subject"),
            .claim("sub of 256", "sub", String(repeating: "a", count: 256), "subject"),
            Row("sub of 255", 201, "") { $0.claims["sub"] = String(repeating: "a", count: 255) },
            .claim("nonce of another: oidcc-client-test-nonce-invalid", "nonce", "another", "nonce"),
            .claim("nonce missing", "nonce", nil, "nonce"),
            .claim("at_hash of another", "at_hash", "another", "access_token_hash"),
        ]
    }()

    private static let providerRows: [Row] = [
        Row("issuer of another: oidcc-client-test-discovery-issuer-mismatch", 503, "discovery_issuer") {
            $0.discovery["issuer"] = "\($0.issuer)/"
        },
        Row("http to another host", 503, "endpoint_token") {
            $0.discovery["token_endpoint"] = "http://id.example/token"
        },
        Row("redirect of the discovery", 503, "discovery_") {
            $0.manners["/.well-known/openid-configuration"] = [
                "status": 302, "headers": ["Location": "\($0.issuer)/elsewhere"],
            ]
        },
        Row("10 MiB of keys", 503, "keys_") { $0.manners["/keys"] = ["mode": "huge"] },
        Row("oct", 503, "keys_unusable") { $0.keys = [["kty": "oct", "k": "c2VjcmV0", "kid": "rsa"]] },
        Row("RSA 1,024", 503, "keys_unusable") {
            let weak = SigningKey(.rsa(bits: 1024), id: "rsa")
            $0.keys = [weak.publicKey]
            $0.sign = { weak.token("RS256", claims: $0) }
        },
        Row("response iss of another", 401, "response_issuer") { $0.responseIssuer = "https://id.example" },
        Row("response iss missing, although announced", 401, "response_issuer") {
            $0.discovery["authorization_response_iss_parameter_supported"] = true
        },
        Row("UserInfo of another: oidcc-client-test-userinfo-invalid-sub", 401, "userinfo_subject") {
            $0.claims.updateValue(nil, forKey: "name")
            $0.userInfo = ["sub": "bo", "name": "Bo"]
        },
        Row("UserInfo of the same", 201, "") {
            $0.claims.updateValue(nil, forKey: "name")
            $0.userInfo = ["sub": "ada", "name": "Ada"]
        },
        Row("the token endpoint hangs", 503, "request_") { $0.manners["/token"] = ["mode": "hang"] },
        Row("the code is replayed", 401, "code") {
            $0.manners["/token"] = ["status": 400, "body": #"{"error":"invalid_grant"}"#]
        },
    ]

    @Test("no wicked token or provider makes an account; the client learns little, and the log the reason")
    func refused() async throws {
        let standIn = try StandIn("provider.py")
        let rows = Self.tokenRows + Self.providerRows
        let providers = try rows.enumerated().map { index, row in
            // Lines of the log that differ by a number only count as repeated.
            let letters = "abcdefghijklmnopqrstuvwxyz".map { String($0) }
            let provider = try WickedProvider(standIn, id: "case-\(letters[index / 26])\(letters[index % 26])")
            row.change(provider)
            try provider.publish()
            return provider
        }
        try await self.open(providers) { fixture in
            for (row, provider) in zip(rows, providers) {
                let accounts = try fixture.count(of: "muster.account")
                let reply = try WickedSignIn.run(fixture, provider)
                #expect(reply.status == row.status, "\(row.name): \(reply.text)")
                let new = try fixture.count(of: "muster.account") - accounts
                #expect(new == (row.status == 201 ? 1 : 0), "\(row.name)")
                guard row.status != 201 else { continue }
                #expect(reply.code == (row.status == 401 ? "unauthorized" : "unavailable"), "\(row.name)")
                let isLogged = eventually(within: 10_000) {
                    fixture.server.logLines.contains { $0.contains(provider.id) && $0.contains(row.reason) }
                }
                #expect(isLogged, "\(row.name): the log lacks \(row.reason)")
            }
        }
    }

    @Test("a state and a ticket lead on once, in time, at their provider and in their tab")
    func secrets() async throws {
        let standIn = try StandIn("provider.py")
        let (provider, other) = (try WickedProvider(standIn), try WickedProvider(standIn, id: "other"))
        try provider.publish()
        try other.publish()
        try await self.open([provider, other]) { fixture in
            func start() throws -> WickedSignIn {
                try #require(try WickedSignIn.start(fixture, provider, returnTo: "/").signIn)
            }
            let gone = "/#auth_error=gone"
            #expect(try start().comeBack(fixture, code: "c", state: "") == gone, "missing")
            #expect(try start().comeBack(fixture, code: "c", state: "unknown") == gone, "unknown")
            let used = try start()
            _ = try used.ticket(fixture)
            #expect(try used.comeBack(fixture, code: "c") == gone, "used")
            let late = try start()
            try fixture.query("UPDATE muster.login_flow SET expires_at = now()")
            #expect(try late.comeBack(fixture, code: "c") == gone, "late")
            let elsewhere = WickedSignIn(provider: other, flow: "", request: try start().request)
            #expect(try elsewhere.comeBack(fixture, code: "c") == gone, "other provider's")

            let (mine, others) = (try start(), try start())
            let ticket = try mine.ticket(fixture)
            #expect(try mine.exchange(fixture, ticket: ticket, flow: others.flow).status == 401, "another tab's flow")
            #expect(try mine.exchange(fixture, ticket: ticket).status == 410, "twice")
            #expect(try mine.exchange(fixture, ticket: "unknown").status == 410, "unknown")
            let slow = try start()
            let old = try slow.ticket(fixture)
            try fixture.query("UPDATE muster.login_flow SET expires_at = expires_at - interval '61 seconds'")
            #expect(try slow.exchange(fixture, ticket: old).status == 410, "61 s")
            let none = try start()
            let body: JSON = ["ticket": .string(try none.ticket(fixture))]
            #expect(try fixture.http("POST", "/v1/auth/exchange", body: body).status == 400, "no flow")
            // A code of another session was signed for the nonce of that session.
            let (victim, thief) = (try start(), try start())
            try provider.grant("stolen", nonce: victim.request["nonce"] ?? "")
            let location = try thief.comeBack(fixture, code: "stolen")
            let injected = try thief.exchange(fixture, ticket: String(location.dropFirst("/#ticket=".count)))
            #expect(injected.status == 401, "a code of another session")
            #expect(try fixture.count(of: "muster.account") == 0)
        }
    }

    @Test("a sign-in leads back to this server only, under its public address")
    func wayBack() async throws {
        try await self.open { fixture, provider in
            let elsewhere = [
                "//evil", "/\\evil", "/a//evil", "https://evil.example", "https:", "/\r\nSet-Cookie: a=b", "evil", "",
                "/a#b",
            ]
            for path in elsewhere {
                let reply = try WickedSignIn.start(fixture, provider, returnTo: path).reply
                #expect(reply.status == 400, "\(path): \(reply.text)")
            }
            // The name in the request is the loopback address.
            let signIn = try #require(try WickedSignIn.start(fixture, provider, returnTo: "/g/7?a=b").signIn)
            #expect(signIn.request["redirect_uri"] == "https://muster.example/v1/auth/wicked/callback")
            #expect(signIn.request["code_challenge_method"] == "S256")
            #expect(try signIn.comeBack(fixture, code: "c").hasPrefix("/g/7?a=b#ticket="))
        }
    }

    @Test("accounts are changed by their own recent login only, and an e-mail address joins none")
    func accounts() async throws {
        try await self.open { fixture, provider in
            provider.claims["email"] = "ada@example.org"
            let ada = try self.account(try WickedSignIn.run(fixture, provider))
            let bo = try fixture.signUp("Bo")
            provider.claims["sub"] = "another"
            let same = try self.account(try WickedSignIn.run(fixture, provider))
            #expect(same.id != ada.id, "the same e-mail address")

            let link = try #require(
                try WickedSignIn.start(fixture, provider, purpose: "link", token: bo.token).signIn
            )
            let ticket = try link.ticket(fixture)
            #expect(try link.exchange(fixture, ticket: ticket, token: ada.token).status == 401, "another's Bearer")
            try fixture.query("UPDATE muster.session_token SET authenticated_at = now() - interval '11 minutes'")
            let old = try WickedSignIn.start(fixture, provider, purpose: "link", token: bo.token).reply
            #expect(old.status == 401 && old.json?["reauth"].bool == true, "an old login: \(old.text)")
            let none: JSON = ["username": "ada", "password": "correct horse battery"]
            #expect(try fixture.http("POST", "/v1/sessions", body: none).status == 401, "a password for who has none")
        }
    }

    @Test("a logout token that is not one closes nothing")
    func wickedLogouts() async throws {
        try await self.open { fixture, provider in
            let socket = try fixture.enter(try self.account(try WickedSignIn.run(fixture, provider)))
            let now = Int(Date.now.timeIntervalSince1970)
            let idToken = provider.claims(nonce: "n")
            let event = "http://schemas.openid.net/event/backchannel-logout"
            let rows: [(name: String, changes: [String: (any Sendable)?])] = [
                ("no event: oidcc-client-test-rp-backchannel-rpinitlogout-no-event", ["events": nil]),
                (
                    "another event: oidcc-client-test-rp-backchannel-rpinitlogout-wrong-event",
                    ["events": ["another": [String: String]()]]
                ),
                ("an event that is no object", ["events": [event: true]]),
                ("a nonce: oidcc-client-test-rp-backchannel-rpinitlogout-with-nonce", ["nonce": "n"]),
                ("aud of another: oidcc-client-test-rp-backchannel-rpinitlogout-wrong-aud", ["aud": "another"]),
                (
                    "iss of another: oidcc-client-test-rp-backchannel-rpinitlogout-wrong-iss",
                    ["iss": "https://id.example"]
                ),
                ("old", ["iat": now - 600]),
                ("expired", ["exp": now - 600]),
                ("no jti", ["jti": nil]),
                ("neither sub nor sid", ["sub": nil, "sid": nil]),
            ]
            for row in rows {
                var claims = Self.logoutClaims(provider)
                for (name, value) in row.changes { claims[name] = value }
                let token = WickedProvider.rsa.token("RS256", claims: claims)
                #expect(try self.announceLogout(fixture, provider, token) == 400, "\(row.name)")
            }
            let tokens: [(name: String, text: String)] = [
                ("ID token", WickedProvider.rsa.token("RS256", claims: idToken)),
                (
                    "none: oidcc-client-test-rp-backchannel-rpinitlogout-alg-none",
                    "\(Self.unsigned("none", Self.logoutClaims(provider)))."
                ),
                (
                    "other key",
                    SigningKey(.rsa(bits: 2048), id: "rsa").token("RS256", claims: Self.logoutClaims(provider))
                ),
                (
                    "another type",
                    WickedProvider.rsa.token("RS256", claims: Self.logoutClaims(provider), header: ["typ": "at+jwt"])
                ),
                ("nothing", ""),
            ]
            for token in tokens {
                #expect(try self.announceLogout(fixture, provider, token.text) == 400, "\(token.name)")
            }
            try socket.catchUp()
        }
    }
}

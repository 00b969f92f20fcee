import Foundation
import Testing

@testable import MusterCore

/// A change of good claims, and the problem that it causes; nil when it is harmless.
private struct ClaimCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let problem: TokenProblem?
    let changes: [String: ClaimValue?]
    var hash: String? = "hash"
    var audiences: Set<String> = []
    var isFresh = false

    init(
        _ name: String,
        _ problem: TokenProblem?,
        _ changes: [String: ClaimValue?],
        hash: String? = "hash",
        audiences: Set<String> = [],
        isFresh: Bool = false
    ) {
        self.testDescription = name
        self.problem = problem
        self.changes = changes
        self.hash = hash
        self.audiences = audiences
        self.isFresh = isFresh
    }

    func claims(_ good: [String: ClaimValue]) -> TokenClaims {
        var values = good
        for (name, value) in self.changes { values[name] = value }
        return TokenClaims(values)
    }
}

@Suite("The claims of tokens")
struct TokenRuleTests {
    private static let seconds = 1_800_000_000.0
    private static let now = Timestamp(milliseconds: 1_800_000_000_000)
    private static let issuer = "https://id.example"
    private static let nobody: ClaimValue? = nil

    private static func at(_ offset: Double) -> ClaimValue { .number(self.seconds + offset) }

    private static let idToken: [String: ClaimValue] = [
        "iss": .text(issuer), "aud": .text("muster"), "sub": .text("ada"), "exp": at(300), "iat": at(-1),
        "nonce": .text("n"),
    ]

    private static let idTokenCases: [ClaimCase] = [
        ClaimCase("as it is", nil, [:]),
        ClaimCase("iss + /", .issuer, ["iss": .text(issuer + "/")]),
        ClaimCase("iss of another", .issuer, ["iss": .text("https://id.example.org")]),
        ClaimCase("iss missing", .issuer, ["iss": nobody]),
        ClaimCase("aud another", .audience, ["aud": .text("other")]),
        ClaimCase("aud missing", .audience, ["aud": nobody]),
        ClaimCase("aud empty", .audience, ["aud": .list([])]),
        ClaimCase("aud in a list", nil, ["aud": .list([.text("muster")])]),
        ClaimCase("aud two", .audience, ["aud": .list([.text("muster"), .text("other")]), "azp": .text("muster")]),
        ClaimCase(
            "aud two, admitted, without azp",
            .authorizedParty,
            ["aud": .list([.text("muster"), .text("other")])],
            audiences: ["other"]
        ),
        ClaimCase(
            "aud two, admitted, with azp",
            nil,
            ["aud": .list([.text("muster"), .text("other")]), "azp": .text("muster")],
            audiences: ["other"]
        ),
        ClaimCase("aud of numbers", .audience, ["aud": .list([.text("muster"), .number(1)])]),
        ClaimCase("azp another", .authorizedParty, ["azp": .text("other")]),
        ClaimCase("azp no text", .authorizedParty, ["azp": .number(1)]),
        ClaimCase("azp us", nil, ["azp": .text("muster")]),
        ClaimCase("exp -121 s", .expired, ["exp": at(-121)]),
        ClaimCase("exp -120 s", .expired, ["exp": at(-120)]),
        ClaimCase("exp -119 s", nil, ["exp": at(-119)]),
        ClaimCase("exp missing", .expired, ["exp": nobody]),
        ClaimCase("exp a text", .expired, ["exp": .text("1900000000")]),
        ClaimCase("exp infinite", .expired, ["exp": .number(.infinity)]),
        ClaimCase("iat +121 s", .issuedAt, ["iat": at(121)]),
        ClaimCase("iat +119 s", nil, ["iat": at(119)]),
        ClaimCase("iat missing", .issuedAt, ["iat": nobody]),
        ClaimCase("iat 10 min ago", nil, ["iat": at(-600)]),
        ClaimCase("iat 13 min ago", .issuedAt, ["iat": at(-780)]),
        ClaimCase("nbf +121 s", .notBefore, ["nbf": at(121)]),
        ClaimCase("nbf now", nil, ["nbf": at(0)]),
        ClaimCase("nbf a text", .notBefore, ["nbf": .text("now")]),
        ClaimCase("sub missing", .subject, ["sub": nobody]),
        ClaimCase("sub empty", .subject, ["sub": .text("")]),
        ClaimCase("sub 255", nil, ["sub": .text(String(repeating: "s", count: 255))]),
        ClaimCase("sub 256", .subject, ["sub": .text(String(repeating: "s", count: 256))]),
        ClaimCase("sub a number", .subject, ["sub": .number(7)]),
        ClaimCase("nonce another", .nonce, ["nonce": .text("m")]),
        ClaimCase("nonce missing", .nonce, ["nonce": nobody]),
        ClaimCase("at_hash right", nil, ["at_hash": .text("hash")]),
        ClaimCase("at_hash another", .accessTokenHash, ["at_hash": .text("other")]),
        ClaimCase("at_hash without an access token", .accessTokenHash, ["at_hash": .text("hash")], hash: nil),
        ClaimCase("auth_time old, not asked", nil, ["auth_time": at(-86_400)]),
        ClaimCase("auth_time old, asked for a new login", .authenticationTime, ["auth_time": at(-121)], isFresh: true),
        ClaimCase("auth_time new", nil, ["auth_time": at(-119)], isFresh: true),
        ClaimCase("auth_time missing, asked for a new login", nil, [:], isFresh: true),
    ]

    @Test("an ID token is checked claim by claim", arguments: idTokenCases)
    private func idToken(_ row: ClaimCase) {
        let rule = IDTokenRule(
            issuer: Self.issuer,
            client: "muster",
            audiences: row.audiences,
            nonce: "n",
            accessTokenHash: row.hash,
            freshSince: row.isFresh ? Self.now : nil
        )
        do throws(TokenProblem) {
            let subject = try rule.check(row.claims(Self.idToken), now: Self.now)
            #expect(row.problem == nil)
            #expect(!subject.isEmpty)
        } catch {
            #expect(error == row.problem)
        }
    }

    private static let logoutToken: [String: ClaimValue] = [
        "iss": .text(issuer), "aud": .text("muster"), "sub": .text("ada"), "sid": .text("s1"), "iat": at(-1),
        "exp": at(120), "jti": .text("j1"), "events": .object([LogoutTokenRule.event: .object([:])]),
    ]

    private static let logoutCases: [ClaimCase] = [
        ClaimCase("as it is", nil, [:]),
        ClaimCase("sub only", nil, ["sid": nobody]),
        ClaimCase("sid only", nil, ["sub": nobody]),
        ClaimCase("neither", .target, ["sid": nobody, "sub": nobody]),
        ClaimCase("sid a number", .target, ["sid": .number(1)]),
        ClaimCase("sub 256", .subject, ["sub": .text(String(repeating: "s", count: 256))]),
        ClaimCase("no event", .event, ["events": nobody]),
        ClaimCase("another event", .event, ["events": .object(["http://other": .object([:])])]),
        ClaimCase("event no object", .event, ["events": .object([LogoutTokenRule.event: .bool(true)])]),
        ClaimCase("events a list", .event, ["events": .list([.text(LogoutTokenRule.event)])]),
        ClaimCase("nonce", .nonce, ["nonce": .text("n")]),
        ClaimCase("aud another", .audience, ["aud": .text("other")]),
        ClaimCase("iss another", .issuer, ["iss": .text(issuer + "/")]),
        ClaimCase("old", .issuedAt, ["iat": at(-421)]),
        ClaimCase("iat ahead", .issuedAt, ["iat": at(121)]),
        ClaimCase("iat missing", .issuedAt, ["iat": nobody]),
        ClaimCase("expired", .expired, ["exp": at(-121)]),
        ClaimCase("exp missing", nil, ["exp": nobody]),
        ClaimCase("jti missing", .identifier, ["jti": nobody]),
        ClaimCase("jti empty", .identifier, ["jti": .text("")]),
        ClaimCase("an ID token", .event, ["events": nobody, "jti": nobody, "nonce": .text("n")]),
    ]

    @Test("a logout token is checked claim by claim", arguments: logoutCases)
    private func logoutToken(_ row: ClaimCase) {
        let rule = LogoutTokenRule(issuer: Self.issuer, client: "muster")
        do throws(TokenProblem) {
            let logout = try rule.check(row.claims(Self.logoutToken), type: nil, now: Self.now)
            #expect(row.problem == nil)
            #expect(logout.identifier == "j1")
        } catch {
            #expect(error == row.problem)
        }
    }

    @Test("a logout token may say what it is, and not that it is something else")
    func types() {
        let rule = LogoutTokenRule(issuer: Self.issuer, client: "muster")
        let claims = TokenClaims(Self.logoutToken)
        for type in [nil, "JWT", "jwt", "logout+jwt", "application/logout+jwt"] {
            #expect(throws: Never.self) { try rule.check(claims, type: type, now: Self.now) }
        }
        for type in ["at+jwt", "secevent+jwt", ""] {
            #expect(throws: TokenProblem.type) { try rule.check(claims, type: type, now: Self.now) }
        }
    }

    @Test("claims of any JSON are read, and a list includes its elements")
    func values() throws {
        let text = #"{"a":null,"b":true,"c":1.5,"d":"x","e":["x",2],"f":{"g":[]}}"#
        let values = try JSONDecoder().decode([String: ClaimValue].self, from: Data(text.utf8))
        #expect(
            values == [
                "a": .null, "b": .bool(true), "c": .number(1.5), "d": .text("x"), "e": .list([.text("x"), .number(2)]),
                "f": .object(["g": .list([])]),
            ]
        )
        #expect(TokenClaims(values)["a"] == nil)
        #expect(ClaimValue.list([.text("x")]).includes(.text("x")))
        #expect(!ClaimValue.text("xy").includes(.text("x")))
    }
}

@Suite("The way back of a sign-in")
struct ReturnAddressTests {
    @Test("leads to a path of this server or to an admitted address")
    func admitted() {
        for text in ["/", "/watch.html", "/?a=b&c=%2F%2F", "com.example.app:/signed-in"] {
            #expect(
                ReturnAddress(text, admitted: ["com.example.app:/signed-in"])?.with("ticket", "t") == "\(text)#ticket=t"
            )
        }
    }

    @Test(
        "leads nowhere else",
        arguments: [
            "", "//evil.example", "/\\evil.example", "\\/evil.example", "https://evil.example", "https:evil.example",
            "javascript:alert(1)", "/a//b", "/\r\nLocation: https://evil.example", "/a b", "/\t/evil.example", "/#x",
            "evil", "com.example.app:/signed-in/x", "/\u{e9}", "/" + String(repeating: "x", count: 500),
        ]
    )
    func refused(_ text: String) {
        #expect(ReturnAddress(text, admitted: ["com.example.app:/signed-in"]) == nil)
    }
}

@Suite("Usernames of accounts that a sign-in makes")
struct ProposedUsernameTests {
    @Test(
        "are folded to the form of usernames",
        arguments: [
            ("ada", "ada"), ("Ada Lovelace", "ada.lovelace"), ("jürgen", "juergen"), ("ada@example.org", "ada"),
            ("Ærø", "aero"), ("李", "member"), ("ab", "member"),
            (String(repeating: "x", count: 50), String(repeating: "x", count: 32)),
        ]
    )
    func folded(_ preferred: String, _ name: String) {
        #expect(ProposedUsername(preferred).name(attempt: 0) == name)
    }

    @Test("are numbered within their length")
    func numbered() {
        let proposal = ProposedUsername(String(repeating: "x", count: 40))
        #expect(ProposedUsername(nil).name(attempt: 1) == "member2")
        #expect(proposal.name(attempt: 1) == String(repeating: "x", count: 31) + "2")
        #expect(proposal.name(attempt: 99) == String(repeating: "x", count: 29) + "100")
    }
}

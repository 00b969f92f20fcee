import Cryptography
import Foundation
import MusterTestSupport
import Testing

@Suite("Signed tokens")
struct SignedTokenTests {
    private static let rsa = SigningKey(.rsa(bits: 2048), id: "rsa")
    private static let keys: [String: SigningKey] = [
        "R": rsa, "P": rsa, "ES256": SigningKey(.p256), "ES384": SigningKey(.p384), "ES512": SigningKey(.p521),
        "EdDSA": SigningKey(.ed25519),
    ]

    private static func key(_ algorithm: SignatureAlgorithm) throws -> SigningKey {
        try #require(self.keys[algorithm.rawValue] ?? self.keys[String(algorithm.rawValue.prefix(1))])
    }

    private static func publicKey(_ fields: [String: any Sendable]) throws -> PublicKey {
        try PublicKey(try JSONDecoder().decode(JSONWebKey.self, from: Data(json(fields))))
    }

    @Test(
        "every algorithm accepts its signature, and neither a changed one nor another message's",
        arguments: SignatureAlgorithm.allCases
    )
    func algorithms(_ algorithm: SignatureAlgorithm) throws {
        let signing = try Self.key(algorithm)
        let key = try Self.publicKey(signing.publicKey)
        // Several, because a number of a signature begins with a zero in one of 256.
        for number in 0..<(algorithm == .es256 ? 600 : 4) {
            let text = signing.token(algorithm.rawValue, claims: ["n": number])
            let token = try SignedToken(text)
            #expect(token.algorithm == algorithm)
            #expect(token.isSigned(by: key))
        }
        let text = signing.token(algorithm.rawValue, claims: ["sub": "ada"])
        let parts = text.split(separator: ".").map(String.init)
        var signature = try #require(Base64URL.decoded(parts[2]))
        signature[signature.count / 2] ^= 1
        let changed = try SignedToken("\(parts[0]).\(parts[1]).\(Base64URL.encoded(signature))")
        #expect(!changed.isSigned(by: key))
        let other = try SignedToken("\(parts[0]).\(base64URL(json(["sub": "bob"]))).\(parts[2])")
        #expect(!other.isSigned(by: key))
        let shorter = try SignedToken("\(parts[0]).\(parts[1]).\(Base64URL.encoded(signature.dropLast()))")
        #expect(!shorter.isSigned(by: key))
        // Another pair of the same kind.
        let stranger: SigningKey.Kind =
            switch algorithm.keyKind {
            case .rsa: .rsa(bits: 2048)
            case .p256: .p256
            case .p384: .p384
            case .p521: .p521
            case .ed25519: .ed25519
            }
        #expect(try !SignedToken(text).isSigned(by: Self.publicKey(SigningKey(stranger).publicKey)))
    }

    @Test("a key checks no algorithm of another type, digest or curve", arguments: SignatureAlgorithm.allCases)
    func fitting(_ algorithm: SignatureAlgorithm) throws {
        let key = try Self.publicKey(Self.key(algorithm).publicKey)
        for other in SignatureAlgorithm.allCases {
            #expect(key.fits(other) == (key.kind == other.keyKind))
        }
        var named = try Self.key(algorithm).publicKey
        named["alg"] = algorithm.rawValue
        let only = try Self.publicKey(named)
        #expect(SignatureAlgorithm.allCases.filter { only.fits($0) } == [algorithm])
    }

    @Test("RFC 8037, appendix A.4, and RFC 7515, appendix A.3, are verified")
    func published() throws {
        let ed = try Self.publicKey([
            "kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
        ])
        let edToken = try SignedToken(
            "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc."
                + "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"
        )
        #expect(edToken.isSigned(by: ed))
        let ec = try Self.publicKey([
            "kty": "EC", "crv": "P-256", "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
            "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
        ])
        let ecToken = try SignedToken(
            "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ."
                + "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
        )
        #expect(ecToken.isSigned(by: ec))
    }

    @Test("a token that is not signed by a public key is refused before any key is looked for")
    func refused() throws {
        let claims = base64URL(json(["sub": "ada"]))
        func head(_ fields: [String: any Sendable]) -> String { base64URL(json(fields)) }
        let hmac = SHA256.authenticationCode(
            of: Array("\(head(["alg": "HS256"])).\(claims)".utf8),
            key: json(Self.rsa.publicKey)
        )
        let table: [(text: String, problem: SignedToken.Problem)] = [
            ("\(head(["alg": "none"])).\(claims).", .unknownAlgorithm),
            ("\(head(["alg": "None"])).\(claims).", .unknownAlgorithm),
            ("\(head(["alg": "HS256"])).\(claims).\(base64URL(hmac))", .unknownAlgorithm),
            ("\(head(["alg": "rs256"])).\(claims).AAAA", .unknownAlgorithm),
            ("\(head(["alg": "RSA-OAEP", "enc": "A128GCM"])).AA.AA.AA.AA", .notThreeParts),
            (Self.rsa.token("RS256", claims: [:], header: ["crit": ["exp"]]), .criticalExtensions),
            (Self.rsa.token("RS256", claims: [:], header: ["crit": [String]()]), .criticalExtensions),
            (Self.rsa.token("RS256", claims: [:], header: ["kid": 7]), .malformed),
            ("\(base64URL(Array("[]".utf8))).\(claims).AAAA", .malformed),
            ("\(head(["alg": "RS256"])).\(claims).AA=", .malformed),
            ("\(head(["alg": "RS256"])).\(claims)", .notThreeParts),
            ("", .notThreeParts),
            (Self.rsa.token("RS256", claims: ["x": String(repeating: "x", count: 16_384)]), .tooLong),
        ]
        for row in table {
            #expect(throws: row.problem, "\(row.text.prefix(80))") { try SignedToken(row.text) }
        }
    }

    @Test("keys that are weak, symmetric, of another use, or off their curve are refused")
    func refusedKeys() throws {
        let point = SigningKey(.p256).publicKey
        let zeros = base64URL([UInt8](repeating: 0, count: 32))
        func changed(_ key: [String: String], _ fields: [String: String]) -> [String: any Sendable] {
            key.merging(fields) { $1 }
        }
        let table: [(key: [String: any Sendable], problem: PublicKey.Problem)] = [
            (["kty": "oct", "k": "c2VjcmV0"], .unknownKind),
            (changed(Self.rsa.publicKey, ["use": "enc"]), .wrongUse),
            (changed(Self.rsa.publicKey, ["alg": "HS256"]), .wrongUse),
            (changed(Self.rsa.publicKey, ["alg": "RSA-OAEP"]), .wrongUse),
            (SigningKey(.rsa(bits: 1024)).publicKey, .badLength),
            (changed(Self.rsa.publicKey, ["e": "AQ"]), .malformed),
            (changed(Self.rsa.publicKey, ["e": "AA"]), .malformed),
            (["kty": "RSA", "e": "AQAB"], .malformed),
            (changed(point, ["x": point["y"] ?? ""]), .malformed),
            (changed(point, ["x": zeros, "y": zeros]), .malformed),
            (changed(point, ["crv": "P-384"]), .malformed),
            (changed(point, ["crv": "secp256k1"]), .unknownKind),
            (["kty": "EC", "crv": "P-256", "x": point["x"] ?? ""], .malformed),
            (["kty": "OKP", "crv": "X25519", "x": zeros], .unknownKind),
            (["kty": "OKP", "crv": "Ed25519", "x": "AAAA"], .malformed),
        ]
        for row in table {
            #expect(throws: row.problem, "\(row.key)") { try Self.publicKey(row.key) }
        }
    }

    @Test("at_hash is the left half of the algorithm's digest")
    func halfHash() {
        // OpenID Connect Core, appendix A.3.
        #expect(
            SignatureAlgorithm.rs256.halfHash(of: "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y")
                == "77QmUPtjPfzWtF2AnpK9RQ"
        )
    }
}

import Postgres
import Testing

@testable import MusterCore
@testable import MusterServer
@testable import MusterWire

@Suite struct TypedLoginTests {
    private static let composed = "für München"
    private static let decomposed = "fu\u{308}r Mu\u{308}nchen"

    @Test(
        "a login is the same however a keyboard writes the name and the password",
        arguments: [
            ("ada", Self.composed), ("Ada", Self.composed), ("ada ", Self.composed), ("\tADA\u{A0}", Self.composed),
            ("ada", Self.decomposed), ("ada", "für\u{A0}München"), ("Ada", "fu\u{308}r\u{3000}München"),
        ]
    )
    func typed(username: String, password: String) async throws {
        try await Store.with { store in
            let first = try await store.directory.signUp(username: "ada", password: Self.decomposed, name: "Ada")
            let again = try await store.directory.logIn(username: username, password: password, address: nil)
            #expect(again.user == first.user)
        }
    }

    @Test("a password that was stored as it was typed logs in as typed, and from then on in any form")
    func migration() async throws {
        try await Store.with { store in
            _ = try await store.directory.signUp(username: "ada", password: Self.composed, name: "Ada")
            // A hash that an older server stored, of the decomposed password, computed by the same function.
            let old = try #require(PasswordCost.minimal.hash(Self.decomposed))
            try await store.pool.query("UPDATE muster.account SET password_hash = $1", [.text(old)])
            func attempt(_ password: String) async -> Refusal? {
                await failure {
                    _ = try await store.directory.logIn(username: "ada", password: password, address: nil)
                }
            }
            #expect(await attempt(Self.composed) == .unauthorized)
            #expect(await attempt(Self.decomposed) == nil)
            #expect(await attempt(Self.composed) == nil)
            #expect(await attempt(Self.decomposed) == nil)
            #expect(await attempt("fur Munchen") == .unauthorized)
        }
    }

    @Test(
        "a username that only a login may have is refused, and the message proposes the right one",
        arguments: [("Ada", "; ada would do"), (" ada", "; ada would do"), ("A d", ""), ("Ädä", "")]
    )
    func proposal(username: String, proposal: String) async throws {
        try await Store.with { store in
            do {
                _ = try await store.directory.signUp(username: username, password: "correct horse", name: "Ada")
                Issue.record("it was taken")
            } catch {
                #expect(Refusal(error) == .badRequest(field: "username"))
                #expect(FrameError(error).message == "username must be 3 to 32 of a-z 0-9 _ . -\(proposal).")
            }
        }
    }
}

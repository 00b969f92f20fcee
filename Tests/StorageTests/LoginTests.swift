import EventLoop
import MusterTestSupport
import Postgres
import Testing

@testable import MusterCore
@testable import MusterServer
@testable import MusterWire

@Suite struct LoginTests {
    @Test("the right password logs in, the wrong one and an unknown name do not")
    func logIn() async throws {
        try await Store.with { store in
            let first = try await store.directory.signUp(username: "ada", password: "correct horse", name: "Ada")
            let again = try await store.directory.logIn(username: "ada", password: "correct horse", address: "::1")
            #expect(again.user == first.user)
            #expect(again.token != first.token)
            let wrong = [("ada", "wrong horse"), ("eve", "correct horse"), ("ada\u{301}", "correct horse")]
            for (username, password) in wrong {
                let code = await failure {
                    _ = try await store.directory.logIn(username: username, password: password, address: "::1")
                }
                #expect(code == .unauthorized)
            }
        }
    }

    @Test("logging out ends this login and no other")
    func logOut() async throws {
        try await Store.with { store in
            let first = try await store.directory.signUp(username: "ada", password: "correct horse", name: "Ada")
            let second = try await store.directory.logIn(username: "ada", password: "correct horse", address: "::1")
            let login = try await store.directory.authenticate(token: first.token).login
            #expect(try await store.directory.logOut(token: first.token).changes == [.loginEnded(login)])
            for code in [
                await failure {
                    _ = try await store.directory.authenticate(token: first.token)
                },
                await failure {
                    _ = try await store.directory.logOut(token: first.token)
                },
            ] {
                #expect(code == .unauthorized)
            }
            #expect(try await store.directory.authenticate(token: second.token).user == first.user.id)
        }
    }

    @Test("a token dies after 90 days and its row goes with the next upkeep")
    func expiry() async throws {
        try await Store.with { store in
            let credentials = try await store.person()
            store.manual.advance(milliseconds: 90 * 86_400_000 - 1)
            _ = try await store.directory.authenticate(token: credentials.token)
            store.manual.advance(milliseconds: 1)
            #expect(
                await failure {
                    _ = try await store.directory.authenticate(token: credentials.token)
                } == .unauthorized
            )
            try await store.directory.maintain()
            #expect(try await store.count("muster.session_token") == 0)
        }
    }

    @Test("neither tokens nor passwords are in the database")
    func hashed() async throws {
        try await Store.with { store in
            let credentials = try await store.directory.signUp(
                username: "ada",
                password: "correct horse",
                name: "Ada"
            )
            let rows = try await store.pool.query(
                """
                SELECT encode(t.token_hash, 'base64') || ' ' || encode(t.token_hash, 'escape') || t::text AS login,
                    a::text AS account, a.password_hash
                FROM muster.session_token t JOIN muster.account a ON a.id = t.user_id
                """
            )
            let row = rows[0]
            #expect(credentials.token.utf8.count == 43)
            #expect(try !row.text("login").contains(credentials.token))
            #expect(try !row.text("account").contains("correct horse"))
            #expect(try row.text("password_hash").hasPrefix("$argon2id$"))
        }
    }

    @Test("an address from which somebody is logged in passes the ceiling that others have reached; none is stored")
    func ceiling() async throws {
        try await Store.with { store in
            let home = "192.0.2.7"
            let first = try await store.directory.signUp(
                username: "ada",
                password: "correct horse",
                name: "Ada",
                address: home
            )
            func attempt(_ password: String, from address: String) async -> Refusal? {
                await failure {
                    _ = try await store.directory.logIn(username: "ada", password: password, address: address)
                }
            }
            for index in 1...100 {
                #expect(await attempt("wrong horse", from: "10.0.0.\(index)") == .unauthorized)
            }
            #expect(await attempt("correct horse", from: "10.0.1.1") == .rateLimited(retryAfter: 1000))
            #expect(await attempt("wrong horse", from: home) == .unauthorized)
            #expect(await attempt("correct horse", from: home) == nil)
            let row = try #require(
                try await store.pool.query("SELECT t::text AS login FROM muster.session_token t LIMIT 1").first
            )
            #expect(try !row.text("login").contains(home))
            // With the last login from this address its allowance is dropped.
            _ = try await store.directory.logOut(token: first.token)
            try await store.pool.query("DELETE FROM muster.session_token")
            #expect(await attempt("correct horse", from: home) == .rateLimited(retryAfter: 1000))
        }
    }

    @Test("after five failures from one place an account has to wait there, also with the right password")
    func slowDown() async throws {
        try await Store.with { store in
            _ = try await store.directory.signUp(username: "ada", password: "correct horse", name: "Ada")
            func attempt(_ password: String, from address: String) async -> Refusal? {
                await failure {
                    _ = try await store.directory.logIn(username: "ada", password: password, address: address)
                }
            }
            for _ in 1...5 { #expect(await attempt("wrong horse", from: "10.0.0.9") == .unauthorized) }
            #expect(await attempt("correct horse", from: "10.0.0.9") == .rateLimited(retryAfter: 1000))
            #expect(await attempt("correct horse", from: "10.0.0.8") == nil)
            store.manual.advance(milliseconds: 1000)
            #expect(await attempt("wrong horse", from: "10.0.0.9") == .unauthorized)
            #expect(await attempt("correct horse", from: "10.0.0.9") == .rateLimited(retryAfter: 2000))
            store.manual.advance(milliseconds: 2000)
            #expect(await attempt("correct horse", from: "10.0.0.9") == nil)
            #expect(await attempt("wrong horse", from: "10.0.0.9") == .unauthorized)
        }
    }

    @Test("an address that tries many names has to wait")
    func slowAddress() async throws {
        try await Store.with { store in
            for index in 1...20 {
                let code = await failure {
                    _ = try await store.directory.logIn(
                        username: "nobody\(index)",
                        password: "correct horse",
                        address: "10.0.0.1"
                    )
                }
                #expect(code == .unauthorized)
            }
            let blocked = await failure {
                _ = try await store.directory.logIn(username: "ada", password: "correct horse", address: "10.0.0.1")
            }
            #expect(blocked == .rateLimited(retryAfter: 1000))
            let elsewhere = await failure {
                _ = try await store.directory.logIn(username: "ada", password: "correct horse", address: "10.0.0.2")
            }
            #expect(elsewhere == .unauthorized)
        }
    }

    /// The relation of a device to an account.
    enum Known: CaseIterable { case never, byAnother, now, idle, forgotten, tooLongAgo }

    @Test("a device that said hello within 90 days logs in while others try passwords", arguments: Known.allCases)
    func devices(_ known: Known) async throws {
        try await Store.with { store in
            let ada = try await store.directory.signUp(username: "ada", password: "correct horse", name: "Ada")
            let device = Hello.Device(key: "web-1", kind: .browser)
            switch known {
            case .never: break
            case .byAnother: _ = try await store.directory.hello(token: try await store.person().token, device: device)
            case .now, .idle, .forgotten, .tooLongAgo:
                _ = try await store.directory.hello(token: ada.token, device: device)
            }
            let days: Int64? =
                switch known {
                case .never, .byAnother, .now: nil
                case .idle: 29
                case .forgotten: 89
                case .tooLongAgo: 91
                }
            if let days {
                store.manual.advance(milliseconds: 31 * 86_400_000 * (days > 31 ? 1 : 0))
                try await store.directory.maintain()
                store.manual.advance(milliseconds: (days > 31 ? days - 31 : days) * 86_400_000)
                try await store.directory.maintain()
                #expect(try await store.count("muster.device") == (known == .idle ? 1 : 0))
                #expect(try await store.count("muster.known_device") == (known == .forgotten ? 1 : 0))
            }
            func attempt(
                _ password: String,
                from address: String,
                by device: String? = nil
            ) async -> Refusal? {
                await failure {
                    _ = try await store.directory.logIn(
                        username: "ada",
                        password: password,
                        address: address,
                        device: device
                    )
                }
            }
            for index in 1...100 { _ = await attempt("wrong horse", from: "10.0.0.\(index)") }
            for _ in 1...20 { _ = await attempt("wrong horse", from: "192.0.2.7") }
            let expected: Refusal? =
                switch known {
                case .never, .byAnother, .tooLongAgo: .rateLimited(retryAfter: 1000)
                case .now, .idle, .forgotten: nil
                }
            let refusal = await attempt("correct horse", from: "192.0.2.7", by: "web-1")
            guard expected == nil else {
                #expect(refusal != nil)
                return
            }
            #expect(refusal == nil)
            #expect(await attempt("correct horse", from: "192.0.2.8", by: "web-2") != nil)
            // Ten in five minutes from any address; then the allowance is refilled.
            for index in 1...10 {
                #expect(await attempt("wrong horse", from: "10.1.0.\(index)", by: "web-1") == .unauthorized)
                store.manual.advance(milliseconds: 1000)
            }
            #expect(await attempt("correct horse", from: "10.1.1.1", by: "web-1") == .rateLimited(retryAfter: 290_000))
            store.manual.advance(milliseconds: 290_000)
            #expect(await attempt("correct horse", from: "10.1.1.1", by: "web-1") == nil)
        }
    }

    @Test("a storm of sign-ups is turned away beyond what may wait, and the rest get in")
    func storm() async throws {
        try await Store.with { store in
            let outcomes = await withTaskGroup(of: Refusal?.self) { group in
                for index in 0..<300 {
                    group.addTask {
                        await failure {
                            _ = try await store.directory.signUp(
                                username: "storm\(index)",
                                password: "correct horse",
                                name: "Storm"
                            )
                        }
                    }
                }
                return await group.reduce(into: [Refusal?]()) { $0.append($1) }
            }
            let succeeded = outcomes.count { $0 == nil }
            let refused = outcomes.count { $0 == .unavailable }
            #expect(refused == 300 - succeeded)
            let accounts = try await store.count("muster.account")
            #expect(accounts == Int64(succeeded))
            // Half of the capacity; the other half is reserved for logins.
            #expect(succeeded >= 32)
        }
    }

    @Test(
        "while sign-ups have all their places, those who log in have their own, whether there is such an account or not"
    )
    func ownPlaces() async throws {
        try await Store.with { store in
            let ada = try await store.person("Ada")
            let account = try await store.directory.account(of: ada.user.id)
            let signUps = BlockingPool(threads: 2, limit: 8)
            let gate = WakeSignal()
            let crowd = (0..<8).map { _ in
                Task {
                    await signUps.job {
                        gate.wait()
                        gate.raise()
                    }
                }
            }
            try await waitUntil { signUps.load.running + signUps.load.waiting == 8 }
            var configuration = Directory.Configuration()
            configuration.passwordCost = .minimal
            let directory = Directory(pool: store.pool, configuration: configuration, blocking: signUps)
            let refused = await failure {
                _ = try await directory.signUp(username: "another", password: "correct horse", name: "Another")
            }
            #expect(refused == .unavailable)
            for number in 0..<12 {
                let login = try await directory.logIn(
                    username: account.username,
                    password: "correct horse",
                    address: nil
                )
                #expect(login.user.id == ada.user.id)
                let unknown = await failure {
                    _ = try await directory.logIn(username: "nobody-\(number)", password: "correct horse", address: nil)
                }
                #expect(unknown == .unauthorized)
            }
            gate.raise()
            for job in crowd { await job.value }
        }
    }
}

import EventLoop
import Foundation
import MusterTestSupport
import OutboundHTTP
import Postgres
import Testing
import WebSocketGateway

@testable import MusterCore
@testable import MusterServer
@testable import MusterWire

/// Pushes to a push service that opens them with the libraries that others use.
struct PushScene {
    /// A push as the service received and opened it.
    struct Received: Decodable {
        struct Message: Decodable {
            let kind: String
            let notification: Int64?
            let title: String
            let body: String?
            let tag: String
            let act: String?
        }
        struct Claims: Decodable {
            let sub: String
            let key: String
        }
        let problem: String?
        let headers: [String: String]?
        let message: Message?
        let claims: Claims?
        /// The body of a webhook.
        let body: String?
    }

    let standIn: StandIn
    let fixture: DirectoryFixture
    let configuration: ServerConfiguration
    let service: PushService
    let user: UserID
    let login: LoginID

    static func configuration() throws -> ServerConfiguration {
        var configuration = ServerConfiguration()
        configuration.providers.contact = "mailto:operator@muster.example"
        configuration.push.allowsWebhooks = true
        configuration.push.allowedNetworks = AddressSet([try AddressNetwork("127.0.0.0/8")])
        configuration.push.allowsNetworks = true
        return configuration
    }

    static func with(_ body: (PushScene) async throws -> Void) async throws {
        let standIn = try StandIn("push_service.py", hasPackages: true)
        try await DirectoryFixture.with { fixture in
            let credentials = try await fixture.directory.signUp(
                username: "ada",
                password: "correct horse",
                name: "Ada",
                address: nil
            )
            let login = try await fixture.directory.authenticate(token: credentials.token).login
            var configuration = try Self.configuration()
            configuration.push.apps["app"] = try OperatorURL(configured: standIn.url + "/hook/app")
            let service = try #require(
                PushService(configuration, clock: .system, logger: Logger(level: .error))
            )
            try await body(
                PushScene(
                    standIn: standIn,
                    fixture: fixture,
                    configuration: configuration,
                    service: service,
                    user: credentials.user.id,
                    login: login
                )
            )
        }
    }

    var directory: Directory { self.fixture.directory }

    private func get(_ path: String) async throws -> [UInt8] {
        let url = try OperatorURL(configured: self.standIn.url + path)
        return try await OutboundClient(userAgent: "test").send(OutboundRequest(url)).body
    }

    func answer(_ name: String, _ answers: String) async throws {
        _ = try await self.get("/answers/\(name)/\(answers)")
    }

    func received(_ name: String) async throws -> [Received] {
        try JSONDecoder().decode([Received].self, from: Data(try await self.get("/received/\(name)")))
    }

    func address(_ name: String) async throws -> PushAddress {
        try JSONFields.reading(try await self.get("/subscribe/\(name)")) { (fields) throws(FrameError) in
            try PushAddress.browser(fields, self.service.configuration.allowance)
        }
    }

    /// Registers a browser of the user.
    func subscribe(_ name: String, language: Language = .english) async throws -> PushTargetID {
        let draft = PushTargetDraft(address: try await self.address(name), place: "127.0.0.1", language: language)
        return try await self.directory.addPushTarget(draft, of: self.user, login: self.login, self.service.keys).id
    }

    /// Stores notifications of a kind that many share.
    func notify(_ count: Int = 1) async throws {
        try await self.fixture.pool.query(
            """
            SELECT muster.notify(array_agg($1::bigint), array_agg('plan_proposed'::text), array_agg(NULL::bigint),
                array_agg(NULL::bigint), array_agg(gen_random_uuid()::text), array_agg(now()),
                array_agg('{"plan":"5","name":"Saturday","by":{"id":"1","name":"Bo"}}'::jsonb))
            FROM generate_series(1, \(count))
            """,
            [.id(self.user)]
        )
    }

    /// Lets everything that waits be due.
    func hurry() async throws { try await self.fixture.pool.query("UPDATE muster.push_delivery SET due_at = now()") }

    /// Plans, and sends at once.
    @discardableResult
    func send() async throws -> Int {
        while try await self.directory.planPushes() > 0 {}
        try await self.hurry()
        return try await self.service.sendDue(self.directory)
    }

    func number(_ sql: String) async throws -> Int64 {
        try await self.fixture.pool.query("SELECT (\(sql))::bigint AS n").onlyRow()?.int64("n") ?? -1
    }

    var waiting: Int64 { get async throws { try await self.number("SELECT count(*) FROM muster.push_delivery") } }
}

@Suite("Pushes of a server", .blocking) struct PushServiceTests {
    @Test("a browser opens what it gets, knows who sent it, and gets it once")
    func browser() async throws {
        try await PushScene.with { scene in
            _ = try await scene.subscribe("ada")
            try await scene.notify()
            #expect(try await scene.directory.planPushes() == 1)
            // The notification may be seen in an open app first.
            #expect(try await scene.service.sendDue(scene.directory) == 0)
            #expect(try await scene.send() == 1)
            let pushes = try await scene.received("ada")
            let push = try #require(pushes.first)
            #expect(pushes.count == 1 && push.problem == nil, "\(push.problem ?? "")")
            #expect(push.message?.kind == "plan_proposed" && push.message?.notification == 1)
            #expect(push.message?.body?.contains("Saturday") == true)
            #expect(push.claims?.sub == "mailto:operator@muster.example")
            #expect(push.claims?.key == scene.service.publicKey)
            #expect(push.headers?["urgency"] == "normal")
            #expect(try #require(push.headers?["ttl"].flatMap { Int($0) }) > 86_000)
            #expect(try await scene.waiting == 0)
            #expect(try await scene.send() == 0)
            #expect(
                try await scene.number("SELECT count(*) FROM muster.push_target WHERE succeeded_at IS NOT NULL") == 1
            )
        }
    }

    @Test("the text is in the language of the target")
    func language() async throws {
        try await PushScene.with { scene in
            _ = try await scene.subscribe("ada", language: .german)
            try await scene.notify()
            try await scene.send()
            let body = try await scene.received("ada").first?.message?.body ?? ""
            #expect(body.contains("schlägt") && body.contains("vor"))
        }
    }

    @Test("a device that is gone is forgotten, unless it has renewed its address meanwhile")
    func gone() async throws {
        try await PushScene.with { scene in
            let target = try await scene.subscribe("ada")
            try await scene.notify()
            while try await scene.directory.planPushes() > 0 {}
            try await scene.hurry()
            let lease = try #require(try await scene.directory.leasePushes().first)
            let push = try #require(try await scene.directory.leasedPush(lease))
            let renewal = scene.service.keys.renewal(of: target, of: scene.user)
            try await scene.directory.renewPushTarget(
                target,
                code: renewal,
                try await scene.address("newer"),
                place: "127.0.0.1",
                scene.service.keys
            )
            try await scene.directory.finishPush(push, .gone, trouble: "status_410")
            #expect(try await scene.send() == 1)
            #expect(try await scene.received("newer").count == 1)
            try await scene.answer("newer", "410")
            try await scene.notify()
            try await scene.send()
            #expect(try await scene.number("SELECT count(*) FROM muster.push_target") == 0)
            #expect(try await scene.waiting == 0)
        }
    }

    @Test("a failure is tried again, a long pause ends with the notification, and a text that is too long is left out")
    func retries() async throws {
        try await PushScene.with { scene in
            _ = try await scene.subscribe("ada")
            try await scene.answer("ada", "503,429:1000000000,413")
            try await scene.notify()
            try await scene.send()
            #expect(try await scene.waiting == 1)
            #expect(try await scene.number("SELECT count(*) FROM muster.push_delivery WHERE due_at > now()") == 1)
            try await scene.send()
            // `OutboundResponse` reads at most a day, which is the time of the notification too.
            #expect(
                try await scene.number(
                    "SELECT count(*) FROM muster.push_delivery WHERE due_at > now() + interval '23 hours' AND due_at <= expires_at"
                ) == 1
            )
            try await scene.send()
            try await scene.send()
            let pushes = try await scene.received("ada")
            #expect(pushes.count == 4)
            #expect(pushes[2].message?.body != nil && pushes[3].message?.body == nil)
            #expect(try await scene.waiting == 0)
        }
    }

    @Test("five refusals, or an hour of failures, disable a target, and registering enables it")
    func disabled() async throws {
        try await PushScene.with { scene in
            _ = try await scene.subscribe("ada")
            try await scene.answer("ada", "403,401,403,401,403")
            for _ in 0..<4 {
                try await scene.notify()
                try await scene.send()
            }
            let disabled = "SELECT count(*) FROM muster.push_target WHERE disabled_at IS NOT NULL"
            #expect(try await scene.number(disabled) == 0)
            try await scene.notify()
            try await scene.send()
            #expect(try await scene.number(disabled) == 1)
            try await scene.notify()
            #expect(try await scene.number("SELECT count(*) FROM muster.push_outbox") == 0)
            _ = try await scene.subscribe("ada")
            #expect(try await scene.number(disabled) == 0)
            try await scene.answer("ada", "503,503")
            try await scene.notify()
            try await scene.send()
            try await scene.fixture.pool.query(
                "UPDATE muster.push_target SET failing_since = now() - interval '61 minutes'"
            )
            try await scene.send()
            #expect(try await scene.number(disabled) == 1)
            #expect(try await scene.waiting == 0)
        }
    }

    @Test(
        "what was seen, withdrawn, muted or refused before the last look is not sent",
        arguments: [
            "UPDATE muster.notification SET seen_at = now()",
            "DELETE FROM muster.notification",
            #"INSERT INTO muster.push_setting (user_id, kinds) SELECT id, '{"plan_proposed":false}' FROM muster.account"#,
            """
            INSERT INTO muster.push_setting (user_id, quiet) SELECT id,
                '{"start":"00:00","end":"23:59","tz":"UTC","kinds":["plan_proposed"]}' FROM muster.account
            """,
            "DELETE FROM muster.push_target",
            "DELETE FROM muster.account",
        ]
    )
    func notSent(_ change: String) async throws {
        try await PushScene.with { scene in
            _ = try await scene.subscribe("ada")
            try await scene.notify()
            while try await scene.directory.planPushes() > 0 {}
            try await scene.fixture.pool.query(change)
            try await scene.hurry()
            _ = try await scene.service.sendDue(scene.directory)
            // At 23:59 UTC the quiet hours of the row above have a gap of a minute.
            #expect(try await scene.received("ada").isEmpty)
            #expect(try await scene.waiting == 0)
        }
    }

    @Test("a user with the app open is told by it first, and by a push a minute later")
    func foreground() async throws {
        try await PushScene.with { scene in
            _ = try await scene.subscribe("ada")
            try await scene.fixture.pool.query(
                """
                INSERT INTO muster.presence (user_id, state, changed_at) VALUES ($1, 'online', now())
                ON CONFLICT (user_id) DO UPDATE SET state = 'online'
                """,
                [.id(scene.user)]
            )
            try await scene.notify()
            try await scene.send()
            #expect(try await scene.received("ada").isEmpty)
            #expect(
                try await scene.number(
                    "SELECT count(*) FROM muster.push_delivery WHERE due_at > now() + interval '50 seconds' AND has_waited"
                ) == 1
            )
            try await scene.send()
            #expect(try await scene.received("ada").count == 1)
        }
    }

    @Test("two servers share the work, without doubles, and take over what one has left")
    func shares() async throws {
        try await PushScene.with { scene in
            _ = try await scene.subscribe("ada")
            let other = try #require(
                PushService(scene.configuration, clock: .system, logger: Logger(level: .error))
            )
            try await scene.notify(300)
            async let first = scene.directory.planPushes()
            async let second = scene.directory.planPushes()
            let planned = try await first + second
            #expect(planned == 300)
            try await scene.hurry()
            let abandoned = try await scene.directory.leasePushes()
            #expect(abandoned.count == 200)
            async let one = scene.service.sendDue(scene.directory)
            async let two = other.sendDue(scene.directory)
            let sent = try await one + two
            #expect(sent == 100)
            try await scene.fixture.pool.query("UPDATE muster.push_delivery SET leased_until = now()")
            while try await scene.service.sendDue(scene.directory) > 0 {}
            let numbers = try await scene.received("ada").compactMap { $0.message?.notification }
            #expect(numbers.sorted() == Array(1...300))
        }
    }

    @Test("a notification whose transaction is rolled back is not pushed")
    func rolledBack() async throws {
        struct Cancelled: Error {}
        try await PushScene.with { scene in
            _ = try await scene.subscribe("ada")
            let content = NotificationContent(kind: "plan_proposed", subject: "1", at: Timestamp(milliseconds: 1))
            await #expect(throws: Cancelled.self) {
                try await scene.directory.transaction { transaction in
                    _ = try await transaction.query(
                        NotifyStatement.make([NotificationRecord(user: scene.user, content: content)]).sql,
                        NotifyStatement.make([NotificationRecord(user: scene.user, content: content)]).parameters
                    )
                    throw Cancelled()
                }
            }
            #expect(try await scene.number("SELECT count(*) FROM muster.push_outbox") == 0)
        }
    }

    @Test("an address belongs to one user with one pair of keys, and nobody has more than twenty")
    func owners() async throws {
        try await PushScene.with { scene in
            let keys = scene.service.keys
            let first = try await scene.subscribe("ada")
            #expect(try await scene.subscribe("ada") == first)
            var forged = try await scene.address("ada")
            forged.secret = [UInt8](repeating: 7, count: 16)
            let draft = PushTargetDraft(address: forged, place: "127.0.0.1", language: .english)
            let error = await #expect(throws: FrameError.self) {
                try await scene.directory.addPushTarget(draft, of: scene.user, login: scene.login, keys)
            }
            #expect(error?.code == .conflict)
            let other = try await scene.directory.signUp(
                username: "bob",
                password: "correct horse",
                name: "Bo",
                address: nil
            )
            let login = try await scene.directory.authenticate(token: other.token).login
            let moved = try await scene.directory.addPushTarget(
                PushTargetDraft(address: try await scene.address("ada"), place: "127.0.0.1", language: .english),
                of: other.user.id,
                login: login,
                keys
            )
            #expect(moved.id != first)
            #expect(try await scene.directory.devicesWithoutSession(of: scene.user, hasPush: true) == 0)
            for place in 0..<20 { _ = try await scene.subscribe("n\(place)") }
            let full = await #expect(throws: FrameError.self) { try await scene.subscribe("n20") }
            #expect(full?.code == .conflict)
            try await scene.directory.deletePushTargets(of: scene.login)
            #expect(try await scene.directory.devicesWithoutSession(of: scene.user, hasPush: true) == 0)
            #expect(try await scene.directory.devicesWithoutSession(of: other.user.id, hasPush: true) == 1)
        }
    }

    @Test("a webhook is signed, ntfy gets the text, and a gateway gets ids alone and may reject a device")
    func others() async throws {
        try await PushScene.with { scene in
            let keys = scene.service.keys
            func add(_ address: PushAddress) async throws {
                let draft = PushTargetDraft(address: address, place: "here", language: .english)
                _ = try await scene.directory.addPushTarget(draft, of: scene.user, login: scene.login, keys)
            }
            let secret = [UInt8](repeating: 9, count: 32)
            let url = scene.standIn.url
            try await add(PushAddress(kind: .webhook, address: url + "/hook/own", secret: secret, format: .muster))
            try await add(
                PushAddress(kind: .webhook, address: url + "/hook/ntfy", secret: secret, format: .ntfy, token: "tk_1")
            )
            try await add(PushAddress(kind: .gateway, address: "device-1", app: "app", data: #"{"format":"x"}"#))
            try await scene.answer("app", "reject")
            try await scene.notify()
            #expect(try await scene.send() == 3)
            let own = try #require(try await scene.received("own").first)
            let stamp = try #require(own.headers?["webhook-timestamp"])
            let id = try #require(own.headers?["webhook-id"])
            let code = SHA256Code.of("\(id).\(stamp).\(own.body ?? "")", key: secret)
            #expect(own.headers?["webhook-signature"] == "v1,\(code)")
            let ntfy = try #require(try await scene.received("ntfy").first)
            #expect(ntfy.body?.contains("Saturday") == true && ntfy.headers?["authorization"] == "Bearer tk_1")
            let gateway = try #require(try await scene.received("app").first?.body)
            #expect(gateway.contains(#""type":"muster.plan_proposed""#) && gateway.contains(#""pushkey":"device-1""#))
            #expect(!gateway.contains("Saturday"))
            #expect(try await scene.number("SELECT count(*) FROM muster.push_target WHERE kind = 'gateway'") == 0)
        }
    }

    @Test("a code gives a right only as it was made, for its user, until its end")
    func codes() throws {
        let keys = PushKeys(SecretKey())
        let now = Timestamp(milliseconds: 1_000)
        let right = PushAction(
            target: PushTargetID(1),
            user: UserID(2),
            kind: "plan_proposed",
            subject: 3,
            expiresAt: now + 10
        )
        let code = right.code(keys)
        #expect(PushAction(code, keys, at: now) == right)
        #expect(PushAction(code, keys, at: now + 10) == nil)
        #expect(PushAction(code, PushKeys(SecretKey()), at: now) == nil)
        #expect(PushAction(code.replacing(".2.", with: ".7."), keys, at: now) == nil)
        #expect(PushAction(code.replacing("plan_proposed", with: "left_without_you"), keys, at: now) == nil)
        #expect(PushAction(String(code.dropLast()), keys, at: now) == nil)
        #expect(!keys.isRenewal(keys.renewal(of: PushTargetID(1), of: UserID(2)), of: PushTargetID(1), of: UserID(3)))
    }

    @Test("a sealed address opens with its key alone")
    func sealing() {
        let keys = PushKeys(SecretKey())
        let address = PushAddress(kind: .webpush, address: "https://push.example/secret", key: [4], secret: [1])
        let sealed = address.sealed(keys)
        #expect(PushAddress.open(sealed, keys) == address)
        #expect(PushAddress.open(sealed, PushKeys(SecretKey())) == nil)
        #expect(address.sealed(keys) != sealed)
    }
}

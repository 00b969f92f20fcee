import Foundation
import MusterTestSupport
import OutboundHTTP
import Postgres
import Testing

@testable import MusterWire

@Suite("Pushes, end to end", .blocking)
struct PushTests {
    private static let options = [
        "--contact", "mailto:operator@muster.example", "--outbound-allow", "127.0.0.0/8", "--webhooks",
    ]

    /// A push service, and requests to it.
    private struct Service {
        let standIn: StandIn
        let client = OutboundClient(userAgent: "test")

        init() throws { self.standIn = try StandIn("push_service.py", hasPackages: true) }

        func get(_ path: String) async throws -> String {
            let url = try OperatorURL(configured: self.standIn.url + path)
            return String(decoding: try await self.client.send(OutboundRequest(url)).body, as: UTF8.self)
        }

        func received(_ name: String) async throws -> [JSONValue] {
            try JSONDocument(Array(try await self.get("/received/\(name)").utf8)).root.elements
        }

        /// Waits until as many pushes have come, and returns them.
        func expect(_ count: Int, at name: String) async throws -> [JSONValue] {
            let deadline = ContinuousClock.now + .seconds(60)
            while ContinuousClock.now < deadline {
                let pushes = try await self.received(name)
                if pushes.count >= count { return pushes }
                try await Task.sleep(for: .milliseconds(100))
            }
            throw TestFailure("\(name) did not get \(count) pushes")
        }
    }

    /// Registers a browser of a user; returns the answer.
    private func subscribe(
        _ fixture: ServerFixture,
        _ service: Service,
        _ account: Account,
        _ name: String
    ) async throws -> HTTPReply {
        let subscription = try await service.get("/subscribe/\(name)")
        return try fixture.http(
            "POST",
            "/v1/push/targets",
            token: account.token,
            rawBody: #"{"type":"webpush","subscription":\#(subscription),"lang":"en","name":"Browser"}"#
        )
    }

    /// Lets pushes be due at once.
    private func hurry(_ fixture: ServerFixture) throws {
        try fixture.query(
            "UPDATE muster.push_delivery SET due_at = now() WHERE leased_until IS NULL AND due_at > now()"
        )
    }

    @Test("somebody who is left behind with the app closed is told, asks the others to wait by the push, and sees it")
    func story() async throws {
        let service = try Service()
        try await ServerFixture.open(Self.options) { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo")
            let bo = people[1].account
            #expect(try fixture.http("GET", "/v1/push/key").json?["key"].string?.count == 87)
            let added = try await self.subscribe(fixture, service, bo, "bo")
            #expect(added.status == 201, "\(added.text)")
            let target = try #require(added.json?["id"].string)
            let listed = try fixture.http("GET", "/v1/push/targets", token: bo.token)
            #expect(listed.json?["targets"][0]["current"].bool == true)
            #expect(listed.json?["targets"][0]["place"].string == "127.0.0.1")

            try fixture.query(
                """
                SELECT muster.notify(ARRAY[$1::bigint], '{left_without_you}', ARRAY[$2::bigint], '{NULL}', '{a}',
                    ARRAY[now()], ARRAY['{"variant":"gathered","gathering":"6001","distance":2140}'::jsonb])
                """,
                [.id(bo.id), .id(group)]
            )
            // The app was open a moment ago.
            try fixture.query("DELETE FROM muster.presence WHERE user_id = $1", [.id(bo.id)])
            #expect(try eventually { try fixture.count(of: "muster.push_delivery") == 1 })
            try self.hurry(fixture)
            let push = try #require(try await service.expect(1, at: "bo").first)
            #expect(push["problem"].isAbsent, "\(push["problem"].string ?? "")")
            let message = push["message"]
            #expect(message["kind"].string == "left_without_you" && message["title"].string == "Sunday climbers")
            #expect(message["group"].string == group && message["notification"].int == 1)
            #expect(message["actions"].elements.map { $0["action"].string } == ["wait", "locate"])
            #expect(push["headers"]["urgency"].string == "high")
            let act = try #require(message["act"].string)

            let forged = try fixture.http("POST", "/v1/push/act", body: ["act": .string(act + "x"), "action": "wait"])
            #expect(forged.status == 401)
            let other = try fixture.http("POST", "/v1/push/act", body: ["act": .string(act), "action": "in"])
            #expect(other.status == 401)
            // There is no gathering for which anybody could wait.
            let late = try fixture.http("POST", "/v1/push/act", body: ["act": .string(act), "action": "wait"])
            #expect([409, 410, 404].contains(late.status), "\(late.status) \(late.text)")

            #expect(
                try fixture.http("POST", "/v1/push/targets/\(target)/test", token: bo.token, body: [:]).status == 204
            )
            let test = try await service.expect(2, at: "bo")[1]
            #expect(test["message"]["kind"].string == "test" && test["message"]["notification"].isNull)
            #expect(try fixture.http("DELETE", "/v1/push/targets/\(target)", token: bo.token).status == 204)
            let removed = try fixture.http("POST", "/v1/push/act", body: ["act": .string(act), "action": "wait"])
            #expect(removed.status == 401)
        }
    }

    @Test("who asks where somebody is wakes their closed app, and the answer is the same for a paused one")
    func locate() async throws {
        let service = try Service()
        try await ServerFixture.open(Self.options) { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo", "Cy")
            for (person, name) in [(people[1], "bo"), (people[2], "cy")] {
                #expect(try await self.subscribe(fixture, service, person.account, name).status == 201)
            }
            try people[2].request("sharing.set", ["mode": "paused"])
            for person in people.dropFirst() {
                try person.sendRaw(opcode: 8, [3, 232])
                let id = person.account.id
                #expect(
                    try eventually { try fixture.count(of: "muster.live_session WHERE user_id = $1", [.id(id)]) == 0 }
                )
            }
            let asked = try people[0].request(
                "locate",
                ["group": .string(group), "user": .string(people[1].account.id)]
            )
            let paused = try people[0].request(
                "locate",
                ["group": .string(group), "user": .string(people[2].account.id)]
            )
            let now = Int64(Date().timeIntervalSince1970 * 1_000)
            for answer in [asked, paused] {
                #expect(answer["devices"].int == 1)
                #expect(try #require(answer["expiresAt"].int) > now + 200_000)
            }
            let push = try await service.expect(1, at: "bo")[0]["message"]
            #expect(push["kind"].string == "locate" && push["notification"].isNull)
            // Both went through the same queue, which is empty now.
            #expect(
                try eventually {
                    try fixture.count(of: "muster.push_delivery") + fixture.count(of: "muster.push_outbox") == 0
                }
            )
            #expect(try await service.received("cy").isEmpty)
            // The page that the push opens is asked.
            let opened = try fixture.enter(people[1].account, device: "page")
            #expect(try opened.expect("locate")["request"].string == asked["request"].string)
            let act = try #require(push["act"].string)
            let refused = try fixture.http("POST", "/v1/push/act", body: ["act": .string(act), "action": "refuse"])
            #expect(refused.status == 204, "\(refused.text)")
        }
    }

    @Test(
        "an address that is not public, or not one, is refused with the name of the field",
        arguments: [
            (#"{"endpoint":"https://10.0.0.1/x","keys":KEYS}"#, "endpoint"),
            (#"{"endpoint":"https://[::ffff:10.0.0.1]/x","keys":KEYS}"#, "endpoint"),
            (#"{"endpoint":"https://169.254.169.254/x","keys":KEYS}"#, "endpoint"),
            (#"{"endpoint":"file:///etc/passwd","keys":KEYS}"#, "endpoint"),
            (#"{"endpoint":"https://a@push.example/","keys":KEYS}"#, "endpoint"),
            (
                #"{"endpoint":"https://push.example/","keys":{"p256dh":"BAAA","auth":"AAAAAAAAAAAAAAAAAAAAAA"}}"#,
                "p256dh"
            ),
            (#"{"endpoint":"https://push.example/"}"#, "keys"),
        ]
    )
    func refusals(_ subscription: String, _ field: String) async throws {
        let key = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
        let keys = #"{"p256dh":"\#(key)","auth":"BTBZMqHH6r4Tts7J_aSIgg"}"#
        try await ServerFixture.open(["--contact", "mailto:operator@muster.example"]) { fixture in
            let ada = try fixture.signUp("Ada")
            let reply = try fixture.http(
                "POST",
                "/v1/push/targets",
                token: ada.token,
                rawBody: #"{"type":"webpush","subscription":\#(subscription.replacing("KEYS", with: keys))}"#
            )
            #expect(reply.status == 400)
            #expect(reply.json?["field"].string?.hasSuffix(field) == true, "\(reply.text)")
        }
    }

    @Test("the choices of a user come back as they were made, and wrong ones are refused")
    func settings() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada")
            let token = people[0].account.token
            func patch(_ body: String) throws -> HTTPReply {
                try fixture.http("PATCH", "/v1/me/push", token: token, rawBody: body)
            }
            #expect(try fixture.http("GET", "/v1/push/key").status == 404, "without --contact")
            let usual = try fixture.http("GET", "/v1/me/push", token: token)
            #expect(usual.json?["kinds"]["left_without_you"].bool == true)
            #expect(usual.json?["kinds"]["new_spot"].bool == false)
            let changed = try patch(
                #"{"kinds":{"mention":false},"muted":{"\#(group)":null},"quiet":{"start":"22:00","end":"07:00","tz":"Europe/Berlin"}}"#
            )
            #expect(changed.status == 200, "\(changed.text)")
            let read = try #require(try fixture.http("GET", "/v1/me/push", token: token).json)
            #expect(read["kinds"]["mention"].bool == false && read["muted"][group].isNull)
            #expect(read["quiet"]["kinds"].elements.map(\.string) == ["new_spot", "messages"])
            let ended = try patch(#"{"muted":{"\#(group)":false},"quiet":null}"#)
            #expect(ended.json?["muted"].fields.isEmpty == true && ended.json?["quiet"].isAbsent == true)
            for wrong in [
                #"{"kinds":{"nonsense":true}}"#, #"{"kinds":{"mention":1}}"#, #"{"muted":{"x":null}}"#,
                #"{"quiet":{"start":"25:00","end":"07:00","tz":"UTC"}}"#,
                #"{"quiet":{"start":"22:00","end":"07:00","tz":"Nowhere/At all"}}"#,
            ] {
                #expect(try patch(wrong).status == 400, "\(wrong)")
            }
        }
    }

    @Test("a thousand notifications survive kills of the server and failures of the push service: none is lost")
    func crashes() async throws {
        let service = try Service()
        let key = FileManager.default.temporaryDirectory.appending(path: "muster-key-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: key) }
        try await ServerFixture.open(Self.options + ["--secret-key-file", key]) { fixture in
            let ada = try fixture.signUp("Ada")
            #expect(try await self.subscribe(fixture, service, ada, "ada").status == 201)
            _ = try await service.get("/half/ada")
            for part in 0..<10 {
                try fixture.query(
                    """
                    SELECT muster.notify(array_agg($1::bigint), array_agg('plan_proposed'::text), array_agg(NULL::bigint),
                        array_agg(NULL::bigint), array_agg($2::text || '-' || i), array_agg(now()),
                        array_agg('{"plan":"5","name":"Saturday"}'::jsonb))
                    FROM generate_series(1, 100) AS i
                    """,
                    [.id(ada.id), .text("\(part)")]
                )
                try self.hurry(fixture)
                if [2, 4, 7].contains(part) {
                    fixture.server.kill()
                    // A dead server's leases lapse after a minute.
                    try fixture.query("UPDATE muster.push_delivery SET leased_until = now()")
                    try fixture.restart()
                }
                if part == 5 {
                    try fixture.query(
                        """
                        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                        WHERE datname = current_database() AND pid <> pg_backend_pid()
                        """
                    )
                }
            }
            let isDone = try eventually(within: 240_000) {
                try self.hurry(fixture)
                // Of an hour of failures there is nothing here, but the killed backends hold leases.
                try fixture.query(
                    "UPDATE muster.push_delivery SET leased_until = now() WHERE leased_until < now() + interval '40 seconds'"
                )
                return try fixture.count(of: "muster.push_delivery") + fixture.count(of: "muster.push_outbox") == 0
            }
            #expect(isDone)
            let pushes = try await service.received("ada")
            #expect(pushes.allSatisfy { $0["problem"].isAbsent })
            #expect(Set(pushes.compactMap { $0["message"]["notification"].int }) == Set(1...1000))
        }
    }
}

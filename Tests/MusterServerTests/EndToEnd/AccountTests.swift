import Foundation
import MusterTestSupport
import Testing

@testable import MusterWire

@Suite("Accounts", .blocking)
struct AccountTests {
    @Test("a sign-up that cannot be taken names the field")
    func signUpErrors() async throws {
        try await ServerFixture.open { fixture in
            func complaint(_ body: JSON) throws -> (Int, String?) {
                let reply = try fixture.http("POST", "/v1/accounts", body: body)
                return (reply.status, reply.json?["field"].string)
            }
            let long = String(repeating: "x", count: 257)
            let table: [(body: JSON, field: String)] = [
                (["username": "ab", "password": "long enough", "name": "A"], "username"),
                (["username": "Ada", "password": "long enough", "name": "A"], "username"),
                (["username": "a b c", "password": "long enough", "name": "A"], "username"),
                (["username": "adaa", "password": "short", "name": "A"], "password"),
                (["username": "adaa", "password": .string(long), "name": "A"], "password"),
                (["username": "adaa", "password": "long enough", "name": ""], "name"),
                (["username": "adaa", "password": "long enough"], "name"),
                (["username": 7, "password": "long enough", "name": "A"], "username"),
            ]
            for row in table {
                let (status, field) = try complaint(row.body)
                #expect(status == 400)
                #expect(field == row.field, "\(row.body.text)")
            }
            let broken = try fixture.http("POST", "/v1/accounts", rawBody: #"{"username":"#)
            #expect(broken.status == 400)
            #expect(broken.code == "bad_json")
            #expect(try fixture.count(of: "muster.account") == 0)

            let ada = try fixture.signUp("Ada")
            let twin = try fixture.http(
                "POST",
                "/v1/accounts",
                body: ["username": .string(ada.username), "password": "another one", "name": "Not Ada"]
            )
            #expect(twin.status == 409)
            #expect(twin.code == "conflict")
        }
    }

    @Test("a wrong password is 401, and guessing is slowed down for the account")
    func logIn() async throws {
        try await ServerFixture.open { fixture in
            let ada = try fixture.signUp("Ada")
            func logIn(_ username: String, _ password: String) throws -> HTTPReply {
                try fixture.http(
                    "POST",
                    "/v1/sessions",
                    body: ["username": .string(username), "password": .string(password)]
                )
            }
            let right = try logIn(ada.username, ada.password)
            #expect(right.status == 201)
            #expect(right.json?["user"]["id"].string == ada.id)
            let token = right.json?["token"].string ?? ""
            #expect(try fixture.http("GET", "/v1/me", token: token).json?["username"].string == ada.username)
            #expect(try logIn("nobody-here", "whatever it is").status == 401)

            var statuses: [Int] = []
            var last = try logIn(ada.username, "wrong password")
            while last.status == 401, statuses.count < 20 {
                statuses.append(last.status)
                last = try logIn(ada.username, "wrong password")
            }
            #expect(statuses.count >= 3, "a person who mistypes is let try again")
            #expect(last.status == 429)
            #expect(last.headers["retry-after"].flatMap { Int($0) }.map { $0 > 0 } == true)
            #expect(try logIn(ada.username, ada.password).status == 429, "the right one must not be told apart")
        }
    }

    @Test("logging out kills the token and closes its sockets, not those of another login")
    func logOut() async throws {
        try await ServerFixture.open { fixture in
            let ada = try fixture.signUp("Ada")
            let reply = try fixture.http(
                "POST",
                "/v1/sessions",
                body: ["username": .string(ada.username), "password": .string(ada.password)]
            )
            let second = Account(
                id: ada.id,
                username: ada.username,
                password: ada.password,
                name: ada.name,
                token: reply.json?["token"].string ?? ""
            )
            let phone = try fixture.enter(ada)
            let laptop = try fixture.enter(second, device: "laptop", kind: "browser")
            #expect(try fixture.http("DELETE", "/v1/sessions/current", token: ada.token).status == 204)
            #expect(try phone.expectClose() == 4401)
            try laptop.catchUp()
            #expect(try fixture.http("GET", "/v1/me", token: ada.token).status == 401)
            #expect(try fixture.http("DELETE", "/v1/sessions/current", token: ada.token).status == 401)
            #expect(try fixture.http("GET", "/v1/me", token: second.token).status == 200)
            let again = try fixture.connect(ada)
            try again.sendHello()
            #expect(try again.expect("error")["code"].string == "unauthorized")
            #expect(try again.expectClose() == 4401)
        }
    }

    @Test("a socket closes when its token dies")
    func expiry() async throws {
        try await ServerFixture.open { fixture in
            let ada = try fixture.signUp("Ada")
            let bo = try fixture.enter(try fixture.signUp("Bo"))
            try fixture.query(
                "UPDATE muster.session_token SET expires_at = now() + interval '3 seconds' WHERE user_id = $1",
                [.id(ada.id)]
            )
            let phone = try fixture.enter(ada)
            #expect(try phone.expectClose() == 4401)
            try bo.catchUp()
            let again = try fixture.connect(ada)
            try again.sendHello()
            #expect(try again.expectClose() == 4401)
        }
    }

    @Test("a new name is in the friends' rosters at once")
    func profile() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo")
            let (ada, bo) = (people[0], people[1])
            let reply = try fixture.http(
                "PATCH",
                "/v1/me",
                token: ada.account.token,
                body: ["name": "Countess"]
            )
            #expect(reply.status == 200)
            #expect(reply.json?["name"].string == "Countess")
            try bo.waitUntil("the new name") { bo.roster(group)[ada.account.id]["name"]?.string == "Countess" }
            #expect(
                try fixture.http("PATCH", "/v1/me", token: ada.account.token, body: ["name": ""]).json?["field"].string
                    == "name"
            )
        }
    }

    @Test("GET /v1/me/export is everything about a person, as the contract has it, however long")
    func export() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo")
            let ada = people[0]
            for step in 0..<5 { try ada.sendFix(Double(4820 + step) / 100, 16.37) }
            try ada.waitForAck()
            try ada.request("spot.add", ["lat": 48.2, "lon": 16.37, "comment": "Coffee"])
            // From the day before, and more than fits a page or a socket buffer.
            try fixture.query(
                """
                INSERT INTO muster.fix (device_id, seq, user_id, at, received_at, lat, lon, accuracy, verdict)
                SELECT d.id, 1000 + n, d.user_id, now() - interval '1 day' + n * interval '1 second', now(), 48, 16, 5, 'ok'
                FROM muster.device d, generate_series(1, 3000) n WHERE d.user_id = $1
                """,
                [.id(ada.account.id)]
            )
            let reply = try fixture.http("GET", "/v1/me/export", token: ada.account.token)
            #expect(reply.status == 200)
            #expect(reply.headers["transfer-encoding"] == "chunked")
            let json = try #require(reply.json)
            #expect(json["profile"]["id"].string == ada.account.id)
            #expect(json["memberships"].elements.map { $0["group"].string } == [group])
            #expect(json["fixes"].elements.count == 3005)
            #expect(json["spots"].elements.count == 1)
            let doubted = ["implausible", "secondary", "inaccurate"]
            let points = json["fixes"].elements.count { !doubted.contains($0["verdict"].string ?? "") }
            #expect(points > 3000)
            #expect(json["gpx"].string?.components(separatedBy: "<trkpt").count == points + 1)
            #expect(!reply.text.contains(ada.account.token))
            #expect(try fixture.http("GET", "/v1/me/export").status == 401)
            let page = try fixture.http("GET", "/metrics").text
            #expect(
                page.contains(#"muster_http_requests_total{route="/v1/me/export",method="GET",status="200"} 1"#)
            )
            #expect(page.contains(#"muster_http_requests_total{route="/v1/me/export",method="GET",status="401"} 1"#))
            #expect(page.contains(#"muster_http_request_seconds_count{route="/v1/accounts"} 2"#))
        }
    }

    @Test("DELETE /v1/me removes everything about a person and closes their sockets")
    func deletion() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo")
            let (ada, bo) = (people[0], people[1])
            let solo = try ada.createGroup("Only Ada")
            for step in 0..<5 { try ada.sendFix(Double(4820 + step) / 100, 16.37) }
            try ada.waitForAck()
            try bo.sendFix(48.2, 16.37)
            try bo.waitForAck()
            let user = ada.account.id
            let isThere = try eventually {
                try fixture.count(of: "muster.position WHERE user_id = $1", [.id(user)]) == 1
                    && fixture.count(of: "muster.live_session WHERE user_id = $1", [.id(user)]) == 1
            }
            #expect(isThere, "the test has nothing to delete")

            #expect(try fixture.http("DELETE", "/v1/me", token: ada.account.token).status == 204)
            #expect(try ada.expectClose() == 4401)
            try bo.waitUntil("Ada gone") { bo.roster(group).members[user] == nil }
            try bo.waitUntil("Bo the owner") { bo.roster(group)[bo.account.id]["role"]?.string == "owner" }
            // A last write of the journal may still be pending; after it no rows remain.
            let tables = [
                "device", "session_token", "membership", "fix", "position", "presence", "notification", "live_session",
                "gathering_member",
            ]
            for table in tables {
                let isEmpty = try eventually {
                    try fixture.count(of: "muster.\(table) WHERE user_id = $1", [.id(user)]) == 0
                }
                #expect(isEmpty, "something is left in muster.\(table)")
            }
            #expect(try fixture.count(of: "muster.account WHERE id = $1", [.id(user)]) == 0)
            #expect(try fixture.count(of: "muster.grp WHERE id = $1", [.id(solo)]) == 0)
            #expect(try fixture.count(of: "muster.fix WHERE user_id = $1", [.id(bo.account.id)]) == 1)
            #expect(try fixture.http("GET", "/v1/me", token: ada.account.token).status == 401)
            let logIn = try fixture.http(
                "POST",
                "/v1/sessions",
                body: ["username": .string(ada.account.username), "password": .string(ada.account.password)]
            )
            #expect(logIn.status == 401)
        }
    }
}

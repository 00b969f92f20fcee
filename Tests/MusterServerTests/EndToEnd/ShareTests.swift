import EventLoop
import Foundation
import MusterTestSupport
import Postgres
import Testing

@testable import MusterClient
@testable import MusterWire

@Suite("Share pictures", .blocking)
struct ShareTests {
    /// Users who have reported positions.
    private static func placed(
        _ fixture: ServerFixture,
        _ names: String...
    ) throws -> (people: [TestClient], group: String) {
        let people = try names.map { try fixture.enter(try fixture.signUp($0)) }
        let group = try people[0].createGroup()
        let code = try people[0].invite(to: group)
        for person in people.dropFirst() { try person.join(code) }
        for (place, person) in people.enumerated() {
            try person.sendFix(48.2 + Double(place) * 0.01, 16.37)
            try person.waitForAck()
        }
        return (people, group)
    }

    @Test("whoever has the address sees it, with the tags of OpenGraph; nobody keeps it, and it outlasts a crash")
    func story() async throws {
        let key = FileManager.default.temporaryDirectory.appending(path: "muster-key-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: key) }
        try await ServerFixture.open(["--log-level", "debug", "--secret-key-file", key]) { fixture in
            let (people, group) = try Self.placed(fixture, "Ada", "Bo")
            let (ada, bo) = (people[0].account, people[1].account)
            let reader = try fixture.enter(bo, device: "tablet", resume: ["rooms": [:]])
            let share = try fixture.picture(of: group, by: ada, ["about": .string(bo.id), "expiresIn": 300])
            #expect(share.shown.sorted() == [ada.id, bo.id].sorted())
            #expect(share.page.wholeMatch(of: /\/s\/[A-Za-z0-9_-]{22}/) != nil, "\(share.page)")
            #expect(share.text.hasPrefix("Sunday climbers: "))

            let image = try fixture.file(share.image)
            #expect(image.status == 200 && image.headers["content-type"] == "image/png")
            #expect(image.body.starts(with: [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10]))
            // Width and height, big-endian, in the first chunk of the PNG.
            #expect(Array(image.body[16..<24]) == [0, 0, 0x04, 0xB0, 0, 0, 0x02, 0x76])
            let page = try fixture.file(share.page)
            let html = String(decoding: page.body, as: UTF8.self)
            #expect(page.status == 200 && page.headers["content-type"] == "text/html; charset=utf-8")
            #expect(html.contains(#"<meta property="og:title" content="Sunday climbers">"#))
            let base = "http://127.0.0.1:\(fixture.server.port)"
            #expect(html.contains(#"<meta property="og:image" content="\#(base)\#(share.image)">"#))
            #expect(html.contains(#"<meta property="og:image:width" content="1200">"#))
            #expect(!html.contains("<script") && !html.contains("Ada") && !html.contains("48."))
            #expect(page.headers["content-security-policy"]?.contains("default-src 'none'") == true)
            for answer in [image, page] {
                #expect(answer.headers["cache-control"] == "no-store")
                #expect(answer.headers["x-robots-tag"] == "noindex, nofollow")
                #expect(answer.headers["referrer-policy"] == "no-referrer")
            }
            #expect(try fixture.file(share.page, method: "HEAD").status == 200)
            #expect(try fixture.file("/share.css").status == 200)

            let said = try reader.expect("chat") { $0["messages"][0]["data"]["event"].string == "picture_shared" }
            #expect(said["messages"][0]["data"]["share"].string == share.id)
            #expect(said["messages"][0]["from"]["id"].string == ada.id)
            let list = try fixture.http("GET", "/v1/groups/\(group)/shares", token: bo.token).json?["shares"]
            #expect(list?[0]["id"].string == share.id && list?[0]["image"].string == base + share.image)
            #expect(list?[0]["by"]["name"].string == "Ada")
            let metrics = try fixture.http("GET", "/metrics").text
            #expect(metrics.contains("\nmuster_shares_made_total 1\n"))
            #expect(metrics.contains(#"muster_imaging_seconds_count{operation="share"} 1"#))

            try fixture.crash()
            #expect(try eventually { try fixture.statuses(of: share) == [200, 200] })
            #expect(try fixture.file(share.image).body == image.body)
            let again = try fixture.http("GET", "/v1/groups/\(group)/shares", token: bo.token).json?["shares"]
            #expect(again?[0]["image"].string?.hasSuffix(".png") == true)
            try fixture.query(
                "UPDATE muster.share SET created_at = now() - interval '2 h', expires_at = now() - interval '1 s'"
            )
            #expect(try fixture.statuses(of: share) == [410, 410])
            #expect(!fixture.server.log.contains(share.page.dropFirst(3)), "the log has no codes")
        }
    }

    @Test("each who is on it, or made it, takes it back by being seen less, leaving, or saying so; at once")
    func endings() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try Self.placed(fixture, "Ada", "Bo", "Cy", "Di", "Ed")
            let (ada, bo, cy, di, ed) = (people[0], people[1], people[2], people[3], people[4])
            let id: JSON = .string(group)
            var number = 0
            // A user may make at most five an hour.
            func gone(_ what: String, by maker: TestClient, _ end: () throws -> Void) throws {
                number += 1
                let share = try fixture.picture(of: group, by: maker.account)
                #expect(try fixture.statuses(of: share) == [200, 200], "\(what)")
                try end()
                #expect(try fixture.statuses(of: share) == [410, 410], "\(what)")
            }
            try gone("narrowed", by: ada) {
                try bo.request("sharing.set", ["mode": "approximate", "group": id])
            }
            try gone("paused", by: ada) { try bo.request("sharing.set", ["mode": "paused"]) }
            try bo.request("sharing.set", ["mode": "live"])
            try bo.sendFix(48.21, 16.37)
            try bo.waitForAck()
            try gone("opted out", by: ada) { try cy.request("sharing.set", ["pictures": false]) }
            #expect(try cy.expect("sharing") { $0["pictures"].bool == false }["mode"].string == "live")
            let without = try fixture.picture(of: group, by: ada.account)
            #expect(!without.shown.contains(cy.account.id) && without.shown.count == 4)
            let asleep = try fixture.enter(cy.account, device: "tablet")
            let welcome = try #require(asleep.received.first { $0.type == "welcome" })
            #expect(welcome["groups"][0]["sharing"]["pictures"].bool == false)
            try cy.request("sharing.set", ["pictures": true, "group": id, "mode": "live"])
            try gone("the maker narrowed", by: bo) { try bo.request("sharing.set", ["mode": "approximate"]) }
            #expect(try fixture.statuses(of: without) == [410, 410])
            try gone("taken back by who is on it", by: bo) {
                let share = try fixture.http("GET", "/v1/groups/\(group)/shares", token: di.account.token).json?[
                    "shares"
                ]
                let path = "/v1/shares/\(share?[0]["id"].string ?? "")"
                #expect(try fixture.http("DELETE", path, token: di.account.token).status == 204)
                #expect(try fixture.http("DELETE", path, token: di.account.token).code == "gone")
            }
            try gone("left", by: bo) { try cy.request("group.leave", ["group": id]) }
            try gone("removed", by: bo) {
                try ada.request("group.remove", ["group": id, "user": .string(di.account.id)])
            }
            try gone("deleted", by: bo) {
                let reply = try fixture.http("DELETE", "/v1/me", token: ed.account.token)
                #expect(reply.status == 204)
            }
            try gone("the group", by: ada) { try ada.request("group.delete", ["group": id]) }
            #expect(number == 9)
            #expect(try fixture.count(of: "muster.share WHERE png IS NOT NULL") == 0)
        }
    }

    @Test("it shows who the group may see now, neither the paused nor the unknown; when nobody is left there is none")
    func whoIsOn() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try Self.placed(fixture, "Ada", "Bo")
            let (ada, bo) = (people[0], people[1])
            let cy = try fixture.enter(try fixture.signUp("Cy"))
            try cy.join(try ada.invite(to: group))
            #expect(try Set(fixture.picture(of: group, by: ada.account).shown) == [ada.account.id, bo.account.id])
            try bo.request("sharing.set", ["mode": "approximate"])
            let coarse = try fixture.picture(of: group, by: ada.account)
            #expect(coarse.shown.count == 2)
            let modes = try fixture.query(
                "SELECT shown_as::text AS mode FROM muster.share_member WHERE share_id = $1 ORDER BY user_id",
                [.id(coarse.id)]
            )
            #expect(try modes.map { try $0.text("mode") } == ["live", "approximate"])
            for person in [ada, bo] { try person.request("sharing.set", ["mode": "paused"]) }
            let nobody = try fixture.share(group, by: cy.account)
            #expect(nobody.status == 409 && nobody.code == "conflict")
            // A user who is not on the picture may still make one of the others.
            try ada.request("sharing.set", ["mode": "live"])
            try ada.sendFix(48.2, 16.37)
            try ada.waitForAck()
            #expect(try fixture.picture(of: group, by: cy.account, ["names": "initials"]).shown == [ada.account.id])
            let about = try fixture.share(group, by: cy.account, ["about": .string(bo.account.id)])
            #expect(about.code == "conflict" && about.json?["field"].string == "about")
        }
    }

    @Test("what is wrong is named, and nothing is made; who is no member, or no one, makes and sees none")
    func refusals() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try Self.placed(fixture, "Ada", "Bo")
            let ada = people[0].account
            let stranger = try fixture.signUp("Cy")
            for (wish, field) in [
                (["expiresIn": 299], "expiresIn"), (["expiresIn": 86_401], "expiresIn"),
                (["expiresIn": 300.5], "expiresIn"), (["expiresIn": "long"], "expiresIn"),
                (["about": .string(stranger.id)], "about"), (["about": "me"], "about"), (["about": 7], "about"),
                (["names": "nick"], "names"), (["names": 1], "names"),
            ] as [(JSON, String)] {
                let reply = try fixture.share(group, by: ada, wish)
                #expect(reply.status == 400 && reply.code == "bad_request", "\(wish.text) \(reply.text)")
                #expect(reply.json?["field"].string == field, "\(wish.text) \(reply.text)")
            }
            let path = "/v1/groups/\(group)/shares"
            #expect(try fixture.http("POST", path, token: ada.token, rawBody: "[").code == "bad_json")
            #expect(try fixture.count(of: "muster.share") == 0)
            let share = try fixture.picture(of: group, by: ada)
            let other = "/v1/shares/\(share.id)"
            for (method, path, code) in [
                ("POST", path, "not_member"), ("GET", path, "not_member"), ("DELETE", other, "not_found"),
                ("POST", "/v1/groups/5/shares", "not_member"), ("DELETE", "/v1/shares/5", "not_found"),
            ] {
                let body: JSON? = method == "POST" ? [:] : nil
                #expect(try fixture.http(method, path, token: stranger.token, body: body).code == code)
                #expect(try fixture.http(method, path, body: body).status == 401)
            }
            #expect(try fixture.statuses(of: share) == [200, 200])
            #expect(try fixture.file("/s/\(String(repeating: "a", count: 22))").status == 404)
            #expect(try fixture.file("/s/\(String(repeating: "a", count: 22)).png").status == 404)
            for _ in 2...5 { _ = try fixture.picture(of: group, by: ada) }
            let sixth = try fixture.share(group, by: ada)
            #expect(sixth.status == 429 && (sixth.json?["retryAfter"].int ?? 0) > 3_500_000)
        }
    }

    @Test("guessed codes are metered by address; whoever has one is not")
    func guesses() async throws {
        try await ServerFixture.open(["--trusted-proxy", "127.0.0.1"]) { fixture in
            let (people, group) = try Self.placed(fixture, "Ada")
            let share = try fixture.picture(of: group, by: people[0].account)
            func look(_ path: String, from address: String) throws -> Int {
                try fixture.file(path, headers: [("X-Forwarded-For", address)]).status
            }
            for _ in 1...40 { #expect(try look(share.image, from: "203.0.113.7") == 200) }
            func guess(_ number: Int) throws -> Int {
                try look("/s/guess\(number)\(number % 2 == 0 ? ".png" : "")", from: "203.0.113.7")
            }
            let answers = try repeatUntilRefused(most: 200, where: { $0 == 429 }, guess)
            #expect(answers.count > 30 && answers.last == 429 && answers.dropLast().allSatisfy { $0 == 404 })
            let rights = try repeatUntilRefused(most: 5, where: { $0 == 429 }) { number in
                _ = try guess(200 + number)
                return try look(share.page, from: "203.0.113.7")
            }
            #expect(rights.last == 429, "also whether a guess was right")
            #expect(try look(share.page, from: "203.0.113.8") == 200)
            let metrics = try fixture.http("GET", "/metrics").text
            #expect(metrics.contains(#"muster_share_views_total{result="limited"}"#))
        }
    }

    @Test("a group of 250, each with a name and a place, is on one picture")
    func crowd() async throws {
        try await ServerFixture.open { fixture in
            let ada = try fixture.signUp("Ada")
            try fixture.query(
                """
                INSERT INTO muster.account (id, username, password_hash, name, created_at)
                SELECT n, 'crowd-' || n, 'x', 'Person ' || n, now() FROM generate_series(1000, 1248) n
                """
            )
            try fixture.query(
                """
                INSERT INTO muster.device (id, user_id, key, kind, last_seen, created_at)
                SELECT n, n, 'phone', 'phone', now(), now() FROM generate_series(1000, 1248) n
                """
            )
            try fixture.query(
                """
                INSERT INTO muster.grp (id, name, radius, dwell, max_absent, cooldown, created_at)
                VALUES (999, 'Crowd', 100, 180, 1, 1800, now())
                """
            )
            try fixture.query(
                """
                INSERT INTO muster.membership (group_id, user_id, role, visible_since, joined_at)
                SELECT 999, a.id, CASE WHEN a.id = $1 THEN 'owner' ELSE 'member' END::muster.member_role,
                    now() - interval '1 day', now() - interval '1 day'
                FROM muster.account a WHERE a.id = $1 OR a.id BETWEEN 1000 AND 1248
                """,
                [.id(ada.id)]
            )
            try fixture.query(
                """
                INSERT INTO muster.position (user_id, device_id, seq, at, lat, lon, accuracy, stationary, verdict)
                SELECT n, n, 1, now(), 48.2 + (n % 17) * 0.003, 16.3 + (n % 23) * 0.004, 8, true, 'ok'
                FROM generate_series(1000, 1248) n
                """
            )
            let phone = try fixture.enter(ada)
            try phone.sendFix(48.2, 16.37)
            try phone.waitForAck()
            let share = try fixture.picture(of: "999", by: ada, ["about": .string(ada.id), "names": "full"])
            #expect(share.shown.count == 250)
            #expect(try fixture.statuses(of: share) == [200, 200])
        }
    }

    @Test("what the live server knows and storage does not yet hides a picture too")
    func unstored() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try Self.placed(fixture, "Ada", "Bo")
            let (ada, bo) = (people[0], people[1])
            let share = try fixture.picture(of: group, by: ada.account)
            let other = try fixture.picture(of: group, by: ada.account)
            // Until this transaction ends, no change of the group can be stored.
            try fixture.query("BEGIN")
            try fixture.query("SELECT id FROM muster.grp WHERE id = $1 FOR UPDATE", [.id(group)])
            try bo.send("sharing.set", ["mode": "approximate", "id": "later"])
            try ada.waitUntil("Bo on the grid") { ada.roster(group)[bo.account.id].sharing == "approximate" }
            #expect(try fixture.statuses(of: share) == [410, 410])
            #expect(try fixture.count(of: "muster.share WHERE revoked_at IS NOT NULL") == 0)
            try fixture.query("COMMIT")
            #expect(try bo.answer(tagged: "later").type == "ok")
            for each in [share, other] { #expect(try fixture.statuses(of: each) == [410, 410]) }
            #expect(try fixture.count(of: "muster.share WHERE png IS NULL") == 2)
        }
    }

    @Test("while PostgreSQL is away nothing is shown; what was narrowed then is gone when it is back")
    func outage() async throws {
        let cluster = try await ThrowawayCluster.dedicated()
        try await ServerFixture.open(on: cluster) { fixture in
            let (people, group) = try Self.placed(fixture, "Ada", "Bo", "Cy")
            let (ada, bo, cy) = (people[0], people[1], people[2])
            let first = try fixture.picture(of: group, by: ada.account)
            try bo.request("sharing.set", ["mode": "live"])
            #expect(try fixture.statuses(of: first) == [200, 200])
            try await cluster.stopImmediately()
            #expect(try fixture.statuses(of: first) == [503, 503])
            #expect(try fixture.share(group, by: ada.account).status == 503)
            let refusal = try cy.refusal(of: "sharing.set", ["pictures": false])
            #expect(refusal["code"].string == "unavailable")
            #expect(refusal["message"].string?.contains("not stored yet") == true)
            try cy.expect("sharing") { $0["pictures"].bool == false }
            try await cluster.start()
            var seen: Set<Int> = []
            // Never 200 again, whether the change is stored or only the world has it.
            let isGone = try eventually(within: 30_000) {
                let statuses = try fixture.statuses(of: first)
                seen.formUnion(statuses)
                let stored = try fixture.count(of: "muster.share WHERE revoked_at IS NOT NULL")
                return statuses == [410, 410] && stored == 1
            }
            #expect(isGone && seen.isSubset(of: [410, 503]), "\(seen)")
            #expect(try eventually(within: 30_000) { try fixture.unreadiness() == nil })
            #expect(try fixture.picture(of: group, by: ada.account).shown.count == 2)
        }
    }
}

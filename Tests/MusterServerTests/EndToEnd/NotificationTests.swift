import EventLoop
import MusterTestSupport
import Postgres
import Testing

@testable import MusterWire

@Suite("Notifications and live news", .blocking)
struct NotificationTests {
    /// Stores a notification in a transaction outside the server, without notice to the server.
    @discardableResult
    private func notify(_ fixture: ServerFixture, _ account: Account, group: String, _ subject: String) throws -> Int64?
    {
        let row = try fixture.query(
            """
            SELECT given FROM muster.notify(ARRAY[$1::bigint], '{left_without_you}', ARRAY[$2::bigint], '{NULL}', ARRAY[$3::text],
                ARRAY[date_trunc('milliseconds', now())], ARRAY['{"gathering":"6001","variant":"gathered","since":1732060620000,
                    "place":{"lat":48.2,"lon":16.37},"together":[{"id":"7","name":"Ada"}],"distance":2140.5,
                    "you":{"lat":48.22,"lon":16.37,"at":1732060780000}}'::jsonb])
            """,
            [.id(account.id), .id(group), .text(subject)]
        ).onlyRow()
        return try row?.int64("given")
    }

    private func numbers(_ client: TestClient) -> [Int64] {
        client.received.filter { $0.type == "left_without_you" }.compactMap { $0["notification"].int }
    }

    @Test("what is seen on one session is gone on the other, by number and up to one, also after a kill -9")
    func seen() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo")
            let bo = people[1].account
            for index in 1...4 { #expect(try self.notify(fixture, bo, group: group, "s\(index)") == Int64(index)) }
            #expect(try self.notify(fixture, bo, group: group, "s2") == 2, "a repeat")
            let phone = try fixture.enter(bo, device: "a")
            let tablet = try fixture.enter(bo, device: "b")
            for client in [phone, tablet] {
                try client.expect("left_without_you") { $0["notification"].int == 4 }
                #expect(self.numbers(client) == [1, 2, 3, 4])
            }
            #expect(phone.received.first { $0.type == "left_without_you" }?["groupName"].string == "Sunday climbers")

            try phone.request("seen", ["notifications": [2, 4]])
            #expect(try tablet.expect("seen")["notifications"].elements.map(\.int) == [2, 4])
            try phone.catchUp()
            #expect(phone.unreadFrames("seen").isEmpty, "it knows")
            let isStored = try eventually {
                try fixture.count(of: "muster.notification WHERE seen_at IS NOT NULL AND number IN (2, 4)") == 2
            }
            #expect(isStored)

            try fixture.crash()
            let again = try fixture.enter(bo, device: "a")
            try again.expect("left_without_you") { $0["notification"].int == 3 }
            #expect(self.numbers(again) == [1, 3])
            let other = try fixture.enter(bo, device: "b", resume: ["notification": 4])
            try again.request("seen", ["upTo": 4])
            #expect(try other.expect("seen")["notifications"].elements.map(\.int) == [1, 3])
            #expect(self.numbers(other).isEmpty, "it holds them all")
            #expect(try eventually { try fixture.count(of: "muster.notification WHERE seen_at IS NULL") == 0 })
            for wrong: JSON in [
                [:], ["upTo": 1, "notifications": [1]], ["notifications": []], ["notifications": ["1"]],
            ] {
                try again.sendBroken(JSON.object([(key: "type", value: "seen")]).with(wrong).text)
                #expect(try again.expect("error")["code"].string == "bad_request")
            }
        }
    }

    @Test("an alert whose number leaves a gap waits until what is in it was read, and both come in order")
    func gap() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo", "Cy", "Di")
            let di = people[3]
            try di.sendFix(48.22, 16.37)
            try di.waitForAck()
            // Number 1, about which the server receives no message.
            #expect(try self.notify(fixture, di.account, group: group, "gap") == 1)
            try report(Array(people[0...2])) { _ in (48.2, 16.37) }
            try di.expect("left_without_you", within: 15_000) { $0["notification"].int == 2 }
            #expect(self.numbers(di) == [1, 2])
            try fixture.crash()
            let again = try fixture.enter(di.account)
            try again.expect("left_without_you") { $0["notification"].int == 2 }
            #expect(self.numbers(again) == [1, 2])
        }
    }

    @Test("who leaves or loses a group loses what is unseen of it, on all sessions and in storage")
    func leaving() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo", "Cy")
            let (ada, bo, cy) = (people[0], people[1].account, people[2].account)
            for account in [ada.account, bo, cy] { try self.notify(fixture, account, group: group, "l") }
            let clients = try [bo, cy].map { account in
                try [fixture.enter(account, device: "a"), fixture.enter(account, device: "b")]
            }
            for client in clients.joined() { try client.expect("left_without_you") }
            try clients[0][0].request("group.leave", ["group": .string(group)])
            try ada.request("group.remove", ["group": .string(group), "user": .string(cy.id)])
            for client in clients.joined() {
                #expect(try client.expect("seen")["notifications"].elements.map(\.int) == [1])
            }
            #expect(try fixture.count(of: "muster.notification") == 1)
            let again = try fixture.enter(bo, device: "c")
            try again.catchUp()
            #expect(self.numbers(again).isEmpty)
            let tablet = try fixture.enter(ada.account, device: "b")
            try tablet.expect("left_without_you")
            try ada.request("group.delete", ["group": .string(group)])
            #expect(try tablet.expect("seen")["notifications"].elements.map(\.int) == [1])
            #expect(try fixture.count(of: "muster.notification") == 0)
        }
    }

    @Test("a group's name and settings reach every session at once, and no watch")
    func groupSnapshot() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo")
            let (ada, bo) = (people[0], people[1])
            let tablet = try fixture.enter(bo.account, device: "tablet")
            let watch = try fixture.connect(bo.account, subprotocol: "muster.watch.v1")
            try watch.hello(device: "watch", kind: "watch")
            try ada.request("group.update", ["group": .string(group), "name": "Monday", "settings": ["radius": 250]])
            for client in [ada, bo, tablet] {
                let news = try client.expect("group") { $0["group"]["id"].string == group }
                #expect(news["group"]["name"].string == "Monday")
                #expect(news["group"]["settings"]["radius"].double == 250)
            }
            // A user who joins another group is notified of the group and of the sharing there.
            let other = try ada.createGroup("Tuesday", [:])
            try bo.join(try ada.invite(to: other))
            let joined = try tablet.expect("group") { $0["group"]["id"].string == other }
            #expect(joined["group"]["name"].string == "Tuesday")
            for client in [bo, tablet] {
                let sharing = try client.expect("sharing") { $0["group"].string == other }
                #expect(sharing["mode"].string == "live" && sharing["until"].isNull)
                try client.waitUntil("the roster") { client.rosters[other] != nil }
            }
            try bo.catchUp()
            #expect(bo.unreadFrames("group").isEmpty, "it asked for it")
            try watch.catchUp()
            #expect(!watch.received.contains { ["group", "sharing", "seen"].contains($0.type) })
        }
    }

    @Test(
        "what one shares is told to all one's own sessions when it changes or ends, to nobody else, and in the welcome"
    )
    func sharing() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo")
            let (ada, bo) = (people[0], people[1])
            let tablet = try fixture.enter(bo.account, device: "tablet")
            let until = MonotonicClock.system.wallMilliseconds + 4_000
            let choice: JSON = ["mode": "approximate", "group": .string(group), "until": .integer(until)]
            try bo.request("sharing.set", choice)
            for client in [bo, tablet] {
                let received = try client.expect("sharing") { $0["mode"].string == "approximate" }
                #expect(received["group"].string == group && received["until"].int == until)
            }
            let laptop = try fixture.connect(bo.account)
            let welcome = try laptop.hello(device: "laptop", kind: "browser")
            #expect(welcome["groups"][0]["sharing"]["mode"].string == "approximate")
            #expect(welcome["groups"][0]["sharing"]["until"].int == until)
            for client in [bo, tablet, laptop] {
                let received = try client.expect("sharing", within: 15_000) {
                    $0["mode"].string == "live" && $0["until"].isNull
                }
                #expect(received["group"].string == group)
            }
            try ada.catchUp()
            #expect(ada.received.filter { $0.type == "sharing" }.allSatisfy { $0["mode"].string == "live" })
        }
    }
}

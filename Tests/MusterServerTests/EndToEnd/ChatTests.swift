import MusterTestSupport
import Postgres
import Testing

@testable import MusterWire

@Suite("Chat", .blocking)
struct ChatTests {
    private static let chatting: JSON = ["rooms": [:]]

    private static func send(_ text: JSON, _ key: JSON, in room: String, _ more: JSON = [:]) -> JSON {
        (["room": .string(room), "key": key, "text": text] as JSON).with(more)
    }

    /// Three users in one group, the last of them with a client without room support, and the group's room.
    private static func friends(_ fixture: ServerFixture) throws -> (people: [TestClient], room: String) {
        let (people, room) = try fixture.friends("Ada", "Bo", "Cy")
        let chatting = try people.prefix(2).map { person in
            let again = try fixture.enter(person.account, resume: Self.chatting)
            try again.expect("rooms") { $0["rooms"][0]["room"].string == room }
            return again
        }
        return (chatting + [people[2]], room)
    }

    @Test(
        "what one says comes to the others once and in order, over a server that is killed; who knows no rooms hears nothing"
    )
    func story() async throws {
        try await ServerFixture.open { fixture in
            let (people, room) = try Self.friends(fixture)
            let sent = try people[0].request("chat.send", Self.send("Hello", "a", in: room))
            #expect(sent["repeated"].bool == false)
            let seq = sent["message"]["seq"].int ?? 0
            let push = try people[1].expect("chat")
            #expect(push["messages"][0]["text"].string == "Hello")
            #expect(push["upTo"].int == sent["message"]["version"].int)
            let again = try people[0].request("chat.send", Self.send("Other words", "a", in: room))
            #expect(again["repeated"].bool == true)
            #expect(again["message"]["text"].string == "Hello")

            try fixture.crash()
            let ada = try fixture.enter(people[0].account, resume: Self.chatting)
            let held: JSON = [
                "epoch": .string(push["epoch"].string ?? ""), "version": .integer(push["upTo"].int ?? 0), "read": 0,
            ]
            let resume: JSON = ["rooms": .object([(key: room, value: held)])]
            #expect(try ada.request("chat.send", Self.send("x", "a", in: room))["repeated"].bool == true)
            try ada.request("chat.send", Self.send("While you were away", "b", in: room, ["replyTo": .integer(seq)]))
            let bo = try fixture.enter(people[1].account, resume: resume)
            let missed = try bo.expect("chat")
            #expect(missed["after"].int == push["upTo"].int)
            #expect(missed["messages"].elements.map { $0["text"].string } == ["While you were away"])
            let edited = try ada.request("chat.edit", ["room": .string(room), "seq": .integer(seq), "text": "Hi"])
            #expect(edited["message"]["text"].string == "Hi")
            #expect(try bo.expect("chat")["messages"][0]["seq"].int == seq)
            try ada.request("chat.delete", ["room": .string(room), "seq": .integer(seq)])
            #expect(try bo.expect("chat")["messages"][0]["deleted"].bool == true)
            let history = try bo.request("chat.history", ["room": .string(room), "limit": 2])
            #expect(history["messages"].elements.map { $0["seq"].int } == [seq, seq + 1])
            #expect(history["more"].bool == true)

            let cy = people[2]
            #expect(cy.received.allSatisfy { !["chat", "rooms", "chat_gap", "typing", "chat_read"].contains($0.type) })
        }
    }

    @Test("what one has read is told to one's other sessions, who writes to those who look, who leaves loses the room")
    func others() async throws {
        try await ServerFixture.open { fixture in
            let (people, room) = try Self.friends(fixture)
            let (ada, bo) = (people[0], people[1])
            let tablet = try fixture.enter(bo.account, device: "tablet", resume: Self.chatting)
            try tablet.expect("rooms")
            let seq = try ada.request("chat.send", Self.send("One", "a", in: room))["message"]["seq"].int ?? 0
            try bo.expect("chat")
            let read = try bo.request("chat.read", ["room": .string(room), "seq": .integer(seq)])
            #expect(read["unread"].int == 0)
            let received = try tablet.expect("chat_read")
            #expect(received["seq"].int == seq)
            try bo.request("chat.focus", ["room": .string(room)])
            try ada.request("chat.typing", ["room": .string(room)])
            #expect(try bo.expect("typing")["users"].strings == [ada.account.id])
            let muted = try bo.request("room.set", ["room": .string(room), "muted": "all"])
            #expect(muted["room"]["muted"].string == "all")
            #expect(try tablet.expect("rooms")["rooms"][0]["muted"].string == "all")
            let slow: JSON = ["room": .string(room), "slow": 60]
            #expect(try bo.refusal(of: "room.set", slow)["code"].string == "forbidden")
            try ada.request("room.set", slow)
            try bo.expect("rooms") { $0["rooms"][0]["slow"].int == 60 }
            try bo.request("chat.send", Self.send("b", "b", in: room))
            let soon = try bo.refusal(of: "chat.send", Self.send("c", "c", in: room))
            #expect(soon.isTooOften)
            #expect((soon["retryAfter"].int ?? 0) > 50_000)

            try ada.request("group.remove", ["group": .string(room), "user": .string(bo.account.id)])
            try bo.expect("rooms") { $0["rooms"][0]["gone"].bool == true }
            let version = try ada.request("chat.send", Self.send("Without you", "z", in: room))["message"]["version"]
                .int
            try ada.waitUntil("one's own message") {
                ada.received.contains { $0.type == "chat" && $0["upTo"].int == version }
            }
            let system = try ada.request("chat.history", ["room": .string(room), "limit": 2])["messages"][0]
            #expect(system["data"]["event"].string == "removed")
            #expect(system["from"]["name"].string == "Bo")
            try bo.catchUp()
            try tablet.catchUp()
            for device in [bo, tablet] {
                #expect(!device.received.contains { $0.text.contains("Without you") })
                #expect(try device.refusal(of: "chat.history", ["room": .string(room)])["code"].string == "not_member")
            }
        }
    }

    @Test("bad requests name the field and change nothing; strangers are not in the room")
    func refusals() async throws {
        try await ServerFixture.open { fixture in
            let (people, room) = try Self.friends(fixture)
            let (ada, stranger) = (people[0], try fixture.enter(try fixture.signUp("Eve"), resume: Self.chatting))
            let long = String(repeating: "a", count: 4001)
            let bad: [(fields: String, field: String)] = [
                (#""key":"k","text":"""#, "text"), (#""key":"k","text":"\#(long)""#, "text"),
                (#""key":"k","text":"a\u0007b""#, "text"), (#""key":"k","text":"\u202e\u200b""#, "text"),
                (#""key":"","text":"a""#, "key"), (#""key":"k""#, "text"),
                (#""key":"k","text":"a","replyTo":999"#, "replyTo"),
                (#""key":"k","text":"a","mentions":["\#(stranger.account.id)"]"#, "mentions"),
                (#""key":"k","text":"a","mentions":[7]"#, "mentions"),
            ]
            for (number, frame) in bad.enumerated() {
                try ada.sendBroken(#"{"type":"chat.send","id":"bad \#(number)","room":"\#(room)",\#(frame.fields)}"#)
                let error = try ada.expect("error") { $0["id"].string == "bad \(number)" }
                #expect(error["code"].string == "bad_request")
                #expect(error["field"].string == frame.field, "\(frame.fields.prefix(40))")
            }
            let requests: [(String, JSON)] = [
                ("chat.send", Self.send("x", "x", in: room)), ("chat.history", ["room": .string(room)]),
                ("chat.edit", ["room": .string(room), "seq": 1, "text": "x"]),
                ("chat.delete", ["room": .string(room), "seq": 1]),
                ("chat.changes", ["room": .string(room), "epoch": "e", "after": 0]),
                ("chat.read", ["room": .string(room), "seq": 1]),
                ("room.set", ["room": .string(room), "muted": "all"]),
                ("group.wait", ["group": .string(room), "key": "k"]), ("chat.focus", ["room": .string(room)]),
                ("chat.typing", ["room": .string(room)]),
            ]
            for (type, fields) in requests {
                #expect(try stranger.refusal(of: type, fields)["code"].string == "not_member", "\(type)")
            }
            try stranger.request("chat.focus")
            #expect(try fixture.count(of: "muster.message WHERE kind <> 'system'") == 0)
            #expect(try ada.refusal(of: "group.wait", ["group": .string(room), "key": "k"])["code"].string == "gone")
            #expect(
                try ada.refusal(
                    of: "report",
                    ["what": "message", "subject": "99", "room": .string(room), "reason": "x"]
                )[
                    "code"
                ].string == "not_found"
            )
            try ada.request("report", ["what": "message", "subject": "1", "room": .string(room), "reason": "Not nice"])
            #expect(try fixture.count(of: "ops.reports_open") == 1)
        }
    }

    @Test("what was committed without anybody being told comes when the change feed is back, also to who is not there")
    func untold() async throws {
        try await ServerFixture.open { fixture in
            let (people, room) = try Self.friends(fixture)
            try people[0].request("chat.send", Self.send("Hello", "a", in: room))
            try people[1].expect("chat")
            try fixture.silenceFeed()
            try fixture.query(
                """
                WITH next AS (
                    UPDATE muster.room SET last_seq = last_seq + 1, version = version + 1 WHERE id = $1 RETURNING *
                )
                INSERT INTO muster.message (room_id, seq, version, key, kind, author_id, at, text, mentions)
                SELECT id, last_seq, version, 'b', 'text', $2, now(), 'Behind your back', ARRAY[$3::bigint] FROM next
                """,
                [.id(room), .id(people[0].account.id), .id(people[1].account.id)]
            )
            try fixture.admitFeed()
            try people[1].expect("chat") { $0["messages"][0]["text"].string == "Behind your back" }
            try people[1].expect("mention") { $0["text"].string == "Behind your back" }
        }
    }

    @Test("how far one has read is right at once, and written at most once a second, the newest always")
    func marks() async throws {
        try await ServerFixture.open { fixture in
            let (people, room) = try Self.friends(fixture)
            var seqs: [Int64] = []
            for number in 0..<8 {
                let sent = try people[0].request("chat.send", Self.send("m", .string("k\(number)"), in: room))
                seqs.append(sent["message"]["seq"].int ?? 0)
            }
            try fixture.query("CREATE TABLE public.marks (seq bigint, at timestamptz DEFAULT clock_timestamp())")
            try fixture.query(
                """
                CREATE FUNCTION public.note_mark() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN INSERT INTO public.marks (seq) VALUES (NEW.read_seq); RETURN NULL; END $$
                """
            )
            try fixture.query(
                "CREATE TRIGGER note_mark AFTER UPDATE ON muster.room_member FOR EACH ROW EXECUTE FUNCTION public.note_mark()"
            )
            for (number, seq) in seqs.enumerated() {
                let read = try people[1].request("chat.read", ["room": .string(room), "seq": .integer(seq)])
                #expect(read["unread"].int == Int64(seqs.count - number - 1))
            }
            // The read position never decreases.
            let back = try people[1].request("chat.read", ["room": .string(room), "seq": .integer(seqs[0])])
            #expect(back["unread"].int == 0)
            let newest = try #require(seqs.last)
            #expect(try eventually { try fixture.count(of: "public.marks WHERE seq = $1", [.int64(newest)]) == 1 })
            let close = """
                (SELECT at - lag(at) OVER (ORDER BY at) AS pause FROM public.marks) m WHERE pause < interval '0.9 seconds'
                """
            #expect(try fixture.count(of: close) == 0)
            #expect(try fixture.count(of: "public.marks") < Int64(seqs.count))
        }
    }

    @Test("how far one has read is kept when the server is stopped within the second")
    func marksAtStop() async throws {
        try await ServerFixture.open { fixture in
            let (people, room) = try Self.friends(fixture)
            var newest: Int64 = 0
            for number in 0..<3 {
                let sent = try people[0].request("chat.send", Self.send("m", .string("k\(number)"), in: room))
                newest = sent["message"]["seq"].int ?? 0
                _ = try people[1].request("chat.read", ["room": .string(room), "seq": .integer(newest)])
            }
            #expect(fixture.server.terminate() == 0)
            let read = "muster.room_member WHERE user_id = $1 AND read_seq = $2"
            #expect(try fixture.count(of: read, [.id(people[1].account.id), .int64(newest)]) == 1)
        }
    }

    @Test("a mention and a wish to wait are notifications; the same wish again is the same, and nobody is told twice")
    func waiting() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo", "Cy", settings: ["dwell": 0, "cooldown": 0])
            let cy = people[2]
            try cy.sendFix(48.22, 16.37)
            try cy.waitForAck()
            try report(Array(people[0...1])) { _ in (48.2, 16.37) }
            let alert = try cy.expect("left_without_you", within: 15_000)
            let key: JSON = .string("n\(alert["notification"].int ?? 0)")
            let watch = try fixture.connect(cy.account, subprotocol: "muster.watch.v1")
            try watch.hello(device: "watch", kind: "watch")
            let wish: JSON = ["group": .string(group), "key": key, "eta": 600]
            let first = try watch.request("group.wait", wish)
            #expect(first["told"].int == 2)
            let received = try people[0].expect("wait_for_me")
            #expect(received["from"]["name"].string == "Cy")
            #expect(received["eta"].int == 600)
            #expect((received["distance"].double ?? 0) > 1000)
            let same = try fixture.http(
                "POST",
                "/v1/groups/\(group)/wait",
                token: cy.account.token,
                body: ["key": key, "eta": 600]
            )
            #expect(same.status == 200)
            #expect(same.json?["message"]["seq"].int == first["message"]["seq"].int)
            let other = try fixture.http(
                "POST",
                "/v1/groups/\(group)/wait",
                token: cy.account.token,
                body: ["key": "another"]
            )
            #expect(other.status == 429)
            let mention: JSON = ["mentions": [.string(people[1].account.id)]]
            try people[0].request("chat.send", Self.send("Bo?", "m", in: group, mention))
            let called = try people[1].expect("mention")
            #expect(called["text"].string == "Bo?")
            try people[1].request("chat.read", ["room": .string(group), "seq": .integer(called["seq"].int ?? 0)])
            #expect(
                try fixture.count(
                    of:
                        "muster.notification WHERE kind IN ('mention', 'wait_for_me') AND user_id = $1 AND seen_at IS NULL",
                    [.id(people[1].account.id)]
                ) == 0
            )
            #expect(try fixture.count(of: "muster.notification WHERE kind = 'wait_for_me'") == 2)
        }
    }
}

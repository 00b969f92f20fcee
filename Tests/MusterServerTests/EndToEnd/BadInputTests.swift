import EventLoop
import MusterTestSupport
import Postgres
import Testing

@testable import MusterWire

@Suite("Bad input", .blocking)
struct BadInputTests {
    /// A frame that must be refused, and the expected error code.
    struct Bad {
        let text: String
        let code: String

        init(_ text: String, _ code: String) {
            self.text = text
            self.code = code
        }
    }

    private static let deep = String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000)
    private static let year2100 = 4_102_444_800_000

    private static func frames(of stranger: String, group: String) -> [Bad] {
        [
            Bad("hello?", "bad_json"),
            Bad(#"{"type":"location","seq":1"#, "bad_json"),
            Bad(#"{"type":"ping","x":NaN}"#, "bad_json"),
            Bad(#"{"type":"ping","x":"\ud83"}"#, "bad_json"),
            Bad(#"{"type":"ping","x":\#(Self.deep)}"#, "bad_json"),
            Bad("[]", "bad_request"),
            Bad("{}", "bad_request"),
            Bad(#"{"type":7}"#, "bad_request"),
            Bad(#"{"type":"teleport"}"#, "unknown_type"),
            Bad(#"{"type":"sharing.set","mode":"visible"}"#, "bad_request"),
            Bad(#"{"type":"seen","upTo":99999999999999999999}"#, "bad_request"),
            Bad(#"{"type":"group.create","name":"n","settings":{"radius":1e999}}"#, "bad_request"),
            Bad(#"{"type":"group.create","name":""}"#, "bad_request"),
            Bad(#"{"type":"group.update","group":"\#(group)","name":"Ours now"}"#, "not_member"),
            Bad(#"{"type":"group.invite","group":"\#(group)"}"#, "not_member"),
            Bad(#"{"type":"group.remove","group":"\#(group)","user":"\#(stranger)"}"#, "not_member"),
            Bad(#"{"type":"locate","group":"\#(group)","user":"\#(stranger)"}"#, "not_member"),
            Bad(#"{"type":"sharing.set","mode":"paused","group":"\#(group)"}"#, "not_member"),
            Bad(#"{"type":"group.join","code":"' OR 1=1 --"}"#, "not_found"),
            Bad(#"{"type":"location","seq":1,"lat":91,"lon":0}"#, "bad_fix"),
            Bad(#"{"type":"location","seq":2,"lat":0,"lon":0}"#, "bad_fix"),
            Bad(#"{"type":"location","seq":3,"lat":1e999,"lon":0}"#, "bad_fix"),
            Bad(#"{"type":"location","seq":4,"lat":"48.2","lon":16.37}"#, "bad_fix"),
            Bad(#"{"type":"location","seq":5,"lat":48.2}"#, "bad_fix"),
            Bad(#"{"type":"location","seq":6,"lat":48.2,"lon":16.37,"at":0}"#, "bad_fix"),
            Bad(#"{"type":"location","seq":7,"lat":48.2,"lon":16.37,"at":1000}"#, "bad_fix"),
            Bad(#"{"type":"location","seq":8,"lat":48.2,"lon":16.37,"at":\#(Self.year2100)}"#, "bad_fix"),
            Bad(#"{"type":"location","seq":0,"lat":48.2,"lon":16.37}"#, "bad_fix"),
            Bad(#"{"type":"location","seq":9,"lat":48.2,"lon":16.37,"accuracy":-5}"#, "bad_fix"),
        ]
    }

    @Test("each bad frame is answered as the protocol says; nothing changes and the friends notice nothing")
    func table() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo")
            let (ada, bo) = (people[0], people[1])
            try ada.sendFix(48.2, 16.37)
            for person in [ada, bo] {
                try person.waitUntil("Ada") { person.roster(group)[ada.account.id].latitude == 48.2 }
            }
            let mallory = try fixture.enter(try fixture.signUp("Mallory"))
            let own = try mallory.createGroup("Mallory's")
            func state() throws -> [String] {
                try [
                    "muster.account ORDER BY id", "muster.grp ORDER BY id",
                    "muster.membership ORDER BY group_id, user_id",
                    "muster.invite ORDER BY code", "muster.fix ORDER BY device_id, seq",
                    "muster.position ORDER BY user_id",
                ].map { table in
                    let row = try fixture.query(
                        "SELECT coalesce(string_agg(t::text, ';'), '') AS all_of_it FROM (SELECT * FROM \(table)) t"
                    ).onlyRow()
                    return "\(table): \(try row?.text("all_of_it") ?? "")"
                }
            }
            #expect(try eventually { try fixture.count(of: "muster.position") == 1 })
            let before = try state()
            try bo.catchUp()
            let known = bo.received.count

            // The server closes a session at 20 bad frames a minute.
            var device = 0
            var session = mallory
            for (index, bad) in Self.frames(of: bo.account.id, group: group).enumerated() {
                if index % 10 == 9 {
                    device += 1
                    session = try fixture.enter(mallory.account, device: "device \(device)")
                }
                try session.sendBroken(bad.text)
                let error = try session.expect("error")
                #expect(error["code"].string == bad.code, "\(bad.text.prefix(100)) was answered \(error)")
            }
            // The session still works.
            try session.request("group.list")
            try bo.catchUp()
            let news = bo.received.dropFirst(known).filter { $0.type != "pong" }
            #expect(news.isEmpty, "a friend noticed: \(news)")
            #expect(try state() == before)
            #expect(try session.request("group.list")["groups"][0]["id"].string == own)
        }
    }

    @Test("a tagged report gets exactly one answer with its tag: ok when a fix in it is well-formed, else an error")
    func taggedReports() async throws {
        try await ServerFixture.open { fixture in
            let client = try fixture.enter(try fixture.signUp("Ada"))
            let good = #""seq":%,"lat":48.2,"lon":16.37"#
            let bad = #""seq":%,"lat":91,"lon":16.37"#
            let ahead = #""seq":%,"lat":48.2,"lon":16.37,"at":4000000000000"#
            var sequence: Int64 = 0
            func fix(_ fields: String) -> String {
                sequence += 1
                return fields.replacing("%", with: "\(sequence)")
            }
            for (fields, code) in [(good, nil), (bad, "bad_fix"), (ahead, "bad_fix")] as [(String, String?)] {
                let text = #"{"type":"location","id":4711,\#(fix(fields))}"#
                let answers = try client.answers(to: text, tagged: 4711)
                #expect(answers.map { $0["code"].string } == [code])
                #expect(answers.map(\.type) == [code == nil ? "ok" : "error"])
                #expect(code == nil || answers.first?["seq"].int == sequence)
            }
            let batches: [([String], String)] = [
                ([good, good], "ok"), ([bad, good], "ok"), ([bad, bad], "error"), ([ahead], "error"), ([], "error"),
            ]
            for (batch, type) in batches {
                let fixes = batch.map { "{\(fix($0))}" }.joined(separator: ",")
                let text = #"{"type":"locations","id":4711,"fixes":[\#(fixes)]}"#
                let answers = try client.answers(to: text, tagged: 4711)
                #expect(answers.map(\.type) == [type])
                #expect(type == "ok" || answers.first?["code"].string == "bad_fix")
            }
            // Errors of single fixes name the fix and carry no tag.
            let mixed = [good, bad, good, bad].map { "{\(fix($0))}" }.joined(separator: ",")
            let known = client.received.count
            try client.sendBroken(#"{"type":"locations","fixes":[\#(mixed)]}"#)
            try client.catchUp()
            let errors = client.received.dropFirst(known).filter { $0.type == "error" }
            #expect(errors.compactMap { $0["index"].int } == [1, 3])
            #expect(errors.compactMap { $0["seq"].int } == [sequence - 2, sequence])
            #expect(errors.allSatisfy { $0["id"].string == nil && $0["id"].int == nil })
        }
    }

    @Test("every bad fix names its field, and what is wrong with a known clock; other details are dropped, and listed")
    func namedFields() async throws {
        try await ServerFixture.open { fixture in
            let client = try fixture.enter(try fixture.signUp("Ada"))
            let now = MonotonicClock.system.wallMilliseconds
            let bad: [(fields: String, field: String, words: String)] = [
                (#""lat":91,"lon":16.37"#, "lat", "-90"),
                (#""lat":48.2,"lon":16.37,"accuracy":"8""#, "accuracy", "number"),
                (#""lat":48.2,"lon":16.37,"at":\#(now / 1000)"#, "at", "seconds"),
                (#""lat":48.2,"lon":16.37,"at":\#(now - 1024 * 604_800_000)"#, "at", "1024 weeks"),
                (#""lat":48.2,"lon":16.37,"at":\#(now * 1000)"#, "at", "micro"),
            ]
            for (index, row) in bad.enumerated() {
                try client.sendBroken(#"{"type":"location","seq":\#(index + 1),\#(row.fields)}"#)
                let error = try client.expect("error")
                #expect(error["code"].string == "bad_fix" && error["field"].string == row.field, "\(error)")
                #expect(error["message"].string?.contains(row.words) == true, "\(error)")
            }
            try client.sendBroken(
                #"{"type":"location","seq":9,"lat":48.2,"lon":16.37,"battery":81,"speed":-3.6,"altitude":-9999}"#
            )
            var ack = try client.expect("ack")
            while ack["seq"].int != 9 { ack = try client.expect("ack") }
            #expect(ack["rejected"].count == 0)
            #expect(ack["dropped"].elements.map { $0["seq"].int } == [9, 9, 9])
            #expect(ack["dropped"].elements.map { $0["field"].string } == ["altitude", "speed", "battery"])
            #expect(try fixture.count(of: "muster.fix WHERE seq = 9 AND battery IS NULL AND speed IS NULL") == 1)
        }
    }

    @Test("what people paste is cleaned, half an emoji included, and the answer has it as it is stored")
    func pasted() async throws {
        try await ServerFixture.open { fixture in
            let client = try fixture.enter(try fixture.signUp("Ada"))
            try client.sendBroken(#"{"type":"group.create","id":4711,"name":"Wien\tHbf \ud83d"}"#)
            #expect(try client.expect("ok")["group"]["name"].string == "Wien Hbf \u{FFFD}")
            let body = #"{"username":"zo.e","password":"long enough","name":"Zo\u00eb\t\ude00"}"#
            let reply = try fixture.http("POST", "/v1/accounts", rawBody: body)
            #expect(reply.status == 201)
            #expect(reply.json?["user"]["name"].string == "Zoë \u{FFFD}")
        }
    }

    @Test("a second hello is refused, and the session goes on")
    func secondHello() async throws {
        try await ServerFixture.open { fixture in
            let client = try fixture.enter(try fixture.signUp("Ada"))
            try client.sendHello()
            #expect(try client.expect("error")["code"].string == "conflict")
            try client.catchUp()
        }
    }

    @Test("whoever does not begin with a hello is closed with 4400, also after 10,000 frames; nobody else notices")
    func noHello() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo")
            for first in [#"{"type":"ping","id":1}"#, "nonsense", #"{"type":"hello"}"#] {
                let stranger = try fixture.connect(people[0].account)
                try stranger.sendBroken(first)
                #expect(try stranger.expect("error")["code"].string?.hasPrefix("bad_") == true)
                #expect(try stranger.expectClose() == 4400)
            }
            let flood = try fixture.connect(people[0].account)
            // The server may close the connection before all frames are sent.
            try? flood.sendBroken(Array(repeating: #"{"type":"ping","id":1}"#, count: 10_000))
            #expect(throws: (any Error).self) { try flood.expect("pong", within: 5000) }
            try people[0].sendFix(48.2, 16.37)
            try people[1].waitUntil("Ada") { people[1].roster(group)[people[0].account.id].latitude == 48.2 }
            let closed = try eventually {
                try fixture.http("GET", "/metrics").text.contains("muster_closes_total{code=\"4400\"} 4\n")
            }
            #expect(closed)
        }
    }

    @Test("20 bad frames in a minute close the session with 4400; bad fixes do not count")
    func tooManyBadFrames() async throws {
        try await ServerFixture.open { fixture in
            let client = try fixture.enter(try fixture.signUp("Ada"))
            for number in 1...30 {
                try client.sendBroken(#"{"type":"location","seq":\#(number),"lat":91,"lon":0}"#)
            }
            try client.catchUp()
            #expect(client.unreadFrames("error").count == 30)
            for _ in 1...20 { try client.sendBroken("nonsense") }
            #expect(try client.expectClose() == 4400)
        }
    }

    @Test("a binary frame closes with 1003, one over 64 KiB with 1009")
    func frames() async throws {
        try await ServerFixture.open { fixture in
            let account = try fixture.signUp("Ada")
            let binary = try fixture.enter(account)
            try binary.sendRaw(opcode: 2, [1, 2, 3])
            #expect(try binary.expectClose() == 1003)
            let large = try fixture.enter(account)
            try large.sendRaw(opcode: 1, [UInt8](repeating: 0x20, count: 65_537))
            #expect(try large.expectClose() == 1009)
            // A frame of exactly the maximum size is accepted.
            let full = try fixture.enter(account)
            let padding = String(repeating: " ", count: 65_536 - #"{"type":"ping","id":9}"#.utf8.count)
            try full.sendBroken(#"{"type":"ping","id":9}"# + padding)
            #expect(try full.expect("pong")["id"].int == 9)
        }
    }

    @Test("HTTP that is too large, or of a kind that a path does not take, is refused")
    func http() async throws {
        try await ServerFixture.open { fixture in
            let long = String(repeating: "x", count: 70_000)
            let reply = try fixture.http("POST", "/v1/accounts", rawBody: #"{"username":"\#(long)"}"#)
            #expect(reply.status == 413)
            #expect(try fixture.http("GET", "/v1/nothing").status == 404)
            #expect(try fixture.http("GET", "/../Package.swift").status != 200)
            #expect(try fixture.http("GET", "/v1/me").status == 401)
            let wrong = try fixture.http("DELETE", "/v1/accounts")
            #expect(wrong.status == 405)
            #expect(wrong.code == "method_not_allowed")
            #expect(wrong.headers["allow"] == "POST")
            #expect(try fixture.http("GET", "/healthz").status == 200)
        }
    }
}

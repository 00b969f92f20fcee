import MusterTestSupport
import MusterWire
import Testing

@testable import MusterServer
@testable import WebSocketGateway

@Suite("A session, without sockets", .blocking)
struct SessionApplicationTests {
    @Test("frames that come while somebody is let in wait, and come behind the hello in order")
    func admission() {
        let fixture = SessionFixture()
        let client = fixture.shard.connect()
        fixture.send(SessionFixture.hello("right"), SessionFixture.fix(1), SessionFixture.fix(2), from: client)
        #expect(fixture.iterate(until: { fixture.notes.story.count == 3 }))
        #expect(fixture.notes.story == ["opened", "fix 1", "fix 2"])
    }

    @Test("who does not begin with a hello is told so and closed with 4400, and the world hears nothing")
    func noHello() {
        let fixture = SessionFixture()
        let client = fixture.shard.connect()
        fixture.send(SessionFixture.fix(1), from: client)
        #expect(client.read().first?.contains(#""code":"bad_request""#) == true)
        #expect(client.closeCode == CloseCode.badFrames.number)
        #expect(fixture.notes.story.isEmpty)
    }

    @Test("a wrong token closes with 4401")
    func wrongToken() {
        let fixture = SessionFixture()
        let client = fixture.shard.connect()
        fixture.send(SessionFixture.hello("wrong"), from: client)
        #expect(fixture.iterate(until: { client.closeCode != nil }))
        #expect(client.closeCode == CloseCode.unauthorized.number)
        #expect(client.read().first?.contains(#""id":1"#) == true)
    }

    @Test("a fix passes requests that run beside it, and waits for a barrier until the world knows what that changed")
    func order() {
        let fixture = SessionFixture()
        let client = fixture.enter()
        fixture.send(#"{"type":"slow","id":2}"#, SessionFixture.fix(1), from: client)
        #expect(fixture.notes.story == ["opened", "fix 1"])
        fixture.send(#"{"type":"barrier","id":3}"#, SessionFixture.fix(2), from: client)
        #expect(fixture.wait(for: 2))
        #expect(fixture.notes.story == ["opened", "fix 1"])
        fixture.handlers.finish("barrier")
        #expect(fixture.iterate(until: { fixture.notes.story.last == "fix 2" }))
        #expect(fixture.notes.story == ["opened", "fix 1", "barrier", "answer", "fix 2"])
        #expect(client.read() == [#"{"type":"ok","id":3}"#])
        fixture.handlers.finish("slow")
        #expect(fixture.iterate(until: { fixture.notes.story.last == "answer" }))
        fixture.shard.iterate()
        #expect(client.read() == [#"{"type":"ok","id":2}"#])
    }

    @Test("a ninth request waits for one of eight")
    func limit() {
        let fixture = SessionFixture()
        let client = fixture.enter()
        for number in 1...9 { fixture.send(#"{"type":"slow","id":\#(number)}"#, from: client) }
        #expect(fixture.wait(for: 8))
        fixture.handlers.finish("slow")
        #expect(fixture.iterate(until: { fixture.notes.story.contains("answer") && fixture.handlers.waiting == 8 }))
    }

    @Test("what is refused as no sense does not count as having been done; what was done does")
    func refused() {
        let fixture = SessionFixture()
        let client = fixture.enter()
        func answer(to frame: String) -> String? {
            fixture.send(frame, from: client)
            var answers: [String] = []
            _ = fixture.iterate(until: {
                answers += client.read()
                return !answers.isEmpty
            })
            return answers.first
        }
        for number in 1...3 {
            let refusal = answer(to: #"{"type":"metered","id":\#(number),"sense":false}"#)
            #expect(refusal?.contains("bad_request") == true)
        }
        #expect(answer(to: #"{"type":"metered","id":4}"#) == #"{"type":"ok","id":4}"#)
        #expect(answer(to: #"{"type":"metered","id":5}"#)?.contains("rate_limited") == true)
    }

    @Test("a handler that takes ten seconds is answered once, by unavailable; the session goes on")
    func overdue() {
        let fixture = SessionFixture()
        let client = fixture.enter()
        fixture.send(#"{"type":"slow","id":2}"#, from: client)
        #expect(fixture.wait(for: 1))
        fixture.clock.advance(milliseconds: 11_000)
        fixture.shard.advance()
        #expect(client.read().first?.contains(#""id":2,"code":"unavailable""#) == true)
        #expect(client.closeCode == nil)
        #expect(fixture.handlers.cancelled == 1, "what only reads need not be read any more")
        fixture.handlers.finish("slow")
        fixture.send(#"{"type":"slow","id":3}"#, from: client)
        #expect(fixture.wait(for: 1))
        fixture.handlers.finish("slow")
        #expect(fixture.iterate(until: { fixture.notes.story.contains("answer") }))
        fixture.shard.iterate()
        #expect(client.read() == [#"{"type":"ok","id":3}"#])
    }

    @Test("a barrier that takes ten seconds ends its session with 4503; what it changed reaches the world all the same")
    func overdueBarrier() {
        let fixture = SessionFixture()
        let client = fixture.enter()
        fixture.send(#"{"type":"barrier","id":2}"#, SessionFixture.fix(1), from: client)
        #expect(fixture.wait(for: 1))
        fixture.clock.advance(milliseconds: 11_000)
        fixture.shard.advance()
        #expect(client.closeCode == CloseCode.unavailable.number)
        #expect(fixture.handlers.cancelled == 0, "what is half done is done")
        fixture.handlers.finish("barrier")
        #expect(fixture.iterate(until: { fixture.notes.story.contains("barrier") }))
        #expect(!fixture.notes.story.contains("fix 1"))
        #expect(!fixture.notes.story.contains("answer"))
    }

    @Test("a handler that ends long after its time ends nothing else: a barrier goes on holding back what is behind it")
    func lateFinish() {
        let fixture = SessionFixture()
        let client = fixture.enter()
        fixture.send(#"{"type":"slow","id":2}"#, from: client)
        #expect(fixture.wait(for: 1))
        fixture.clock.advance(milliseconds: 11_000)
        fixture.shard.advance()
        fixture.send(#"{"type":"barrier","id":3}"#, SessionFixture.fix(1), from: client)
        #expect(fixture.wait(for: 2))
        fixture.handlers.finish("slow")
        #expect(fixture.iterate(until: { fixture.handlers.waiting == 1 }))
        // The late handler's output precedes the answer to this ping, which waits behind the barrier.
        fixture.send(#"{"type":"ping"}"#, from: client)
        #expect(fixture.iterate(until: { fixture.handlers.finished == 1 }))
        fixture.shard.iterate()
        #expect(fixture.notes.story == ["opened"])
        fixture.handlers.finish("barrier")
        #expect(fixture.iterate(until: { fixture.notes.story.contains("fix 1") }))
        #expect(fixture.notes.story.prefix(4) == ["opened", "barrier", "answer", "fix 1"])
    }

    @Test("who leaves with eight requests under way is gone; what only reads is let go")
    func leaving() {
        let fixture = SessionFixture()
        let client = fixture.enter()
        for _ in 1...8 { fixture.send(#"{"type":"slow"}"#, from: client) }
        #expect(fixture.wait(for: 8))
        fixture.shard.end(client)
        fixture.shard.iterate()
        #expect(fixture.notes.story.last == "closed")
        #expect(fixture.handlers.cancelled == 8)
    }

    @Test("a watch may not send what is for full sessions alone")
    func watch() {
        let fixture = SessionFixture()
        let client = fixture.enter(subprotocol: "muster.watch.v1")
        fixture.send(#"{"type":"slow","id":2}"#, SessionFixture.fix(1), from: client)
        #expect(client.read().first?.contains(#""id":2,"code":"forbidden""#) == true)
        #expect(fixture.notes.story == ["opened", "fix 1"])
    }
}

import MusterTestSupport
import MusterWire
import Testing
import WebSocketGateway

@testable import MusterServer

@Suite("A session, without sockets", .blocking)
struct SessionApplicationTests {
    @Test("frames that come while somebody is let in wait, and come behind the hello in order")
    func admission() {
        let stage = SessionStage()
        let client = stage.shard.connect()
        stage.send(SessionStage.hello("right"), SessionStage.fix(1), SessionStage.fix(2), from: client)
        #expect(stage.turn(until: { stage.notes.story.count == 3 }))
        #expect(stage.notes.story == ["opened", "fix 1", "fix 2"])
    }

    @Test("who does not begin with a hello is told so and closed with 4400, and the world hears nothing")
    func noHello() {
        let stage = SessionStage()
        let client = stage.shard.connect()
        stage.send(SessionStage.fix(1), from: client)
        #expect(client.read().first?.contains(#""code":"bad_request""#) == true)
        #expect(client.closeCode == CloseCode.badFrames.number)
        #expect(stage.notes.story.isEmpty)
    }

    @Test("a wrong token closes with 4401")
    func wrongToken() {
        let stage = SessionStage()
        let client = stage.shard.connect()
        stage.send(SessionStage.hello("wrong"), from: client)
        #expect(stage.turn(until: { client.closeCode != nil }))
        #expect(client.closeCode == CloseCode.unauthorized.number)
        #expect(client.read().first?.contains(#""id":1"#) == true)
    }

    @Test("a fix passes requests that run beside it, and waits for a barrier until the world knows what that changed")
    func order() {
        let stage = SessionStage()
        let client = stage.enter()
        stage.send(#"{"type":"slow","id":2}"#, SessionStage.fix(1), from: client)
        #expect(stage.notes.story == ["opened", "fix 1"])
        stage.send(#"{"type":"barrier","id":3}"#, SessionStage.fix(2), from: client)
        #expect(stage.wait(for: 2))
        #expect(stage.notes.story == ["opened", "fix 1"])
        stage.handlers.finish("barrier")
        #expect(stage.turn(until: { stage.notes.story.last == "fix 2" }))
        #expect(stage.notes.story == ["opened", "fix 1", "barrier", "answer", "fix 2"])
        #expect(client.read() == [#"{"type":"ok","id":3}"#])
        stage.handlers.finish("slow")
        #expect(stage.turn(until: { stage.notes.story.last == "answer" }))
        stage.shard.turn()
        #expect(client.read() == [#"{"type":"ok","id":2}"#])
    }

    @Test("a ninth request waits for one of eight")
    func limit() {
        let stage = SessionStage()
        let client = stage.enter()
        for number in 1...9 { stage.send(#"{"type":"slow","id":\#(number)}"#, from: client) }
        #expect(stage.wait(for: 8))
        stage.handlers.finish("slow")
        #expect(stage.turn(until: { stage.notes.story.contains("answer") && stage.handlers.waiting == 8 }))
    }

    @Test("what is refused as no sense does not count as having been done; what was done does")
    func refused() {
        let stage = SessionStage()
        let client = stage.enter()
        func answer(to frame: String) -> String? {
            stage.send(frame, from: client)
            var answers: [String] = []
            _ = stage.turn(until: {
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
        let stage = SessionStage()
        let client = stage.enter()
        stage.send(#"{"type":"slow","id":2}"#, from: client)
        #expect(stage.wait(for: 1))
        stage.clock.advance(milliseconds: 11_000)
        stage.shard.advance()
        #expect(client.read().first?.contains(#""id":2,"code":"unavailable""#) == true)
        #expect(client.closeCode == nil)
        #expect(stage.handlers.cancelled == 1, "what only reads need not be read any more")
        stage.handlers.finish("slow")
        stage.send(#"{"type":"slow","id":3}"#, from: client)
        #expect(stage.wait(for: 1))
        stage.handlers.finish("slow")
        #expect(stage.turn(until: { stage.notes.story.contains("answer") }))
        stage.shard.turn()
        #expect(client.read() == [#"{"type":"ok","id":3}"#])
    }

    @Test("a barrier that takes ten seconds ends its session with 4503; what it changed reaches the world all the same")
    func overdueBarrier() {
        let stage = SessionStage()
        let client = stage.enter()
        stage.send(#"{"type":"barrier","id":2}"#, SessionStage.fix(1), from: client)
        #expect(stage.wait(for: 1))
        stage.clock.advance(milliseconds: 11_000)
        stage.shard.advance()
        #expect(client.closeCode == CloseCode.unavailable.number)
        #expect(stage.handlers.cancelled == 0, "what is half done is done")
        stage.handlers.finish("barrier")
        #expect(stage.turn(until: { stage.notes.story.contains("barrier") }))
        #expect(!stage.notes.story.contains("fix 1"))
        #expect(!stage.notes.story.contains("answer"))
    }

    @Test("a handler that ends long after its time ends nothing else: a barrier goes on holding back what is behind it")
    func lateFinish() {
        let stage = SessionStage()
        let client = stage.enter()
        stage.send(#"{"type":"slow","id":2}"#, from: client)
        #expect(stage.wait(for: 1))
        stage.clock.advance(milliseconds: 11_000)
        stage.shard.advance()
        stage.send(#"{"type":"barrier","id":3}"#, SessionStage.fix(1), from: client)
        #expect(stage.wait(for: 2))
        stage.handlers.finish("slow")
        #expect(stage.turn(until: { stage.handlers.waiting == 1 }))
        // The late handler's output precedes the answer to this ping, which waits behind the barrier.
        stage.send(#"{"type":"ping"}"#, from: client)
        #expect(stage.turn(until: { stage.handlers.finished == 1 }))
        stage.shard.turn()
        #expect(stage.notes.story == ["opened"])
        stage.handlers.finish("barrier")
        #expect(stage.turn(until: { stage.notes.story.contains("fix 1") }))
        #expect(stage.notes.story.prefix(4) == ["opened", "barrier", "answer", "fix 1"])
    }

    @Test("who leaves with eight requests under way is gone; what only reads is let go")
    func leaving() {
        let stage = SessionStage()
        let client = stage.enter()
        for _ in 1...8 { stage.send(#"{"type":"slow"}"#, from: client) }
        #expect(stage.wait(for: 8))
        stage.shard.end(client)
        stage.shard.turn()
        #expect(stage.notes.story.last == "closed")
        #expect(stage.handlers.cancelled == 8)
    }

    @Test("a watch may not send what is for full sessions alone")
    func watch() {
        let stage = SessionStage()
        let client = stage.enter(subprotocol: "muster.watch.v1")
        stage.send(#"{"type":"slow","id":2}"#, SessionStage.fix(1), from: client)
        #expect(client.read().first?.contains(#""id":2,"code":"forbidden""#) == true)
        #expect(stage.notes.story == ["opened", "fix 1"])
    }
}

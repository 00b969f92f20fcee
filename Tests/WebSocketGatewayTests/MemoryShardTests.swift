import MusterWire
import Testing

@testable import WebSocketGateway

@Suite("A shard without sockets")
struct MemoryShardTests {
    @Test("an application reads frames and answers, messages reach it, and the end is told once")
    func conversation() {
        let harness = MemoryHarness()
        let client = harness.shard.connect()
        harness.shard.receive("hello", from: client)
        harness.shard.mailboxes.deliver(.say(Array("there".utf8)), to: client.id)
        harness.shard.iterate()
        #expect(client.read() == ["hello", "there"])
        #expect(client.writes == 1, "what a turn has to say goes out in one write")
        harness.shard.receive("bye", from: client)
        harness.shard.iterate()
        #expect(client.read() == [], "nothing follows a close")
        #expect(client.closeCode == CloseCode.normal.number)
        #expect(harness.record.closed.map(\.id) == [client.id])
        harness.shard.end(client)
        #expect(harness.record.closed.count == 1)
        #expect(harness.shard.metrics.connections == 0)
    }

    @Test("who says no hello in time is closed with 4408, and so is who does not answer pings")
    func deadlines() {
        let harness = MemoryHarness {
            $0.timing.helloDeadline = 10_000
            $0.timing.pingInterval = 25_000
        }
        let (silent, handshake) = (harness.shard.connect(), harness.shard.connect())
        harness.shard.receive("hello", from: handshake)
        harness.pass(milliseconds: 10_100)
        #expect(silent.closeCode == CloseCode.timedOut.number)
        #expect(handshake.closeCode == nil)
        for _ in 0..<20 { harness.pass(milliseconds: 5000) }
        #expect(handshake.closeCode == CloseCode.timedOut.number)
    }

    @Test("timers of the application fire, and a connection that is not read is read again")
    func timers() {
        let harness = MemoryHarness()
        let client = harness.shard.connect()
        harness.shard.receive("pause", from: client)
        #expect(!client.isRead)
        harness.pass(milliseconds: 300)
        #expect(client.read() == ["timer 7"])
        #expect(client.isRead)
    }

    @Test("a client that takes nothing is cut off when answers pile up, or when it has stood still for too long")
    func slowClients() {
        let harness = MemoryHarness { $0.limits.queuedBytes = 1000 }
        let (full, still) = (harness.shard.connect(), harness.shard.connect())
        for client in [full, still] { client.acceptsBytes = false }
        harness.send(.send(still.id, frame: Array("first".utf8)), .send(full.id, frame: Array("first".utf8)))
        for _ in 0..<11 { harness.send(.send(full.id, frame: [UInt8](repeating: 0x61, count: 100))) }
        for client in [full, still] { #expect(client.read().isEmpty) }
        for _ in 0..<10 { harness.pass(milliseconds: 1500) }
        #expect(Set(harness.record.closed.map(\.id)) == [full.id, still.id])
        #expect(harness.record.closed.allSatisfy { $0.code == .tooSlow })
    }

    @Test("frames of every length are read as they were sent", arguments: [0, 1, 125, 126, 65_535, 65_536])
    func lengths(count: Int) {
        let harness = MemoryHarness()
        let client = harness.shard.connect()
        let text = String(repeating: "x", count: count)
        harness.send(.send(client.id, frame: Array(text.utf8)), .send(client.id, frame: Array("end".utf8)))
        #expect(client.read() == [text, "end"])
    }
}

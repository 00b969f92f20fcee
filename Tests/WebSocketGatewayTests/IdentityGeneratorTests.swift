import Testing

@testable import WebSocketGateway

@Suite("Ids of connections and requests")
struct IdentityGeneratorTests {
    private static let start: Int64 = 1_795_000_000_000

    @Test("carry their node and their shard", arguments: [0, 1, 255] as [UInt8], [0, 63])
    func carries(node: UInt8, shard: Int) {
        var generator = IdentityGenerator(node: node, shard: shard, startMilliseconds: Self.start)
        for _ in 0..<1000 {
            let number = generator.make()
            #expect(number <= UInt64(Int64.max), "it is a session's id too, which is positive")
            #expect(ConnectionID(rawValue: number).node == node)
            #expect(ConnectionID(rawValue: number).shard == shard)
            #expect(RequestID(rawValue: number).node == node)
            #expect(RequestID(rawValue: number).shard == shard)
        }
    }

    @Test("rise, and go on above those of the process before when it opened as many as a gateway can")
    func rise() {
        var before = IdentityGenerator(node: 3, shard: 1, startMilliseconds: Self.start)
        var last: UInt64 = 0
        // 100,000 ids a second for ten seconds.
        for _ in 0..<1_000_000 {
            let number = before.make()
            guard number > last else {
                Issue.record("\(number) is not above \(last)")
                return
            }
            last = number
        }
        var after = IdentityGenerator(node: 3, shard: 1, startMilliseconds: Self.start + 10_000)
        #expect(after.make() > last)
    }

    @Test("of two nodes or two shards are never the same")
    func differ() {
        var seen: Set<UInt64> = []
        for (node, shard) in [(0, 0), (0, 1), (1, 0), (255, 63)] as [(UInt8, Int)] {
            var generator = IdentityGenerator(node: node, shard: shard, startMilliseconds: Self.start)
            for _ in 0..<1000 { #expect(seen.insert(generator.make()).inserted) }
        }
    }
}

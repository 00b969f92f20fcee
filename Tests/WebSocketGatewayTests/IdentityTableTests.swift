import Testing

@testable import WebSocketGateway

@Suite("The table of a shard's connections and topics")
struct IdentityTableTests {
    private final class Thing {}

    /// A key with a slot that the test chooses, so that keys collide.
    private struct Key: IdentityKey, Hashable {
        let number: Int
        let scatter: UInt64
    }

    @Test(
        "whatever is put in and taken out, everything is found under its own key",
        arguments: [1, 3, 16, 1 << 20] as [UInt64],
        [1, 2] as [UInt64]
    )
    func agreesWithDictionary(spread: UInt64, seed: UInt64) {
        var random = SplitMix(state: seed)
        var table = IdentityTable<Key, Thing>()
        var model: [Key: Thing] = [:]
        let keys = (0..<200).map { Key(number: $0, scatter: .random(in: 0..<spread, using: &random)) }
        for step in 0..<5000 {
            guard let key = keys.randomElement(using: &random) else { return }
            // The table grows, shrinks to nothing, and grows again.
            let isFilling = step / 1000 % 2 == 0
            if (Int.random(in: 0..<4, using: &random) > 0) == isFilling {
                let thing = Thing()
                table[key] = thing
                model[key] = thing
            } else {
                #expect(table.removeValue(forKey: key) === model.removeValue(forKey: key))
            }
            #expect(table.isEmpty == model.isEmpty)
            if step % 50 == 0 { self.compare(table, model, keys) }
        }
        self.compare(table, model, keys)
    }

    /// A real key that counts its comparisons, one for each slot that a search visits.
    private struct Counted<Real: IdentityKey>: IdentityKey {
        let real: Real
        let looks: Looks

        var scatter: UInt64 { self.real.scatter }

        static func == (left: Self, right: Self) -> Bool {
            right.looks.count += 1
            return left.real == right.real
        }
    }

    private final class Looks {
        var count = 0
    }

    /// The number of slots visited to find existing keys: the mean and the maximum.
    private func looks<Real>(
        for keys: [Real],
        in table: IdentityTable<Counted<Real>, Thing>
    ) -> (mean: Double, most: Int) {
        let each = keys.map { real in
            let looks = Looks()
            #expect(table[Counted(real: real, looks: looks)] != nil)
            return looks.count
        }
        return (Double(each.reduce(0, +)) / Double(each.count), each.max() ?? 0)
    }

    @Test(
        "connections are found at once however many of them come back while others stay",
        arguments: [(10_000, 1_000), (12_200, 100), (6_200, 6_000), (700, 10)]
    )
    func churn(count: Int, leaving: Int) {
        var random = SplitMix(state: 1)
        var generator = IdentityGenerator(node: 0, shard: 3, startMilliseconds: 1_795_000_000_000)
        var table = IdentityTable<Counted<ConnectionID>, Thing>()
        let unread = Looks()
        var ids: [ConnectionID] = []
        func open() -> ConnectionID {
            let id = ConnectionID(rawValue: generator.make())
            table[Counted(real: id, looks: unread)] = Thing()
            return id
        }
        for _ in 0..<count { ids.append(open()) }
        let fresh = self.looks(for: ids, in: table)
        #expect(fresh.mean < 1.1)
        for _ in 0..<4 * count {
            // The oldest keys remain.
            let place = Int.random(in: count - leaving..<count, using: &random)
            #expect(table.removeValue(forKey: Counted(real: ids[place], looks: unread)) != nil)
            ids[place] = open()
        }
        let later = self.looks(for: ids, in: table)
        #expect(later.mean < 2 && later.most < 40, "\(later)")
    }

    @Test(
        "topics of several families are found at once, whichever bits of their numbers differ",
        arguments: [0, 14, 22, 40]
    )
    func topics(shift: Int64) {
        var table = IdentityTable<Counted<TopicID>, Thing>()
        let unread = Looks()
        // Groups created in sequence, on different nodes, a millisecond apart, or five minutes apart.
        let ids = (1...3).flatMap { kind in
            (1...500).map { TopicID(kind: kind, key: (123_456 + $0) << shift) }
        }
        for id in ids { table[Counted(real: id, looks: unread)] = Thing() }
        #expect(table.count == ids.count)
        let found = self.looks(for: ids, in: table)
        #expect(found.mean < 2 && found.most < 40, "\(found)")
    }

    @Test("tiles, of which neighbours differ in a part of their name alone, are found at once", arguments: [4, 11, 16])
    func tiles(zoom: Int64) {
        var table = IdentityTable<Counted<TopicID>, Thing>()
        let unread = Looks()
        var ids: [TopicID] = []
        for layer in [5, 6] as [Int64] {
            for x in 1000..<1030 as Range<Int64> {
                for y in 2000..<2030 as Range<Int64> {
                    let place: Int64 = zoom << 44 | x << 22 | y
                    ids.append(TopicID(kind: 3, key: layer, part: place))
                }
            }
        }
        for id in ids { table[Counted(real: id, looks: unread)] = Thing() }
        #expect(table.count == ids.count)
        let found = self.looks(for: ids, in: table)
        #expect(found.mean < 2 && found.most < 40, "\(found)")
    }

    private func compare(_ table: IdentityTable<Key, Thing>, _ model: [Key: Thing], _ keys: [Key]) {
        for key in keys { #expect(table[key] === model[key]) }
        #expect(Set(table.values.map(ObjectIdentifier.init)) == Set(model.values.map(ObjectIdentifier.init)))
    }
}

import Testing

@testable import WebSocketGateway

@Suite("The table of a shard's connections and topics")
struct IdentityTableTests {
    private final class Thing {}

    /// A key whose place the test chooses, so that keys collide.
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
            // Grows, shrinks to nothing, and grows again.
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

    private func compare(_ table: IdentityTable<Key, Thing>, _ model: [Key: Thing], _ keys: [Key]) {
        for key in keys { #expect(table[key] === model[key]) }
        #expect(Set(table.values.map(ObjectIdentifier.init)) == Set(model.values.map(ObjectIdentifier.init)))
    }
}

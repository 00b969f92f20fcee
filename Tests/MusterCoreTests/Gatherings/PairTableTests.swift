import Testing

@testable import MusterCore

@Suite("Pair table")
struct PairTableTests {
    @Test("it holds what a dictionary holds, whatever comes and goes", arguments: [1, 2, 3] as [UInt64])
    func model(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var table = PairTable<Int>()
        var model: [UInt16: Int] = [:]
        let slots = seed == 1 ? 6 : 60
        for step in 0..<20_000 {
            let one = Int.random(in: 0..<slots, using: &random)
            let pair = MemberPair(one, (one + Int.random(in: 1..<slots, using: &random)) % slots)
            // The table fills up and empties again.
            if Int.random(in: 0..<4, using: &random) < (step / 2000 % 2 == 0 ? 3 : 1) {
                table[pair] = step
                model[pair.key] = step
            } else {
                table[pair] = nil
                model[pair.key] = nil
            }
            #expect(table.count == model.count)
            let other = MemberPair(Int.random(in: 0..<slots / 2, using: &random), slots / 2 + one % (slots / 2))
            #expect(table[other] == model[other.key], "seed \(seed), step \(step)")
            #expect(table[pair] == model[pair.key], "seed \(seed), step \(step)")
        }
    }
}

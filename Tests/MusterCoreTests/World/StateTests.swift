import Testing

@testable import MusterCore

@Suite("The world's tables")
struct StateTests {
    @Test("a map of numbers holds what a dictionary holds", arguments: 1...5)
    func map(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var map = NumberMap<Timestamp>()
        var model: [Int64: Timestamp] = [:]
        // Few numbers, so that many collide; some far apart, as ids are.
        let numbers = (0..<60).map { $0 < 40 ? Int64($0) : Int64.random(in: 1...Int64.max, using: &random) }
        for step in 0..<20_000 {
            guard let number = numbers.randomElement(using: &random) else { continue }
            let value = Int.random(in: 0..<3, using: &random) == 0 ? nil : Timestamp(milliseconds: Int64(step))
            map[number] = value
            model[number] = value
            #expect(map.count == model.count)
            guard step.isMultiple(of: 50) else { continue }
            for number in numbers { #expect(map[number] == model[number], "seed \(seed), step \(step)") }
            #expect(Dictionary(uniqueKeysWithValues: map.entries.map { ($0.number, $0.value) }) == model)
        }
    }

    @Test("a list of chunks holds what an array holds, and a copy stays as it was", arguments: 1...3)
    func chunks(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var list = ChunkedArray<[Int]>()
        var model: [[Int]] = []
        for step in 0..<5_000 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                list.append([step])
                model.append([step])
            case 5, 6:
                guard let place = model.indices.randomElement(using: &random) else { continue }
                list[place].append(step)
                model[place].append(step)
            case 7 where !model.isEmpty:
                #expect(list.removeLast() == model.removeLast())
            case 8:
                guard let place = model.indices.randomElement(using: &random) else { continue }
                model.swapAt(place, model.count - 1)
                #expect(list.swapRemove(at: place) == model.removeLast())
            case _:
                guard !model.isEmpty else { continue }
                let copy = list
                list[0].append(-step)
                #expect(copy.indices.map { copy[$0] } == model)
                model[0].append(-step)
            }
            #expect(list.count == model.count)
        }
        #expect(list.indices.map { list[$0] } == model)
    }

    @Test("a short list holds what an array holds", arguments: 1...3)
    func shortList(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var list = ShortList<Int>()
        var model: [Int] = []
        for step in 0..<2_000 {
            if Bool.random(using: &random) {
                let place = Int.random(in: 0...model.count, using: &random)
                list.insert(step, at: place)
                model.insert(step, at: place)
            } else {
                let divisor = Int.random(in: 2...3, using: &random)
                list.removeAll { $0.isMultiple(of: divisor) }
                model.removeAll { $0.isMultiple(of: divisor) }
            }
            #expect(Array(list) == model)
        }
    }
}

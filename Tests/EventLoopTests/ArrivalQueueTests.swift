import EventLoop
import Testing

@Suite("Arrival queue")
struct ArrivalQueueTests {
    @Test("gives back everything once, in order, however arrivals and departures alternate")
    func order() {
        var queue = ArrivalQueue<Int>()
        var arrived = 0
        var taken: [Int] = []
        for round in 0..<500 {
            for _ in 0..<round % 17 {
                queue.append(arrived)
                arrived += 1
            }
            for _ in 0..<round % 13 {
                let first = queue.first
                guard let next = queue.popFirst() else { break }
                #expect(first == next)
                taken.append(next)
            }
        }
        while let next = queue.popFirst() { taken.append(next) }
        #expect(taken == Array(0..<arrived))
        #expect(queue.isEmpty)
        #expect(queue.first == nil)
    }

    @Test("gives one back out of its turn, and the others in theirs")
    func outOfTurn() {
        var queue = ArrivalQueue<Int>()
        for number in 0..<10 { queue.append(number) }
        #expect(queue.popFirst() == 0)
        #expect(queue.removeFirst { $0 == 0 } == nil, "it is not there any more")
        #expect(queue.removeFirst { $0 % 4 == 3 } == 3)
        #expect(queue.removeFirst { $0 % 4 == 3 } == 7)
        #expect(queue.count == 7)
        var rest: [Int] = []
        while let next = queue.popFirst() { rest.append(next) }
        #expect(rest == [1, 2, 4, 5, 6, 8, 9])
        queue.append(10)
        #expect(queue.removeFirst { _ in true } == 10)
        #expect(queue.isEmpty && queue.count == 0 && queue.popFirst() == nil)
    }
}

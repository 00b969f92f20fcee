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
}

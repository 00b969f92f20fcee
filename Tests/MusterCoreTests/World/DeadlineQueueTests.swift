import Testing

@testable import MusterCore

@Suite struct DeadlineQueueTests {
    @Test(
        "subjects come up once each, at the earliest moment asked for, in order; stale entries do not pile up",
        arguments: [1, 2, 3]
    )
    func order(seed: UInt64) {
        var queue = DeadlineQueue()
        var model: [Int64: Int64] = [:]
        var random = SeededGenerator(seed: seed)
        var now: Int64 = 0
        for _ in 0..<20_000 {
            let user = Int64.random(in: 1...50, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<8:
                let at = now + Int64.random(in: 1...1_000, using: &random)
                queue.schedule(.user(UserID(user)), at: Timestamp(milliseconds: at))
                model[user] = min(at, model[user] ?? at)
            case 8:
                queue.cancel(.user(UserID(user)))
                model[user] = nil
            default:
                now += Int64.random(in: 1...200, using: &random)
                let due = model.filter { $0.value <= now }.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
                for (expected, _) in due {
                    model[expected] = nil
                    #expect(queue.popDue(at: Timestamp(milliseconds: now)) == .user(UserID(expected)))
                }
                #expect(queue.popDue(at: Timestamp(milliseconds: now)) == nil)
            }
            #expect(queue.count == model.count)
            #expect(queue.heapCount <= 2 * 50 + 65)
        }
    }
}

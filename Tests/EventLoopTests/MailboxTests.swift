import EventLoop
import Synchronization
import Testing

@Suite("Mailbox")
struct MailboxTests {
    /// Counts wakes.
    private final class Wakes: Sendable {
        let count = Atomic<Int>(0)
        var value: Int { self.count.load(ordering: .acquiring) }
        func add() { self.count.wrappingAdd(1, ordering: .releasing) }
    }

    @Test("a batch wakes its consumer once, and the next batch once more")
    func wakes() {
        let wakes = Wakes()
        let mailbox = Mailbox<Int> { wakes.add() }
        for number in 1...3 { #expect(mailbox.send(number) == number) }
        #expect(wakes.value == 1)
        var batch: [Int] = []
        mailbox.drain(into: &batch)
        #expect(batch == [1, 2, 3])
        #expect(mailbox.count == 0)
        mailbox.send(4)
        #expect(wakes.value == 2)
        mailbox.drain(into: &batch)
        #expect(batch == [4])
    }

    @Test("a batch that is sent at once keeps its order behind what waits, and its array comes back empty")
    func sendContents() {
        let wakes = Wakes()
        let mailbox = Mailbox<Int> { wakes.add() }
        var messages = [1, 2]
        #expect(mailbox.send(contentsOf: &messages) == 2)
        #expect(messages.isEmpty)
        messages = [3, 4]
        #expect(mailbox.send(contentsOf: &messages) == 4)
        messages = []
        #expect(mailbox.send(contentsOf: &messages) == 4)
        #expect(wakes.value == 1)
        var batch = [99]
        mailbox.drain(into: &batch)
        #expect(batch == [1, 2, 3, 4])
    }

    @Test("who stands in for the consumer takes what waits, and it is not woken; who does not, wakes it")
    func standIns() {
        let wakes = Wakes()
        let mailbox = Mailbox<Int> { wakes.add() }
        var batch: [Int] = []
        var messages = [1, 2]
        let depth = mailbox.send(contentsOf: &messages) { depth in
            mailbox.drain(into: &batch)
            return depth == 2
        }
        #expect(depth == 2)
        #expect(batch == [1, 2])
        #expect(wakes.value == 0)

        messages = [3]
        mailbox.send(contentsOf: &messages) { _ in false }
        #expect(wakes.value == 1)
        // The loop is awake already, so no stand-in is requested.
        messages = [4]
        mailbox.send(contentsOf: &messages) { _ in
            Issue.record("asked although the consumer was woken")
            return true
        }
        #expect(wakes.value == 1)
        mailbox.drain(into: &batch)
        #expect(batch == [3, 4])
    }

    @Test("a consumer that says it is about to look is not woken until it has")
    func heldWakes() {
        let wakes = Wakes()
        let mailbox = Mailbox<Int> { wakes.add() }
        mailbox.suppressWakes()
        mailbox.send(1)
        #expect(wakes.value == 0)
        var batch: [Int] = []
        mailbox.drain(into: &batch)
        #expect(batch == [1])
        mailbox.send(2)
        #expect(wakes.value == 1)
    }

    @Test("messages of many threads all arrive, each thread's in its order, and none waits without a wake")
    func concurrency() {
        let signal = WakeSignal()
        let mailbox = Mailbox<(producer: Int, number: Int)> { signal.raise() }
        let producers = 4
        let messages = 20_000
        let threads = (0..<producers).map { producer in
            WorkerThread(name: "producer-\(producer)") {
                for number in 0..<messages { mailbox.send((producer, number)) }
            }
        }
        var next = [Int](repeating: 0, count: producers)
        var batch: [(producer: Int, number: Int)] = []
        var isOrdered = true
        while next.reduce(0, +) < producers * messages {
            signal.wait(timeoutMilliseconds: 10_000)
            mailbox.drain(into: &batch)
            // A wake without a message would be harmless. A wait of ten seconds means that a wake was lost.
            guard !batch.isEmpty || mailbox.count > 0 || next.reduce(0, +) > 0 else { break }
            for message in batch {
                isOrdered = isOrdered && message.number == next[message.producer]
                next[message.producer] += 1
            }
        }
        for thread in threads { thread.join() }
        #expect(isOrdered)
        #expect(next == Array(repeating: messages, count: producers))
    }
}

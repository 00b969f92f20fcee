import MusterWire
import Testing

@testable import MusterCore
@testable import MusterServer
@testable import WebSocketGateway

@Suite struct AdmissionQueueTests {
    private func hello(_ number: Int) -> Hello {
        Hello(token: "token \(number)", device: Hello.Device(key: "phone", kind: .phone))
    }

    @Test("a crowd is taken in its order, and only as many at a time as the directory has use for")
    func order() throws {
        var queue = AdmissionQueue()
        let crowd = 3000
        for number in 0..<crowd { queue.append(self.hello(number), of: ConnectionID(rawValue: UInt64(number))) }
        var taken: [String] = []
        var running = 0
        while taken.count < crowd {
            while let (hello, id) = queue.begin() {
                #expect(hello.token == "token \(id.rawValue)")
                taken.append(hello.token)
                running += 1
            }
            #expect(running <= AdmissionQueue.limit)
            try #require(running > 0, "nobody would ever be taken again")
            queue.end()
            running -= 1
        }
        #expect(taken == (0..<crowd).map { "token \($0)" })
    }

    @Test("who comes when nobody waits is taken at once, also after a crowd")
    func alone() {
        var queue = AdmissionQueue()
        for number in 0..<5 {
            queue.append(self.hello(number), of: ConnectionID(rawValue: UInt64(number)))
            #expect(queue.begin()?.hello.token == "token \(number)")
            #expect(queue.begin() == nil)
            queue.end()
        }
    }
}

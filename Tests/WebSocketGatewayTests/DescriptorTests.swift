import EventLoop
import Glibc
import MusterTestSupport
import Testing
import WebSocketGateway

@Suite("Descriptors", .blocking)
struct DescriptorTests {
    @Test("a gateway that ends closes none that another thread has opened meanwhile")
    func nobodyElses() throws {
        let isDone = Counter()
        let lost = Counter()
        let opened = Counter()
        let threads = (0..<2).map { _ in
            WorkerThread(name: "test-opens") {
                repeat {
                    let descriptors = (0..<64).map { _ in fcntl(0, F_DUPFD_CLOEXEC, 3) }
                    opened.add()
                    for descriptor in descriptors where close(descriptor) != 0 { lost.add() }
                } while isDone.value == 0
            }
        }
        for _ in 0..<20 {
            let harness = try GatewayHarness { $0.shards = 4 }
            _ = harness.port
        }
        isDone.add()
        for thread in threads { thread.join() }
        #expect(opened.value > 0)
        #expect(lost.value == 0)
    }

    @Test("the limit stays above what is open when a smaller gateway follows, so that programs can be started")
    func smallerFollows() throws {
        let high: Int32
        do {
            // Gateways of other tests reserve descriptors at the same time, and the hard limit may be as low as 20,000.
            let large = try GatewayHarness { $0.limits.reservedDescriptors = 6_000 }
            high = fcntl(0, F_DUPFD_CLOEXEC, 6_000)
            _ = large
        }
        defer { close(high) }
        try #require(high >= 6_000)
        let small = try GatewayHarness()
        // Starting a program closes each descriptor in it, and descriptors beyond the limit cannot be named.
        let tool = try Tool.run("/bin/echo", ["done"], within: 20_000)
        #expect(tool.output == "done\n")
        _ = small
    }
}

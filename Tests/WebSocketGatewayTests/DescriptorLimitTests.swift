import Glibc
import MusterTestSupport
import Testing
import WebSocketGateway

@Suite("The limit on descriptors", .blocking)
struct DescriptorLimitTests {
    @Test("stays above what is open when a smaller gateway follows a larger one, so that programs can be started")
    func smallerFollows() throws {
        let high: Int32
        do {
            let large = try GatewayHarness { $0.limits.reservedDescriptors = 12_000 }
            high = fcntl(0, F_DUPFD_CLOEXEC, 12_000)
            _ = large
        }
        defer { close(high) }
        try #require(high >= 12_000)
        let small = try GatewayHarness()
        // Whoever starts a program has each descriptor closed in it, and may name none beyond the limit.
        let tool = try Tool.run("/bin/echo", ["done"], within: 20_000)
        #expect(tool.output == "done\n")
        _ = small
    }
}

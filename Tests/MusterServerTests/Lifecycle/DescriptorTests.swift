import Testing

@testable import MusterServer
@testable import WebSocketGateway

@Suite("Descriptors") struct DescriptorTests {
    @Test("both listeners together claim what the hard limit allows, and no more")
    func fitting() throws {
        var alone = ServerConfiguration()
        alone.gateway.limits.connections = 1_000_000_000
        var both = alone
        both.metricsListen = ("127.0.0.1", 0)
        alone.fitConnectionsToDescriptors()
        both.fitConnectionsToDescriptors()
        #expect(alone.gateway.limits.connections < 1_000_000_000)
        let metrics = try #require(both.metricsGateway)
        #expect(both.gateway.descriptors + metrics.descriptors == alone.gateway.descriptors)
        #expect(metrics.descriptors < 64, "a page for one reader needs no more")
    }
}

import MusterTestSupport
import MusterWire
import Testing

@Suite("muster simulate", .blocking)
struct SimulationTests {
    @Test("the people walk, meet, leave one behind, who is told; and they are gone when it ends")
    func story() async throws {
        try await ServerFixture.open { fixture in
            let simulation = try MusterProcess([
                "simulate", "--url", fixture.server.url, "--groups", "1", "--people", "4", "--speedup", "60",
                "--duration", "120",
            ])
            let isNotified = try eventually(within: 100_000) {
                guard simulation.isRunning else { return true }
                return try fixture.count(of: "muster.notification WHERE kind = 'left_without_you'") > 0
            }
            let count = try fixture.count(of: "muster.notification WHERE payload ->> 'variant' = 'gathered'")
            #expect(isNotified && count > 0, "\(simulation.log)")
            #expect(try fixture.count(of: "muster.account") == 4)
            #expect(simulation.terminate() == 0, "\(simulation.log)")
            #expect(try fixture.count(of: "muster.account") == 0)
            #expect(try fixture.count(of: "muster.grp") == 0)
        }
    }
}

import MusterTestSupport
import MusterWire
import Testing

@Suite("muster simulate", .blocking)
struct SimulationTests {
    @Test("the people walk, meet, leave one behind, who is told; and they are gone when it ends")
    func story() async throws {
        try await Town.open { town in
            let simulation = try MusterProcess([
                "simulate", "--url", town.server.url, "--groups", "1", "--people", "4", "--speedup", "60",
                "--duration", "120",
            ])
            let isTold = try eventually(within: 100_000) {
                guard simulation.isRunning else { return true }
                return try town.count(of: "muster.notification WHERE kind = 'left_without_you'") > 0
            }
            let count = try town.count(of: "muster.notification WHERE payload ->> 'variant' = 'gathered'")
            #expect(isTold && count > 0, "\(simulation.log)")
            #expect(try town.count(of: "muster.account") == 4)
            #expect(simulation.terminate() == 0, "\(simulation.log)")
            #expect(try town.count(of: "muster.account") == 0)
            #expect(try town.count(of: "muster.grp") == 0)
        }
    }
}

import Foundation
import MusterTestSupport
import Testing

@Suite(.blocking, .enabled(if: FileManager.default.fileExists(atPath: ProviderFixture.extract)))
struct PlacesBenchTests {
    @Test("places sets a provider's six categories against the slowest alone, and what is kept against what is asked")
    func provider() async throws {
        let standIn = try StandIn("places.py", [ProviderFixture.extract], hasPackages: true)
        let figures = try await BenchProcess.figures([
            "places", "--places", "/usr/share/libtimezonemap/ui/cities15000.txt", "--places-url",
            standIn.url + "/overpass", "--runs", "1",
        ])
        for key in ["import_ratio", "plans_ratio", "provider_alone_ms", "provider_ratio"] {
            #expect(try #require(figures[key]) > 0, "\(key)")
        }
        let (fresh, cached) = (try #require(figures["provider_fresh_ms"]), try #require(figures["provider_cached_ms"]))
        #expect(cached < fresh)
    }
}

import Foundation
import MusterTestSupport
import MusterWire
import Testing

@Suite(
    "Plans over places and streets of others",
    .blocking,
    .enabled(if: FileManager.default.fileExists(atPath: ProviderFixture.extract))
)
struct PlanSourceTests {
    private static func isRouted(_ plan: JSONValue) -> Bool { plan["routed"].bool == true }

    @Test("plans lead over streets to places that a source told once, and nothing of a person goes out")
    func suggest() async throws {
        let standIn = try StandIn("places.py", [ProviderFixture.extract], hasPackages: true)
        let options = [
            "--places-url", standIn.url + "/overpass", "--router-url", standIn.url + "/osrm", "--places-concurrency",
            "6",
        ]
        try await ServerFixture.open(options) { fixture in
            let ada = try fixture.enter(try fixture.signUp("Ada"))
            let wish: JSON = ["categories": ["restaurant", "park", "art"], "lat": 60.166_12, "lon": 24.941_34]
            var answer = try ada.request("plan.suggest", wish)
            // On a slow machine not all sources and streets answer in time; their answers are cached all the same.
            for _ in 0..<3 where answer["missing"].count > 0 || !answer["plans"].elements.allSatisfy(Self.isRouted) {
                answer = try ada.request("plan.suggest", wish)
            }
            #expect(answer["missing"].count == 0)
            #expect(answer["attribution"].strings == ["© OpenStreetMap contributors"])
            #expect(answer["plans"].count == 5)
            for plan in answer["plans"].elements {
                #expect(Self.isRouted(plan))
                #expect(plan["stops"].elements.allSatisfy { $0["leg"]["geometry"].string?.isEmpty == false })
            }
            let again = try ada.request("plan.suggest", wish)
            #expect(again["sources"].elements.map { $0["state"].string } == ["cached", "cached", "cached"])
            #expect(again["plans"][0]["name"].string == answer["plans"][0]["name"].string)
            let log = try Tool.run("/usr/bin/curl", ["-sS", standIn.url + "/log"])
            #expect(log.status == 0 && log.output.contains("overpass"))
            for secret in ["24.94134,60.16612", "60.16612,24.94134", ada.account.id, ada.account.token] {
                #expect(!log.output.contains(secret), "\(secret) went out")
            }
        }
    }
}

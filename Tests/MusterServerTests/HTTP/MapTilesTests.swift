import Testing

@testable import MusterServer

@Suite("Where map tiles come from")
struct MapTilesTests {
    @Test(
        "the policy names the host of the tiles, and nothing that is none",
        arguments: [
            ("https://tile.openstreetmap.org/{z}/{x}/{y}.png", "https://tile.openstreetmap.org"),
            ("https://{s}.tile.example/{z}/{x}/{y}.png", "https://*.tile.example"),
            ("http://localhost:8080/{z}/{x}/{y}.png", "http://localhost:8080"),
            ("/tiles/{z}/{x}/{y}.png", nil),
            ("https://a.example; script-src *", nil),
            ("javascript:alert(1)", nil),
            ("https:///x.png", nil),
        ] as [(String, String?)]
    )
    func source(template: String, source: String?) {
        #expect(MapTiles.source(of: template) == source)
    }
}

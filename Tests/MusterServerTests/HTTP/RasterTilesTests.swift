import Testing

@testable import MusterServer

@Suite("Raster tiles of another host")
struct RasterTilesTests {
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
        #expect(RasterTiles.source(of: template) == source)
    }

    @Test(
        "a template needs column, row and zoom once each, and a host",
        arguments: [
            ("https://tile.example/{z}/{x}/{y}.png", true), ("https://tile.example/{z}/{x}.png", false),
            ("https://tile.example/{z}/{z}/{x}/{y}.png", false), ("/tiles/{z}/{x}/{y}.png", false),
        ]
    )
    func templates(url: String, isValid: Bool) {
        #expect((RasterTiles(url: url, attribution: "Example") != nil) == isValid)
    }
}

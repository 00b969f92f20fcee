import Foundation
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

    @Test("the operator's file is read with a byte order mark and CRLF too")
    func marked() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "muster-page-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let text = "\u{FEFF}{\r\n\"tiles\": {\"url\": \"https://tile.example/{z}/{x}/{y}.png\"}}\r\n"
        try Data(text.utf8).write(to: folder.appending(path: "config.json"))
        #expect(MapTiles.source(in: folder.path) == "https://tile.example")
    }
}

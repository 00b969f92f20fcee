import Testing

@testable import OutboundHTTP

@Suite struct TileTemplateTests {
    @Test(
        "a template says where each tile is, in any order of its numbers",
        arguments: [
            ("https://tile.example.org/{z}/{x}/{y}.png", "https://tile.example.org/10/583/297.png"),
            ("http://127.0.0.1:8080/{z}/{y}/{x}", "http://127.0.0.1:8080/10/297/583"),
            ("https://a.example/map_{z}_{x}_{y}.png", "https://a.example/map_10_583_297.png"),
        ]
    )
    func fills(_ text: String, url: String) throws {
        let found = try TileTemplate(configured: text).url(zoom: 10, column: 583, row: 297)
        #expect(found.description == url)
        #expect(try found.authority == OperatorURL(configured: url).authority)
    }

    @Test(
        "what is no template is refused",
        arguments: [
            "", "tile.example.org/{z}/{x}/{y}.png", "ftp://a.example/{z}/{x}/{y}.png", "https://a.example/{z}/{x}.png",
            "https://a.example/{x}/{y}.png", "https://a.example/{z}/{y}.png", "https://a.example/tile.png",
            "https://a.example/{z}/{x}/{y}/{x}.png", "https://{s}.a.example/{z}/{x}/{y}.png",
            "https://a.example/{z}/{x}/{y}{r}.png", "https://a.example/{z}/{x}/{y}.png}",
            "https://a.example/{z}/{x}/{y}@2x.png", "https://user:word@a.example/{z}/{x}/{y}.png",
            "https://a.example/{z}/{x}/{y}.png?key=secret", "https://a.example/{z}/{x}/{y}.png#a",
            "https://{z}.example/{x}/{y}.png", "https://a.example/{z}/{x}/{y}.png\r\nHost: b",
        ]
    )
    func refuses(_ text: String) {
        #expect(throws: OperatorURL.Problem.self) { try TileTemplate(configured: text) }
    }
}

/// The URL template of a tile server from the configuration: one URL with `{z}`, `{x}` and `{y}` in its path.
package struct TileTemplate: Sendable, Hashable {
    private let url: OperatorURL

    /// Parses a template of the configuration.
    ///
    /// - Throws: the problem with the text.
    package init(configured text: String) throws(OperatorURL.Problem) {
        self.url = try OperatorURL(configured: text)
        let parts = ["{z}", "{x}", "{y}"]
        guard parts.allSatisfy({ text.ranges(of: $0).count == 1 }) else {
            throw OperatorURL.Problem(description: "must contain {z}, {x} and {y} exactly once each")
        }
        guard text.count(where: { $0 == "{" || $0 == "}" }) == 2 * parts.count else {
            throw OperatorURL.Problem(description: "must contain no braces except {z}, {x} and {y}")
        }
        guard !text.lowercased().contains("@2x") else {
            throw OperatorURL.Problem(description: "must name tiles of 256 px, without @2x")
        }
    }

    /// Returns the URL of a tile.
    package func url(zoom: Int, column: Int, row: Int) -> OperatorURL {
        self.url.filling(["{z}": zoom, "{x}": column, "{y}": row])
    }
}

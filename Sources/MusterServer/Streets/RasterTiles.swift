/// Map tiles that are pictures of another host, and replace the street tiles on the page.
///
/// Their host learns from each browser which part of the map it shows.
package struct RasterTiles: Encodable, Sendable, Equatable {
    /// The template of their addresses.
    package let url: String
    /// The attribution to show with them.
    package let attribution: String

    /// Describes the tiles of a template such as `https://tile.example/{z}/{x}/{y}.png`; nil when it is not such a
    /// template.
    package init?(url: String, attribution: String) {
        guard ["{z}", "{x}", "{y}"].allSatisfy({ url.ranges(of: $0).count == 1 }), Self.source(of: url) != nil else {
            return nil
        }
        self.url = url
        self.attribution = attribution
    }

    /// Their source in the form of a content security policy, such as `https://tile.example`.
    var source: String { Self.source(of: self.url) ?? "" }

    /// The scheme and host of a template such as `https://{s}.tile.example/{z}/{x}/{y}.png`.
    static func source(of template: String) -> String? {
        let parts = template.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count >= 3, ["https:", "http:"].contains(parts[0]), parts[1].isEmpty else { return nil }
        // In the first label, `{s}` stands for one server of several.
        let host = parts[2].hasPrefix("{") ? "*" + parts[2].drop { $0 != "." } : String(parts[2])
        let isHost = host.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || "-.:*".utf8.contains(byte)
        }
        return isHost && !host.isEmpty ? "\(parts[0])//\(host)" : nil
    }
}

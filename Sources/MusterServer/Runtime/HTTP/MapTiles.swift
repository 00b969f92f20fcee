import Foundation

/// The source of the page's map tiles, from the operator's `config.json` in the folder of the page.
enum MapTiles {
    private struct Page: Decodable {
        struct Tiles: Decodable {
            let url: String?
        }

        let tiles: Tiles?
    }

    /// The source of the tiles in the form of a content security policy, such as `https://tile.example`.
    ///
    /// It is nil when there are no tiles, when they come from this server, or when the file cannot be read.
    static func source(in folder: String) -> String? {
        guard let data = FileManager.default.contents(atPath: folder + "/config.json"),
            let template = (try? JSONDecoder().decode(Page.self, from: data))?.tiles?.url
        else { return nil }
        return self.source(of: template)
    }

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

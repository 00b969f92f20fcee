import Cryptography
import Foundation

/// The page as `scripts/bundle` makes it.
struct PageBundle {
    /// The file of the bundle with the digest of its sources.
    static let digestFile = ".sources"
    /// The files and folders of the page that are in the bundle.
    private static let sources = ["app", "client", "muster.js", "style.css", "index.html"]

    /// The folder of the bundle.
    let folder: String

    /// Whether the bundle was made of the present files of the page's folder.
    ///
    /// With other files, a browser would get a mix of old and new ones.
    func isMade(from page: String) -> Bool {
        guard let text = try? String(contentsOfFile: "\(self.folder)/\(Self.digestFile)", encoding: .utf8) else {
            return false
        }
        return text.split(whereSeparator: \.isWhitespace).first.map(String.init) == Self.digest(of: page)
    }

    /// Returns the digest of the page's files, as `sha256sum` of the list that `sha256sum` writes of them; nil when one
    /// cannot be read.
    static func digest(of page: String) -> String? {
        var list: [UInt8] = []
        for path in Self.files(in: page) {
            guard let content = FileManager.default.contents(atPath: "\(page)/\(path)") else { return nil }
            list += Array("\(Self.hex(SHA256.digest(of: Array(content))))  \(path)\n".utf8)
        }
        return self.hex(SHA256.digest(of: list))
    }

    /// The paths of the files in the order of their bytes.
    private static func files(in page: String) -> [String] {
        let files = self.sources.flatMap { source -> [String] in
            guard let inside = FileManager.default.enumerator(atPath: "\(page)/\(source)") else { return [source] }
            let paths = inside.compactMap { $0 as? String }
            return paths.isEmpty ? [source] : paths.map { "\(source)/\($0)" }
        }
        return files.filter { path in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: "\(page)/\(path)", isDirectory: &isFolder)
                && !isFolder.boolValue
        }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}

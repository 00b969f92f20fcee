import Foundation
import Postgres

/// The folder of the map: a PMTiles file for each part.
package struct MapFolder: Sendable {
    /// A part of the map, as a list shows it.
    package struct Part: Sendable {
        package let name: String
        package let bounds: MapBounds
        package let tiles: Int
        package let bytes: Int
    }

    private static let ending = ".pmtiles"

    /// The path of the folder.
    package let path: String

    /// Describes a folder, which need not exist.
    package init(_ path: String) { self.path = path }

    /// The file of a part.
    func file(of name: String) -> String { "\(self.path)/\(name)\(Self.ending)" }

    /// The names of the parts in alphabetical order; empty when there is no folder.
    var names: [String] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: self.path)) ?? []
        return files.filter { $0.hasSuffix(Self.ending) && !$0.hasPrefix(".") }.map {
            String($0.dropLast(Self.ending.count))
        }.sorted()
    }

    /// The parts of the map.
    ///
    /// - Throws: an error when a file is damaged.
    package func parts() throws(MapError) -> [Part] {
        var parts: [Part] = []
        for name in self.names {
            let file = try PMTilesReader(path: self.file(of: name))
            parts.append(
                Part(
                    name: name,
                    bounds: file.header.bounds,
                    tiles: Int(clamping: file.header.counts.tiles),
                    bytes: Int(clamping: file.size)
                )
            )
        }
        return parts
    }

    /// Deletes a part.
    ///
    /// - Throws: an error when there is none of this name.
    package func remove(_ name: String) throws(MapError) {
        let names = self.names
        guard names.contains(name) else {
            let known =
                names.isEmpty ? "the map in '\(self.path)' is empty" : "the parts are \(names.joined(separator: ", "))"
            throw MapError(.unreadable, "there is no part '\(name)' of the map: \(known)")
        }
        // An import of this name that is running would put the part back.
        let lock = try self.lock()
        defer { withExtendedLifetime(lock) {} }
        guard unlink(self.file(of: name)) == 0 else { throw .system("delete", self.file(of: name), errno) }
    }

    /// The name of the part in a file: that of the file without its ending, in lower case.
    static func name(of file: String) -> String {
        var name = (file.split(separator: "/").last.map(String.init) ?? file).lowercased()
        for ending in [".osm.pbf", ".pbf", Self.ending] where name.hasSuffix(ending) {
            name.removeLast(ending.count)
            break
        }
        return name
    }

    /// Whether a part may have this name, which becomes the name of a file.
    static func isName(_ name: String) -> Bool {
        1...60 ~= name.utf8.count && !name.hasPrefix(".") && !name.hasPrefix("-")
            && name.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || "-_.".utf8.contains(byte)
            }
    }

    /// The folder of an import's temporary files.
    var work: URL { URL(filePath: "\(self.path)/work") }

    /// Deletes unfinished and temporary files of imports that were killed.
    ///
    /// The caller has locked the folder.
    func removeUnfinished() {
        try? FileManager.default.removeItem(at: self.work)
        let files = (try? FileManager.default.contentsOfDirectory(atPath: self.path)) ?? []
        for file in files where file.hasSuffix("\(Self.ending).new") { unlink("\(self.path)/\(file)") }
    }

    /// Creates the folder and locks it against other imports, for the lifetime of the result.
    func lock() throws(MapError) -> FolderLock {
        do {
            try FileManager.default.createDirectory(atPath: self.path, withIntermediateDirectories: true)
        } catch {
            throw MapError(.unwritable, "cannot create '\(self.path)': \(error.localizedDescription)")
        }
        do throws(PostgresError) {
            return try FolderLock(
                folder: self.path,
                refusal: "another import of a map into '\(self.path)' is running; wait for its end"
            )
        } catch {
            throw MapError(.busy, error.message)
        }
    }

    /// The free bytes of its disk; nil when unknown.
    var freeBytes: Int? {
        var status = statvfs()
        guard statvfs(self.path, &status) == 0 else { return nil }
        return Int(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
    }
}

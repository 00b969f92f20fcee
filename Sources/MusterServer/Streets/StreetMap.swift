import Foundation
import MusterCore
import Synchronization

/// The parts of the map in the map folder, as the server reads them.
///
/// Shared by all threads.
final class StreetMap: Sendable {
    /// A part: an open file.
    struct Part: Sendable {
        let name: String
        let file: PMTilesReader
        let metadata: MapSchema.Metadata
        /// The time at which the file was written, in ns since 1970.
        let written: Int64

        /// The bytes that differ when a tile differs.
        ///
        /// A file of another program has no hash of its tiles, so a file that is replaced counts as different.
        var identity: [UInt8] {
            let start = Array(self.name.utf8) + [0] + self.file.header.encoded + self.file.metadata
            let entries = PMTilesDirectory.encode(self.file.root)
            return start + entries + (self.metadata.content == nil ? Array("\(self.written)".utf8) : [])
        }
    }

    /// The state of a file by which a new one is noticed.
    private struct Signature: Equatable {
        let inode: UInt64
        let size: Int64
        let seconds: Int
        let nanoseconds: Int
    }

    private struct Known {
        let signature: Signature
        let part: Part?
    }

    private let folder: MapFolder
    private let logger: Logger
    private let current = Mutex<MapEdition?>(nil)
    /// Locked during a refresh.
    private let known = Mutex<[String: Known]>([:])

    /// Describes a folder; nothing is read yet.
    init(folder: MapFolder, logger: Logger) {
        self.folder = folder
        self.logger = logger
    }

    /// The current map; nil when there is none.
    var edition: MapEdition? { self.current.withLock { $0 } }

    /// Opens new files, and forgets deleted ones.
    ///
    /// A file that cannot be used leaves the earlier one in use. Requests that read the earlier one end as they began.
    /// Blocks.
    func refresh() {
        self.known.withLock { known in
            var found: [String: Known] = [:]
            for name in self.folder.names {
                let path = self.folder.file(of: name)
                guard let signature = Self.signature(of: path) else { continue }
                if let earlier = known[name], earlier.signature == signature {
                    found[name] = earlier
                } else {
                    let part = self.open(name, path, signature) ?? known[name]?.part
                    found[name] = Known(signature: signature, part: part)
                }
            }
            known = found
            let parts = found.values.compactMap(\.part).sorted { $0.name < $1.name }
            let edition = parts.isEmpty ? nil : MapEdition(parts)
            let change = self.current.withLock { current -> (before: String?, after: String?) in
                let before = current?.version
                // The cache of joined tiles stays with an unchanged map.
                if before != edition?.version { current = edition }
                return (before, edition?.version)
            }
            guard change.before != change.after else { return }
            let names = parts.map(\.name).joined(separator: ", ")
            self.logger.info(
                edition == nil ? "the map of streets was removed" : "the map of streets is open",
                ["parts": .text(names), "version": .text(change.after ?? "")]
            )
        }
    }

    private func open(_ name: String, _ path: String, _ signature: Signature) -> Part? {
        do throws(MapError) {
            let file = try PMTilesReader(path: path)
            try PMTilesCheck(file).checkKind()
            return Part(
                name: name,
                file: file,
                metadata: MapSchema.metadata(file.metadata) ?? .init(layers: []),
                written: Int64(signature.seconds) * 1_000_000_000 + Int64(signature.nanoseconds)
            )
        } catch {
            self.logger.warning("a file of the map cannot be used", ["error": .text(error.message)])
            return nil
        }
    }

    private static func signature(of path: String) -> Signature? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Signature(
            inode: UInt64(status.st_ino),
            size: Int64(status.st_size),
            seconds: status.st_mtim.tv_sec,
            nanoseconds: status.st_mtim.tv_nsec
        )
    }
}

/// The map between two changes of its parts.
final class MapEdition: Sendable {
    /// The parts, by name.
    let parts: [StreetMap.Part]
    /// A hash of the parts, which is in the addresses of tiles.
    let version: String
    /// Tiles of several parts.
    private let joined = Mutex(TileCache(limit: 8 << 20, freshness: .max))

    /// Creates the map of these parts, at least one.
    init(_ parts: [StreetMap.Part]) {
        self.parts = parts
        self.version = String(ContentHash.of(parts.flatMap(\.identity)).prefix(16))
    }

    /// The rectangle around all parts.
    var bounds: MapBounds {
        self.parts.dropFirst().reduce(self.parts[0].file.header.bounds) { $0.union($1.file.header.bounds) }
    }

    /// The zooms of the tiles.
    var zooms: ClosedRange<Int> {
        let zooms = self.parts.map(\.file.header.zooms)
        return (zooms.map(\.lowerBound).min() ?? 0)...(zooms.map(\.upperBound).max() ?? 0)
    }

    /// The largest part.
    var largest: StreetMap.Part {
        self.parts.dropFirst().reduce(self.parts[0]) {
            $1.file.header.bounds.size > $0.file.header.bounds.size ? $1 : $0
        }
    }

    /// The attribution of all parts, each text once.
    var attribution: String {
        var texts: [String] = []
        for text in self.parts.compactMap(\.metadata.attribution) where !texts.contains(text) { texts.append(text) }
        return texts.joined(separator: ", ")
    }

    /// The attribution without the marks of HTML, for pictures.
    var plainAttribution: String {
        let text = self.attribution.replacing(/<[^>]*>/, with: "")
        return ["&copy;": "©", "&lt;": "<", "&gt;": ">", "&quot;": "\"", "&amp;": "&"].sorted { $0.key > $1.key }
            .reduce(text) { $0.replacing($1.key, with: $1.value) }
    }

    /// The layers of all parts, each once.
    var layers: [MapSchema.Layer] {
        var layers: [String: MapSchema.Layer] = [:]
        for layer in self.parts.flatMap(\.metadata.layers) where layers[layer.id] == nil { layers[layer.id] = layer }
        return layers.values.sorted { $0.id < $1.id }
    }

    /// Returns a tile in gzip; nil when it is empty.
    ///
    /// A tile of several parts is their layers in a row: decoders join layers of one name. Blocks.
    func tile(_ tile: TileAddress) throws(MapError) -> [UInt8]? {
        if self.parts.count > 1, let known = self.joined.withLock({ $0.file(of: tile, now: 0) }) { return known }
        var contents: [[UInt8]] = []
        for part in self.parts where part.file.header.zooms ~= tile.zoom {
            if let content = try part.file.tile(tile) { contents.append(content) }
        }
        guard contents.count > 1 else { return contents.first }
        var layers: [UInt8] = []
        for content in contents {
            guard let plain = Gzip.inflated(content, limit: PMTilesReader.inflatedLimit) else {
                throw MapError(.unreadable, "the tile \(tile) of the map is damaged: import the map again")
            }
            layers += plain
        }
        let content = Gzip.deflated(layers, level: 6)
        self.joined.withLock { $0.keep(content, for: tile, now: 0) }
        return content
    }
}

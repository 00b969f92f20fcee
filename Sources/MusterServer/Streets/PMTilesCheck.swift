/// The check of a PMTiles file of another program before it becomes a part of the map.
struct PMTilesCheck {
    private let file: PMTilesReader

    /// Prepares the check of a file.
    init(_ file: PMTilesReader) { self.file = file }

    /// Checks the layers and all directories.
    ///
    /// - Throws: the first problem with a remedy.
    func run() throws(MapError) {
        try self.checkKind()
        guard try self.check(self.file.root, depth: 0) > 0 else {
            throw MapError(.empty, "'\(self.file.path)' contains no tiles")
        }
    }

    /// Checks that the file contains vector tiles with the layers of the map.
    func checkKind() throws(MapError) {
        let (header, path) = (self.file.header, self.file.path)
        guard header.type == PMTilesHeader.vectorType else {
            throw MapError(
                .unreadable,
                "'\(path)' contains pictures; the map needs vector tiles with the layers of Shortbread 1.0"
            )
        }
        guard header.tileCompression == .gzip else {
            throw MapError(.unreadable, "the tiles of '\(path)' are not in gzip; write them again with gzip")
        }
        guard let metadata = MapSchema.metadata(self.file.metadata) else {
            throw MapError(
                .unreadable,
                "the metadata of '\(path)' name no vector layers; write them with tilemaker 3 or Planetiler"
            )
        }
        let missing = MapSchema.required.subtracting(metadata.layers.map(\.id)).sorted()
        guard missing.isEmpty else {
            throw MapError(
                .unreadable,
                "'\(path)' has no layer \(missing.joined(separator: ", ")); it needs the layers of Shortbread 1.0, as tilemaker 3 and Planetiler write them"
            )
        }
    }

    /// Checks the entries of a directory and of those below it.
    ///
    /// - Returns: the number of entries of tiles.
    private func check(_ entries: [PMTilesEntry], depth: Int) throws(MapError) -> Int {
        var count = 0
        for entry in entries {
            guard entry.run > 0 else {
                guard depth < 3 else { throw PMTilesReader.damaged(self.file.path) }
                count += try self.check(try self.file.leaf(entry), depth: depth + 1)
                continue
            }
            guard entry.offset + entry.length <= self.file.header.tiles.length else {
                throw PMTilesReader.damaged(self.file.path)
            }
            guard entry.length <= UInt64(PMTilesReader.tileLimit) else {
                throw MapError(
                    .unreadable,
                    "'\(self.file.path)' has a tile of \(entry.length / 1000) kB, and 1000 are the most; write it with fewer details"
                )
            }
            count += 1
        }
        return count
    }
}

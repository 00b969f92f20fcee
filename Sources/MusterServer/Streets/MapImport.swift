// An OpenStreetMap extract becomes a part of the map in four steps:
//
//   1. `osmium export` writes features with their tags, and a scratch PostgreSQL copies them.
//   2. `make_features` of `sql/map.sql` selects what the map shows, and cuts it by the box of the extract.
//   3. `make_tiles` makes the tiles block by block, on two connections.
//   4. The tiles are compressed and written to NAME.pmtiles.new, which replaces NAME.pmtiles at the end.
//
// The scratch PostgreSQL ends with the thread of the import, whatever ends that. Its folder is deleted at the end, or by
// the next import.

import Foundation
import MusterCore
package import Postgres

/// An import of a file into the map.
///
/// It blocks the calling thread, which must not end meanwhile.
package struct MapImport {
    /// The progress of an import.
    package enum Progress: Sendable {
        /// The extract is read.
        case reading
        /// The features are selected.
        case selecting(features: Int)
        /// Tiles of a zoom are made, in blocks.
        case tiles(zoom: Int, done: Int, of: Int)
        /// A PMTiles file is copied.
        case copying
    }

    /// The result of an import.
    package struct Report: Sendable, Equatable {
        /// The name of the part.
        package var name = ""
        /// The number of tiles.
        package var tiles = 0
        /// The size of the file in bytes.
        package var bytes = 0
        /// The number of features in the extract.
        package var features = 0
        /// The number of features that are incomplete in the extract and were left out.
        package var cutFeatures = 0

        /// Whether the extract seems to be cut without completing its ways.
        package var isCut: Bool { self.cutFeatures * 4 > self.features }
    }

    /// The free space that an import needs, in sizes of its extract.
    static let spaceFactor = 12
    /// The bytes that an empty scratch PostgreSQL and its log of transactions need.
    static let scratchSize = 128 << 20
    /// The size of a file of PostgreSQL's log of transactions.
    private static let logSize = 16 << 20

    /// The settings of an import.
    package struct Settings: Sendable {
        /// The folder of the map.
        package var folder: MapFolder
        /// The folder with `map.sql`.
        package var sqlDirectory: String
        /// The memory of the sorts of the scratch PostgreSQL, in megabytes.
        package var memory = 256
        /// The action when PostgreSQL's account may not enter the folder.
        package var placement = EmbeddedCluster.Placement.exactly
        /// Returns the free bytes of the disk of a folder.
        var freeBytes: @Sendable (MapFolder) -> Int? = { $0.freeBytes }

        /// Creates settings.
        package init(folder: MapFolder, sqlDirectory: String) {
            self.folder = folder
            self.sqlDirectory = sqlDirectory
        }
    }

    private let path: String
    private let name: String
    private let settings: Settings
    private let progress: (Progress) -> Void

    /// Prepares an import.
    ///
    /// - Parameters:
    ///   - path: an `.osm.pbf` extract, or a `.pmtiles` file.
    ///   - name: the name of the part; nil for that of the file.
    ///   - settings: the settings.
    ///   - progress: called in between.
    /// - Throws: an error when the name is not valid.
    package init(
        _ path: String,
        name: String? = nil,
        _ settings: Settings,
        progress: @escaping (Progress) -> Void = { _ in }
    ) throws(MapError) {
        self.path = path
        self.name = name ?? MapFolder.name(of: path)
        self.settings = settings
        self.progress = progress
        guard MapFolder.isName(self.name) else {
            throw MapError(
                .unreadable,
                "'\(self.name)' cannot be the name of a part: use --name with 1 to 60 of a to z, 0 to 9, '-', '_' and '.'"
            )
        }
    }

    /// Imports the file.
    package func run() throws(MapError) -> Report {
        let start = try self.start()
        let lock = try self.settings.folder.lock()
        defer { withExtendedLifetime(lock) {} }
        self.settings.folder.removeUnfinished()
        guard !start.starts(with: "PMTiles".utf8) else { return try self.copy() }
        try self.requireSpace(Self.spaceFactor, beside: Self.scratchSize)
        do {
            return try self.importExtract()
        } catch let error as MapError {
            throw error
        } catch let error as PlaceImportError {
            throw MapError(.unreadable, error.message)
        } catch {
            throw MapError(.storage, "the tiles of '\(self.path)' could not be made: \(error)")
        }
    }

    /// The first bytes of the file.
    ///
    /// - Throws: an error when the file has another format than PBF and PMTiles.
    private func start() throws(MapError) -> [UInt8] {
        do throws(PlaceImportError) {
            let start = try FileBytes(path: self.path).read(64) ?? []
            if start.starts(with: "PMTiles".utf8) { return start }
            guard self.path.lowercased().hasSuffix(".pbf") else {
                throw PlaceImportError(
                    .unreadable,
                    "'\(self.path)' is neither an .osm.pbf extract nor a .pmtiles file; osmium cat converts other files of OpenStreetMap"
                )
            }
            try PlaceFile(path: self.path).checkContents()
            return start
        } catch {
            throw MapError(.unreadable, error.message)
        }
    }

    private func requireSpace(_ factor: Int, beside constant: Int = 0) throws(MapError) {
        let size = (try? FileManager.default.attributesOfItem(atPath: self.path)[.size] as? Int) ?? 0
        let needed = factor * size + constant
        guard let free = self.settings.freeBytes(self.settings.folder), free < needed else { return }
        throw MapError(
            .unwritable,
            "'\(self.path)' needs \(needed >> 20) MB of free space in '\(self.settings.folder.path)', and there are \(free >> 20): free space, or choose another --data-dir"
        )
    }

    // MARK: - PMTiles

    /// Checks a PMTiles file of another program, and copies it.
    private func copy() throws(MapError) -> Report {
        self.progress(.copying)
        let file = try PMTilesReader(path: self.path)
        try PMTilesCheck(file).run()
        try self.requireSpace(1)
        let target = self.settings.folder.file(of: self.name)
        try MapFile.copy(self.path, size: file.size, to: target)
        return Report(
            name: self.name,
            tiles: Int(clamping: file.header.counts.tiles),
            bytes: Int(clamping: file.size)
        )
    }

    // MARK: - Extracts

    private func importExtract() throws -> Report {
        self.progress(.reading)
        let (scratch, work) = ("\(self.settings.folder.path)/scratch", self.settings.folder.work)
        // What a killed import has left.
        try EmbeddedCluster.remove(folder: scratch, placement: self.settings.placement)
        defer {
            try? EmbeddedCluster.remove(folder: scratch, placement: self.settings.placement)
            try? FileManager.default.removeItem(at: work)
        }
        do {
            try FileManager.default.createDirectory(at: work, withIntermediateDirectories: true)
            let box = try OsmiumExtract.box(of: self.path, in: work)
            let cluster = try EmbeddedCluster.start(
                folder: scratch,
                placement: self.settings.placement,
                durability: .relaxed,
                lifetime: .thread
            )
            defer { try? cluster.stop(.immediate) }
            return try self.importExtract(box, cluster, in: work)
        } catch  where self.isFromFullDisk(error) {
            throw MapError(
                .unwritable,
                "there is no space left in '\(self.settings.folder.path)': free space, or choose another --data-dir"
            )
        }
    }

    private func importExtract(_ box: MapBounds?, _ cluster: EmbeddedCluster, in work: URL) throws -> Report {
        guard let sql = try? String(contentsOfFile: "\(self.settings.sqlDirectory)/map.sql", encoding: .utf8) else {
            throw MapError(.unreadable, "cannot read '\(self.settings.sqlDirectory)/map.sql'; set --sql-dir")
        }
        let session = ScratchSession.make(cluster, memory: self.settings.memory)
        try session.connect(timeout: .seconds(30))
        defer { session.close() }
        try session.executeScript(sql)
        var report = Report(name: self.name)
        let extract = try OsmiumExtract(self.path, in: work, memory: self.settings.memory)
        report.features = try session.copyText("COPY source FROM STDIN", timeout: ScratchSession.timeout) {
            try extract.next()
        }
        report.cutFeatures = extract.cutFeatures
        self.progress(.selecting(features: report.features))
        let bounds = try self.select(box, session)
        let content = try self.write(bounds, cluster)
        report.tiles = content.tiles
        report.bytes = content.bytes
        return report
    }

    /// Whether the cause of an error is a full disk.
    ///
    /// A PostgreSQL that cannot write its log ends without naming the cause, so the free space counts too.
    private func isFromFullDisk(_ error: any Error) -> Bool {
        if let error = error as? PostgresError, error.isOutOfSpace { return true }
        if error is MapError { return false }
        let text = (error as? PlaceImportError)?.message ?? "\(error)"
        return ["No space left", "no space left", "free disk space"].contains { text.contains($0) }
            || self.settings.folder.freeBytes ?? .max < Self.logSize
    }

    /// Selects the features of the map.
    ///
    /// - Returns: the box of the part.
    private func select(_ box: MapBounds?, _ session: PostgresSession) throws -> MapBounds {
        let sides = [box?.west, box?.south, box?.east, box?.north].map { $0.map(PostgresValue.float8) ?? .null }
        let boxes = try session.execute(
            "SELECT * FROM make_features($1::float8, $2::float8, $3::float8, $4::float8)",
            sides,
            timeout: ScratchSession.timeout
        )
        let count = try session.execute("SELECT count(*) AS features FROM feature").onlyRow()?.int64("features")
        guard let row = try boxes.onlyRow(), !(try row.isNull("box_west")), let count, count > 0 else {
            throw MapError(
                .empty,
                "'\(self.path)' has no streets, buildings, water or other features of the map inside its box; osmium fileinfo -e \(self.path) shows what it contains"
            )
        }
        return MapBounds(
            west: try row.float8("box_west"),
            south: try row.float8("box_south"),
            east: try row.float8("box_east"),
            north: try row.float8("box_north")
        )
    }

    private func write(_ bounds: MapBounds, _ cluster: EmbeddedCluster) throws -> (tiles: Int, bytes: Int) {
        var writer = try PMTilesWriter(path: self.settings.folder.file(of: self.name))
        let blocks = TileBlocks(bounds)
        let maker = TileMaker(blocks.all, cluster, memory: self.settings.memory)
        defer { maker.end() }
        while let block = maker.next {
            let tiles = try maker.tiles(of: block)
            for (tile, content) in tiles { try writer.append(tile, content) }
            let (done, of) = blocks.progress(after: block)
            self.progress(.tiles(zoom: block.zoom, done: done, of: of))
        }
        let metadata = MapSchema.Metadata(
            attribution: MapSchema.attribution,
            layers: MapSchema.layers,
            content: String(writer.hash, radix: 16)
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let count = writer.tileCount
        let bytes = try writer.finish(
            PMTilesWriter.Description(
                zooms: MapSchema.zooms,
                bounds: bounds,
                centre: blocks.centre,
                metadata: Array(try encoder.encode(metadata))
            )
        )
        return (count, bytes)
    }
}

import Glibc
import MusterCore

/// A writer of a PMTiles file.
///
/// The tiles come in ascending order and are written at once, after the space of the header and the root directory. The
/// other directories and the metadata follow them. The file has its name only after `finish`. A writer that is
/// destroyed before deletes what it has written.
struct PMTilesWriter: ~Copyable {
    /// The description of a file, for its header and metadata.
    struct Description {
        var zooms: ClosedRange<Int>
        var bounds: MapBounds
        var centre: (zoom: Int, longitude: Double, latitude: Double)
        /// The metadata as JSON.
        var metadata: [UInt8]
    }

    /// The maximum size of a tile that is compared with later ones: those of open sea and of wide forests.
    private static let repeatedLimit = 512
    private static let mostRepeated = 10_000

    private let path: String
    private let unfinished: String
    private let descriptor: Int32
    private var entries: [PMTilesEntry] = []
    private var repeated: [[UInt8]: UInt64] = [:]
    private var end: UInt64 = 0
    private var counts: (tiles: UInt64, contents: UInt64) = (0, 0)
    private var isFinished = false

    /// The number of tiles.
    var tileCount: Int { Int(self.counts.tiles) }
    /// The hash of all tiles and their numbers.
    private(set) var hash: UInt64 = 0xcbf2_9ce4_8422_2325

    /// Creates the file `path.new`, in place of an unfinished one.
    init(path: String) throws(MapError) {
        let unfinished = "\(path).new"
        let descriptor = open(unfinished, O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .system("write", unfinished, errno) }
        (self.path, self.unfinished, self.descriptor) = (path, unfinished, descriptor)
    }

    deinit {
        close(self.descriptor)
        if !self.isFinished { unlink(self.unfinished) }
    }

    /// Writes the next tile, which is in gzip.
    mutating func append(_ tile: TileAddress, _ content: [UInt8]) throws(MapError) {
        let number = tile.hilbertNumber
        precondition(number >= self.entries.last.map { $0.number + $0.run } ?? 0, "tiles are written in order")
        self.counts.tiles += 1
        self.note(number)
        var offset = self.end
        if let known = self.repeated[content] {
            offset = known
            self.note(known)
            if let last = self.entries.last, last.offset == known, last.number + last.run == number {
                self.entries[self.entries.count - 1].run += 1
                return
            }
        } else {
            for byte in content { self.hash = (self.hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
            try self.write(content, at: UInt64(PMTilesHeader.rootLimit) + self.end)
            if content.count <= Self.repeatedLimit, self.repeated.count < Self.mostRepeated {
                self.repeated[content] = self.end
            }
            self.end += UInt64(content.count)
            self.counts.contents += 1
        }
        self.entries.append(PMTilesEntry(number: number, run: 1, offset: offset, length: UInt64(content.count)))
    }

    /// Writes the directories and the header, forces the file to disk, and gives it its name.
    ///
    /// - Returns: the size of the file in bytes.
    mutating func finish(_ description: Description) throws(MapError) -> Int {
        var header = PMTilesHeader()
        header.zooms = description.zooms
        header.bounds = description.bounds
        header.centre = description.centre
        header.counts = (self.counts.tiles, UInt64(self.entries.count), self.counts.contents)
        header.tiles = .init(offset: UInt64(PMTilesHeader.rootLimit), length: self.end)
        let (root, leaves) = self.directories()
        let metadata = Gzip.deflated(description.metadata)
        header.root = .init(offset: UInt64(PMTilesHeader.size), length: UInt64(root.count))
        header.metadata = .init(offset: header.tiles.offset + self.end, length: UInt64(metadata.count))
        header.leaves = .init(offset: header.metadata.offset + header.metadata.length, length: UInt64(leaves.count))
        try self.write(metadata, at: header.metadata.offset)
        try self.write(leaves, at: header.leaves.offset)
        try self.write(header.encoded + root, at: 0)
        try MapFile.publish(self.unfinished, self.descriptor, as: self.path)
        self.isFinished = true
        return Int(header.leaves.offset + header.leaves.length)
    }

    /// The root directory, and the leaf directories when it would be too large for all entries.
    private func directories() -> (root: [UInt8], leaves: [UInt8]) {
        let limit = PMTilesHeader.rootLimit - PMTilesHeader.size
        let whole = Gzip.deflated(PMTilesDirectory.encode(self.entries))
        if whole.count <= limit { return (whole, []) }
        var size = 4096
        while true {
            var (root, leaves): ([PMTilesEntry], [UInt8]) = ([], [])
            for start in stride(from: 0, to: self.entries.count, by: size) {
                let piece = self.entries[start..<min(start + size, self.entries.count)]
                let leaf = Gzip.deflated(PMTilesDirectory.encode(piece))
                root.append(
                    PMTilesEntry(
                        number: self.entries[start].number,
                        run: 0,
                        offset: UInt64(leaves.count),
                        length: UInt64(leaf.count)
                    )
                )
                leaves += leaf
            }
            let encoded = Gzip.deflated(PMTilesDirectory.encode(root))
            if encoded.count <= limit { return (encoded, leaves) }
            size *= 2
        }
    }

    private mutating func note(_ number: UInt64) {
        self.hash = (self.hash ^ number) &* 0x0000_0100_0000_01b3
    }

    private func write(_ bytes: [UInt8], at offset: UInt64) throws(MapError) {
        try MapFile.write(bytes, to: self.descriptor, at: offset, named: self.unfinished)
    }
}

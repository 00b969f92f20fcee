import Glibc
import MusterCore
import Synchronization

/// A PMTiles file that is open for reading.
///
/// The root directory stays in memory, and leaf directories are cached, so that a tile is one read. All calls block. A
/// file that is renamed or deleted meanwhile is still read.
final class PMTilesReader: Sendable {
    /// The maximum size of a tile in bytes, as it is stored.
    static let tileLimit = 1_000_000
    /// The maximum size of an inflated tile in bytes.
    static let inflatedLimit = 16 << 20
    private static let metadataLimit = 4 << 20
    private static let cachedLeaves = 64

    let path: String
    let header: PMTilesHeader
    /// The metadata, as JSON.
    let metadata: [UInt8]
    /// The size of the file in bytes.
    let size: UInt64
    let root: [PMTilesEntry]
    private let descriptor: Int32
    private let leaves = Mutex(Leaves())

    private struct Leaves {
        var entries: [UInt64: [PMTilesEntry]] = [:]
        /// The positions of the cached leaves, the oldest first.
        var order: [UInt64] = []
    }

    /// Opens a file.
    ///
    /// - Throws: `unreadable`, with the reason and a remedy.
    init(path: String) throws(MapError) {
        self.path = path
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw MapError(.unreadable, "cannot read '\(path)': \(String(cString: strerror(errno)))")
        }
        var status = stat()
        fstat(descriptor, &status)
        let size = UInt64(status.st_size)
        do throws(MapError) {
            func section(_ section: PMTilesHeader.Section, _ limit: Int) throws(MapError) -> [UInt8] {
                guard section.length <= UInt64(limit), section.offset + section.length <= size else {
                    throw Self.damaged(path)
                }
                return try Self.read(descriptor, section.offset, Int(section.length), path)
            }
            guard status.st_mode & S_IFMT == S_IFREG, size >= UInt64(PMTilesHeader.size),
                let header = PMTilesHeader(
                    decoding: try section(.init(offset: 0, length: UInt64(PMTilesHeader.size)), PMTilesHeader.size)
                )
            else {
                throw MapError(
                    .unreadable,
                    "'\(path)' is not a PMTiles 3 file; give an .osm.pbf extract or a .pmtiles file of tilemaker or Planetiler"
                )
            }
            guard header.leaves.offset + header.leaves.length <= size, header.tiles.offset + header.tiles.length <= size
            else { throw Self.damaged(path) }
            let compression = header.directoryCompression
            let root = try section(header.root, PMTilesHeader.rootLimit)
            self.metadata = try Self.plain(try section(header.metadata, Self.metadataLimit), compression, path)
            guard let entries = PMTilesDirectory.decode(try Self.plain(root, compression, path)) else {
                throw Self.damaged(path)
            }
            (self.header, self.size, self.root, self.descriptor) = (header, size, entries, descriptor)
        } catch {
            close(descriptor)
            throw error
        }
    }

    deinit { close(self.descriptor) }

    /// Returns a tile as it is stored; nil when the file does not contain it.
    func tile(_ tile: TileAddress) throws(MapError) -> [UInt8]? {
        let number = tile.hilbertNumber
        var entry = PMTilesDirectory.entry(for: number, in: self.root)
        // The specification has at most three levels of leaf directories.
        for _ in 0..<3 {
            guard let leaf = entry, leaf.run == 0 else { break }
            entry = PMTilesDirectory.entry(for: number, in: try self.leaf(leaf))
        }
        guard let entry else { return nil }
        guard entry.run > 0, entry.length <= UInt64(Self.tileLimit),
            entry.offset + entry.length <= self.header.tiles.length
        else { throw Self.damaged(self.path) }
        return try Self.read(self.descriptor, self.header.tiles.offset + entry.offset, Int(entry.length), self.path)
    }

    /// Returns the entries of a leaf directory.
    func leaf(_ entry: PMTilesEntry) throws(MapError) -> [PMTilesEntry] {
        if let known = self.leaves.withLock({ $0.entries[entry.offset] }) { return known }
        guard entry.offset + entry.length <= self.header.leaves.length,
            entry.length <= UInt64(PMTilesDirectory.limit)
        else { throw Self.damaged(self.path) }
        let bytes = try Self.read(
            self.descriptor,
            self.header.leaves.offset + entry.offset,
            Int(entry.length),
            self.path
        )
        guard
            let entries = PMTilesDirectory.decode(
                try Self.plain(bytes, self.header.directoryCompression, self.path)
            )
        else { throw Self.damaged(self.path) }
        self.leaves.withLock { leaves in
            guard leaves.entries.updateValue(entries, forKey: entry.offset) == nil else { return }
            leaves.order.append(entry.offset)
            if leaves.order.count > Self.cachedLeaves {
                leaves.entries[leaves.order.removeFirst()] = nil
            }
        }
        return entries
    }

    /// The error of a damaged file.
    static func damaged(_ path: String) -> MapError {
        MapError(.unreadable, "'\(path)' is damaged or truncated: download or import it again")
    }

    private static func plain(
        _ bytes: [UInt8],
        _ compression: PMTilesHeader.Compression,
        _ path: String
    ) throws(MapError) -> [UInt8] {
        switch compression {
        case .none: return bytes
        case .gzip:
            guard let content = Gzip.inflated(bytes, limit: PMTilesDirectory.limit) else { throw Self.damaged(path) }
            return content
        case .unknown, .brotli, .zstd:
            throw MapError(
                .unreadable,
                "the directories of '\(path)' have an unsupported compression; write them with gzip"
            )
        }
    }

    private static func read(
        _ descriptor: Int32,
        _ offset: UInt64,
        _ count: Int,
        _ path: String
    ) throws(MapError) -> [UInt8] {
        var number: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { target, filled in
            while filled < count {
                let rest = UnsafeMutableBufferPointer(rebasing: target[filled..<count])
                let read = pread(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(filled))
                if read < 0, errno == EINTR { continue }
                guard read > 0 else {
                    number = read < 0 ? errno : 0
                    return
                }
                filled += read
            }
        }
        guard bytes.count == count else {
            guard number != 0 else { throw Self.damaged(path) }
            throw MapError(.unreadable, "cannot read '\(path)': \(String(cString: strerror(number)))")
        }
        return bytes
    }
}

import MusterCore

/// A cache of recently fetched map tiles, with a limit in bytes.
///
/// It has two generations of half the limit each. A tile that is used moves to the newer generation. A full newer
/// generation becomes the older one. The previous older one is dropped, because none of its tiles was used for half of
/// the limit. So nothing is sorted or searched.
struct TileCache: Sendable {
    /// A file and the time of its arrival.
    private struct Entry {
        let file: [UInt8]
        let since: Int64

        /// The size in memory, including overhead.
        var bytes: Int { self.file.count + 128 }
    }

    private let limit: Int
    private let freshness: Int64
    private var newer: [TileAddress: Entry] = [:]
    private var older: [TileAddress: Entry] = [:]
    private var newerBytes = 0
    private var olderBytes = 0

    /// Creates an empty cache.
    ///
    /// - Parameters:
    ///   - limit: the maximum size in bytes.
    ///   - freshness: milliseconds after which a file is no longer used.
    init(limit: Int, freshness: Int64) {
        self.limit = limit
        self.freshness = freshness
    }

    /// The size in bytes.
    var bytes: Int { self.newerBytes + self.olderBytes }

    /// The file of a tile; nil when none is fresh.
    mutating func file(of tile: TileAddress, now: Int64) -> [UInt8]? {
        guard let entry = self.newer[tile] ?? self.older[tile], now - entry.since < self.freshness else { return nil }
        if self.newer[tile] == nil { self.add(entry, for: tile) }
        return entry.file
    }

    /// Caches the file of a tile, in place of an earlier one.
    mutating func keep(_ file: [UInt8], for tile: TileAddress, now: Int64) {
        self.add(Entry(file: file, since: now), for: tile)
    }

    private mutating func add(_ entry: Entry, for tile: TileAddress) {
        guard entry.bytes <= self.limit / 2 else { return }
        if let former = self.newer.removeValue(forKey: tile) { self.newerBytes -= former.bytes }
        if let former = self.older.removeValue(forKey: tile) { self.olderBytes -= former.bytes }
        if self.newerBytes + entry.bytes > self.limit / 2 {
            (self.older, self.olderBytes) = (self.newer, self.newerBytes)
            (self.newer, self.newerBytes) = ([:], 0)
        }
        self.newer[tile] = entry
        self.newerBytes += entry.bytes
    }
}

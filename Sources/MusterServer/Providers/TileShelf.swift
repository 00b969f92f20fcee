import MusterCore

/// Files of map tiles that were fetched lately, in so many bytes at most.
///
/// They lie on two shelves of half the room each. What is wanted moves to the newer one; when that is full it becomes the older, and
/// what is still on that is dropped: it was not wanted for half of the room. So nothing is sorted, and nothing searched.
struct TileShelf: Sendable {
    /// A file, and when it came.
    private struct Entry {
        let file: [UInt8]
        let since: Int64

        /// What it takes, with what lies around it.
        var bytes: Int { self.file.count + 128 }
    }

    private let limit: Int
    private let freshness: Int64
    private var newer: [TileAddress: Entry] = [:]
    private var older: [TileAddress: Entry] = [:]
    private var newerBytes = 0
    private var olderBytes = 0

    /// An empty one.
    ///
    /// - Parameters:
    ///   - limit: bytes of all that it holds.
    ///   - freshness: milliseconds after which a file is not used any more.
    init(limit: Int, freshness: Int64) {
        self.limit = limit
        self.freshness = freshness
    }

    /// What all of it takes.
    var bytes: Int { self.newerBytes + self.olderBytes }

    /// The file of a tile; nil when there is none that is fresh.
    mutating func file(of tile: TileAddress, now: Int64) -> [UInt8]? {
        guard let entry = self.newer[tile] ?? self.older[tile], now - entry.since < self.freshness else { return nil }
        if self.newer[tile] == nil { self.add(entry, for: tile) }
        return entry.file
    }

    /// Keeps the file of a tile, instead of another that it had.
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

/// A tile in use, or recently in use.
struct ClusterTile {
    /// The entries, by rising entry key; nil until the tile is shown.
    private(set) var entries: [TileEntry]?
    /// The version, which rises with each change; higher than that of any earlier tile at this address.
    private(set) var version: UInt64 = 0
    /// The number of subscribed sessions.
    var sessions = 0
    /// Whether the encoded form is cached.
    var isKept = false
    /// The moment since which no session is subscribed.
    var idleSince: Timestamp?

    /// Whether the tile is no longer needed.
    var isUnused: Bool { self.sessions == 0 && !self.isKept && self.idleSince == nil }

    /// The memory of the entries in bytes, without the values of points.
    var bytes: Int { (self.entries?.capacity ?? 0) * MemoryLayout<TileEntry>.stride }

    /// Replaces the entries.
    ///
    /// - Parameters:
    ///   - next: the entries, by rising entry key.
    ///   - version: higher than any before; stored if something changed.
    /// - Returns: the new and the removed entries; nil if nothing changed, or the tile was never shown.
    mutating func show(_ next: [TileEntry], version: UInt64) -> (entries: [TileEntry], gone: [Int64])? {
        guard let before = self.entries else {
            self.entries = next
            self.version = version
            return nil
        }
        var (changed, gone): ([TileEntry], [Int64]) = ([], [])
        var (old, new) = (0, 0)
        while old < before.count || new < next.count {
            let oldKey = old < before.count ? before[old].feature.entryKey : nil
            let newKey = new < next.count ? next[new].feature.entryKey : nil
            if let oldKey, newKey.map({ oldKey < $0 }) ?? true {
                gone.append(oldKey)
                old += 1
                continue
            }
            if oldKey != newKey || before[old] != next[new] { changed.append(next[new]) }
            if oldKey == newKey { old += 1 }
            new += 1
        }
        guard !changed.isEmpty || !gone.isEmpty else { return nil }
        self.entries = next
        self.version = version
        return (changed, gone)
    }
}

/// A tile that somebody looks at, or did a moment ago.
struct AtlasTile {
    /// What it shows, by rising entry key; nil until somebody is shown it.
    private(set) var entries: [TileEntry]?
    /// Rises with each change; higher than that of any earlier tile at this address.
    private(set) var version: UInt64 = 0
    /// How many sessions watch it.
    var sessions = 0
    /// Whether somebody keeps what it was encoded as.
    var isKept = false
    /// Since when no session watches it.
    var idleSince: Timestamp?

    /// Whether nobody needs it any more.
    var isUnused: Bool { self.sessions == 0 && !self.isKept && self.idleSince == nil }

    /// Memory of what it shows, in bytes, but for what points carry.
    var bytes: Int { (self.entries?.capacity ?? 0) * MemoryLayout<TileEntry>.stride }

    /// Shows these entries from now on.
    ///
    /// - Parameters:
    ///   - next: by rising entry key.
    ///   - version: higher than any before; taken over when anything is new.
    /// - Returns: what is new and what is gone; nil when nothing is, or nobody was shown anything before.
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

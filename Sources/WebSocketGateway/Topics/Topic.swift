// A shard's mirror of a topic.
//
// Invariants
// - All versions are ≤ `version`. Versions of changes rise strictly, and a change that is not newer is ignored.
// - For every v with floor ≤ v ≤ version: the entries and tombstones newer than v turn any client's copy of the topic
//   at v into the current topic.
// - `entries` keeps the order of arrival; in the tail of a log, the order of versions. `index` contains each key's
//   position in it, or is empty while there are few entries.

/// A set of versioned entries with tombstones of removed entries, mirrored on one shard's thread.
package struct Topic {
    /// The maximum number of tombstones.
    ///
    /// Beyond it, the oldest are dropped, which raises the floor.
    static let maximumTombstones = 1024
    /// The number of entries up to which a linear search is faster than a lookup, so that no index is needed.
    private static let searched = 32

    /// The part of the topic that the mirror keeps.
    private enum Retained {
        case everything
        case tail(entries: Int, bytes: Int)
        case lastChange
    }

    /// The topic's id.
    package let id: TopicID
    /// The epoch of the version numbers.
    package let epoch: String
    /// The newest version of all content.
    package private(set) var version: UInt64
    /// The current entries that the mirror keeps.
    package private(set) var entries: [TopicEntry]
    /// The tombstones, oldest first.
    package private(set) var tombstones: [TopicTombstone]
    /// The oldest version from which the mirror can send all later changes.
    package private(set) var floor: UInt64
    /// The note; nil when there is none.
    package private(set) var note: TopicNote?

    private let kept: Retained
    private var index: [Int64: Int]

    /// Creates a mirror from `snapshot` that keeps entries by the rules of its kind.
    package init(_ snapshot: TopicSnapshot, rules: TopicRules = TopicRules()) {
        self.id = snapshot.id
        self.epoch = snapshot.epoch
        self.version = snapshot.version
        self.entries = snapshot.entries
        self.tombstones = snapshot.tombstones
        self.floor = snapshot.floor
        self.note = snapshot.note
        self.index = [:]
        self.kept =
            switch (rules.pacing, rules.memory) {
            case (.newestOnly, _): .lastChange
            case (.conflated, .everything), (.atOnce, .everything): .everything
            case (.conflated, .tail(let entries, let bytes, _)), (.atOnce, .tail(let entries, let bytes, _)):
                .tail(entries: entries, bytes: bytes)
            }
        self.makeIndex()
        self.bound()
    }

    /// Applies `change` if it is newer than the mirror.
    ///
    /// - Returns: whether it was applied.
    @discardableResult
    package mutating func apply(_ change: TopicChange) -> Bool {
        guard change.version > self.version else { return false }
        self.version = change.version
        switch self.kept {
        case .everything: break
        case .tail: for entry in change.entries { self.moveToEnd(entry.key) }
        case .lastChange: self.forget()
        }
        for index in change.entries.indices { self.apply(change.entries[index]) }
        for key in change.removed { self.remove(key) }
        if let note = change.note {
            self.note = TopicNote(version: self.version, frame: note.frame, summary: note.summary)
        }
        self.bound()
        return true
    }

    /// Returns whether the mirror can send all changes after `position`, now or when it has reached that version
    /// itself.
    func canResume(from position: TopicPosition) -> Bool {
        position.epoch == self.epoch && position.version >= self.floor
    }

    /// Returns whether there is an entry with the key `key`.
    package func contains(_ key: Int64) -> Bool { self.place(of: key) != nil }

    /// Calls `body` for each entry with a part newer than the cursor.
    ///
    /// Parts that are not newer are passed as empty.
    ///
    /// It is defined here so that the parts are read in place. In another module, each access to an entry would copy it
    /// and count references to parts that are in no cache.
    ///
    /// - Returns: whether there was such an entry.
    @discardableResult
    package func forEachEntry(
        after cursor: TopicCursor,
        _ body: (_ key: Int64, _ stable: [UInt8], _ volatile: [UInt8]) -> Void
    ) -> Bool {
        var hasAny = false
        for index in self.entries.indices {
            let isStableNewer = self.entries[index].stable.version > cursor.version
            let isVolatileNewer = self.entries[index].volatile.version > cursor.version
            guard isStableNewer || isVolatileNewer, self.entries[index].key >= cursor.lowestKey else { continue }
            hasAny = true
            body(
                self.entries[index].key,
                isStableNewer ? self.entries[index].stable.bytes : [],
                isVolatileNewer ? self.entries[index].volatile.bytes : []
            )
        }
        return hasAny
    }

    /// Calls `body` with the key of each entry that was removed after the cursor.
    ///
    /// - Returns: whether there was such an entry.
    @discardableResult
    package func forEachTombstone(after cursor: TopicCursor, _ body: (_ key: Int64) -> Void) -> Bool {
        var start = self.tombstones.endIndex
        while start > 0, self.tombstones[start - 1].version > cursor.version { start -= 1 }
        var hasAny = false
        for tombstone in self.tombstones[start...] where tombstone.key >= cursor.lowestKey {
            hasAny = true
            body(tombstone.key)
        }
        return hasAny
    }

    /// Returns the cursor for the frame of a subscriber that is at `version` and may see keys from `lowestKey` on.
    ///
    /// If no newer key is below `lowestKey`, the cursor is the one of an unrestricted subscriber, so that both share a
    /// frame.
    func cursor(at version: UInt64, lowestKey: Int64) -> TopicCursor {
        guard lowestKey > .min else { return TopicCursor(version: version) }
        let hidesAny =
            self.entries.contains { $0.version > version && $0.key < lowestKey }
            || self.tombstones.contains { $0.version > version && $0.key < lowestKey }
        return TopicCursor(version: version, lowestKey: hidesAny ? lowestKey : .min)
    }

    /// Drops all history.
    ///
    /// Subscribers that are up to date continue; all others have fallen behind.
    mutating func forgetTail() {
        self.forget()
        self.floor = self.version
    }

    /// Prefetches the volatile parts, shortly before they are read one after the other.
    func prefetchVolatileParts() {
        for index in self.entries.indices { Prefetch.lines(of: self.entries[index].volatile.bytes) }
    }

    // MARK: - Changes

    private mutating func apply(_ change: TopicChange.Entry) {
        let place: Int
        if let known = self.place(of: change.key) {
            place = known
        } else {
            place = self.entries.count
            self.entries.append(TopicEntry(key: change.key, stable: .none))
            if self.index.isEmpty { self.makeIndex() } else { self.index[change.key] = place }
            self.tombstones.removeAll { $0.key == change.key }
        }
        if let bytes = change.stable { self.entries[place].stable.replace(by: bytes, at: self.version) }
        if let bytes = change.volatile { self.entries[place].volatile.replace(by: bytes, at: self.version) }
    }

    private mutating func remove(_ key: Int64) {
        guard let place = self.place(of: key) else { return }
        self.removeEntry(at: place)
        self.tombstones.append(TopicTombstone(key: key, version: self.version))
    }

    private mutating func removeEntry(at place: Int) {
        let entry = self.entries.remove(at: place)
        guard self.index.removeValue(forKey: entry.key) != nil else { return }
        for later in place..<self.entries.count { self.index[self.entries[later].key] = later }
    }

    private mutating func moveToEnd(_ key: Int64) {
        guard let place = self.place(of: key), place < self.entries.count - 1 else { return }
        let entry = self.entries[place]
        self.removeEntry(at: place)
        if !self.index.isEmpty { self.index[key] = self.entries.count }
        self.entries.append(entry)
    }

    private mutating func forget() {
        self.entries.removeAll(keepingCapacity: true)
        self.tombstones.removeAll()
        self.index.removeAll()
    }

    private func place(of key: Int64) -> Int? {
        self.index.isEmpty ? self.entries.firstIndex { $0.key == key } : self.index[key]
    }

    private mutating func makeIndex() {
        guard self.entries.count > Self.searched else { return }
        self.index = Dictionary(
            self.entries.enumerated().map { ($0.element.key, $0.offset) },
            uniquingKeysWith: { $1 }
        )
    }

    // MARK: - Bounds

    private mutating func bound() {
        switch self.kept {
        case .everything: break
        case .tail(let entries, let bytes): self.boundTail(entries: entries, bytes: bytes)
        case .lastChange: break
        }
        let surplus = self.tombstones.count - Self.maximumTombstones
        guard surplus > 0 else { return }
        self.floor = max(self.floor, self.tombstones[surplus - 1].version)
        self.tombstones.removeFirst(surplus)
    }

    private mutating func boundTail(entries: Int, bytes: Int) {
        var rest = bytes
        var first = self.entries.count
        while first > 0, self.entries.count - first < entries {
            rest -= self.entries[first - 1].stable.bytes.count + self.entries[first - 1].volatile.bytes.count
            guard rest >= 0 else { break }
            first -= 1
        }
        guard first > 0 else { return }
        self.floor = max(self.floor, self.entries[first - 1].version)
        self.entries.removeFirst(first)
        self.index.removeAll()
        self.makeIndex()
    }
}

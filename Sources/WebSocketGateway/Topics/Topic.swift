// A shard's mirror of a topic.
//
// Invariants
// - Every version inside is ≤ `version`; versions of changes rise strictly, and a change that is not newer is ignored.
// - For every v with tombstoneFloor ≤ v ≤ version: the entries and tombstones newer than v turn any client's copy of
//   the topic at v into the topic now.
// - `entries` keeps the order of arrival; `index` holds each key's place in it, or nothing while they are few.

/// A set of versioned entries with the tombstones of what is gone, mirrored on one shard's thread.
package struct Topic {
    /// Tombstones kept at most; the oldest go first and raise the floor.
    package static let maximumTombstones = 1024
    /// Up to so many entries are searched faster than they are looked up, and need no index.
    private static let searched = 32

    /// The topic's name.
    package let id: TopicID
    /// The life of this numbering of versions.
    package let epoch: String
    /// The newest version of anything inside.
    package private(set) var version: UInt64
    /// Everything that is there, in order of arrival.
    package private(set) var entries: [TopicEntry]
    /// What is gone, oldest first.
    package private(set) var tombstones: [TopicTombstone]
    /// The oldest version from which the tombstones are complete.
    package private(set) var tombstoneFloor: UInt64
    /// The note, when there is one.
    package private(set) var note: TopicNote?

    private var index: [Int64: Int]

    /// Creates a mirror that starts at `snapshot`.
    package init(_ snapshot: TopicSnapshot) {
        self.id = snapshot.id
        self.epoch = snapshot.epoch
        self.version = snapshot.version
        self.entries = snapshot.entries
        self.tombstones = snapshot.tombstones
        self.tombstoneFloor = snapshot.tombstoneFloor
        self.note = snapshot.note
        self.index = [:]
        self.makeIndex()
        self.boundTombstones()
    }

    /// Applies `change` unless it is not newer than the mirror.
    ///
    /// - Returns: whether anything was applied.
    @discardableResult
    package mutating func apply(_ change: TopicChange) -> Bool {
        guard change.version > self.version else { return false }
        self.version = change.version
        for index in change.entries.indices { self.apply(change.entries[index]) }
        for key in change.removed { self.remove(key) }
        if let note = change.note {
            self.note = TopicNote(version: self.version, frame: note.frame, summary: note.summary)
        }
        return true
    }

    /// Whether a client at `position` can be brought up to date by a difference.
    package func canResume(from position: TopicPosition) -> Bool {
        position.epoch == self.epoch && position.version >= self.tombstoneFloor && position.version <= self.version
    }

    /// Hands over each entry that has a part newer than `version`: its key and its newer parts, with nothing for an older one.
    ///
    /// Here, where parts are read where they lie: in another module each look at an entry would copy it, and count the
    /// references to parts that no cache holds.
    ///
    /// - Returns: whether there was any.
    @discardableResult
    package func forEachEntry(
        newerThan version: UInt64,
        _ body: (_ key: Int64, _ stable: [UInt8], _ volatile: [UInt8]) -> Void
    ) -> Bool {
        var hasAny = false
        for index in self.entries.indices {
            let isStableNewer = self.entries[index].stable.version > version
            let isVolatileNewer = self.entries[index].volatile.version > version
            guard isStableNewer || isVolatileNewer else { continue }
            hasAny = true
            body(
                self.entries[index].key,
                isStableNewer ? self.entries[index].stable.bytes : [],
                isVolatileNewer ? self.entries[index].volatile.bytes : []
            )
        }
        return hasAny
    }

    /// The tombstones newer than `version`.
    package func tombstones(since version: UInt64) -> ArraySlice<TopicTombstone> {
        var start = self.tombstones.endIndex
        while start > 0, self.tombstones[start - 1].version > version { start -= 1 }
        return self.tombstones[start...]
    }

    /// Asks the processor for the often-changing parts, a little before they are read one after the other.
    func prefetchMoves() {
        for index in self.entries.indices { Prefetch.lines(of: self.entries[index].volatile.bytes) }
    }

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
        self.entries.remove(at: place)
        if self.index.removeValue(forKey: key) != nil {
            for later in place..<self.entries.count { self.index[self.entries[later].key] = later }
        }
        self.tombstones.append(TopicTombstone(key: key, version: self.version))
        self.boundTombstones()
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

    private mutating func boundTombstones() {
        let surplus = self.tombstones.count - Self.maximumTombstones
        guard surplus > 0 else { return }
        self.tombstoneFloor = max(self.tombstoneFloor, self.tombstones[surplus - 1].version)
        self.tombstones.removeFirst(surplus)
    }
}

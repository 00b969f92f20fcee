/// Says that an entry was removed, to sessions that may still show it.
package struct TopicTombstone: Hashable, Sendable {
    /// The entry that is gone.
    package let key: Int64
    /// The topic's version at the removal.
    package let version: UInt64

    /// Creates the tombstone of `key`.
    package init(key: Int64, version: UInt64) {
        self.key = key
        self.version = version
    }
}

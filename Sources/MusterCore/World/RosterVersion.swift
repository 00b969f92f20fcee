/// A point in the life of a roster: versions rise within an epoch, and epochs have nothing to do with each other.
package struct RosterVersion: Hashable, Sendable, Codable {
    /// Changes whenever the world loads the group anew.
    package var epoch: String
    /// Rises with each change.
    package var version: UInt64

    /// Names a point.
    package init(epoch: String, version: UInt64) {
        self.epoch = epoch
        self.version = version
    }
}

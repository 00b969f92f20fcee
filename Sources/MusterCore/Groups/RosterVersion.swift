/// A version of a roster.
///
/// Versions rise within an epoch; versions of different epochs are not comparable.
package struct RosterVersion: Hashable, Sendable {
    /// The epoch, which changes whenever the world loads the group.
    package var epoch: String
    /// The number, which rises with each change.
    package var version: UInt64

    /// Creates a version.
    package init(epoch: String, version: UInt64) {
        self.epoch = epoch
        self.version = version
    }
}

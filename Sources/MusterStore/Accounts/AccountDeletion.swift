package import MusterCore

/// What changes for others when an account is deleted.
package struct AccountDeletion: Sendable {
    /// Every group that the person was in, without them; without members when they were the last.
    package var groups: [GroupSnapshot]
    /// The spots that were theirs, and are no more.
    package var spots: [SpotID]
}

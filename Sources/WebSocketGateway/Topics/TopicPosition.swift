/// How far a client has come in a topic, as it says itself when it resumes.
package struct TopicPosition: Hashable, Sendable {
    /// The epoch of the version.
    package let epoch: String
    /// The newest version that the client holds.
    package let version: UInt64

    /// Creates a position.
    package init(epoch: String, version: UInt64) {
        self.epoch = epoch
        self.version = version
    }
}

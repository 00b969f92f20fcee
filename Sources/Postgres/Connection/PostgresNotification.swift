/// What another session said with NOTIFY on a channel that this one listens to.
package struct PostgresNotification: Sendable, Hashable {
    /// The channel.
    package let channel: String
    /// The text that came with it; empty when none was given.
    package let payload: String
}

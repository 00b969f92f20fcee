/// A notification that a session has sent with NOTIFY on a subscribed channel.
package struct PostgresNotification: Sendable, Hashable {
    /// The channel.
    let channel: String
    /// The payload; empty when there is none.
    package let payload: String
}

/// Something that the storage layer tells an operator, for whoever writes the logs.
package struct StoreLogEntry: Sendable {
    /// How much it matters.
    package enum Level: Sendable {
        case info
        case warning
        case error
    }

    /// How much it matters.
    package let level: Level
    /// What happened; holds no secret.
    package let message: String

    /// Creates an entry.
    package init(_ level: Level, _ message: String) {
        self.level = level
        self.message = message
    }
}

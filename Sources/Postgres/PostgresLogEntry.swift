/// Something that an operator may want to know, for whoever writes the logs.
package struct PostgresLogEntry: Sendable {
    /// How much it matters.
    package enum Level: Sendable {
        case info
        case warning
    }

    /// How much it matters.
    package let level: Level
    /// What happened; holds no parameters and no password.
    package let message: String

    /// Creates an entry.
    package init(_ level: Level, _ message: String) {
        self.level = level
        self.message = message
    }
}

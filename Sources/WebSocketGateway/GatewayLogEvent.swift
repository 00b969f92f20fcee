/// One line for the log.
package struct GatewayLogEvent: Sendable {
    /// How much it matters.
    package enum Level: Int, Sendable, Comparable {
        case debug
        case info
        case warning
        case error

        package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// How much it matters.
    package let level: Level
    /// What happened, in a few words.
    package let message: String
    /// Dotted keys and their values.
    package let fields: [(key: String, value: String)]

    /// Creates an event.
    package init(_ level: Level, _ message: String, _ fields: [(key: String, value: String)] = []) {
        self.level = level
        self.message = message
        self.fields = fields
    }
}

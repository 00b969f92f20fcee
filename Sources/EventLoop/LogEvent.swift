/// A log entry, which every layer hands to the writer of the log.
package struct LogEvent: Sendable {
    /// The severity of an event.
    package enum Level: String, Sendable, CaseIterable, Comparable {
        case debug
        case info
        case warning
        case error

        package static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

        private var rank: Int {
            switch self {
            case .debug: 0
            case .info: 1
            case .warning: 2
            case .error: 3
            }
        }
    }

    /// The severity.
    package let level: Level
    /// The event in a few words, without secrets and without parameters of a statement.
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

/// Something that an operator may want to know: what every layer hands to whoever writes the log.
package struct LogEvent: Sendable {
    /// How much it matters.
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

    /// How much it matters.
    package let level: Level
    /// What happened, in a few words; holds no secret and no parameter of a statement.
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

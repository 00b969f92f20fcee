/// One option of a command: on the command line, in the environment and in a configuration file.
package struct Option: Sendable {
    /// What an option takes.
    package enum Argument: Sendable, Equatable {
        /// Nothing: it is there or not.
        case none
        /// One value, shown under this name in the help.
        case one(String)
        /// A value each time it is given; in the environment and in a file separated by commas.
        case many(String)
    }

    /// The long name without dashes, such as `data-dir`.
    package let name: String
    /// What it takes.
    package let argument: Argument
    /// One sentence for the help.
    package let help: String
    /// The value when it is not given; nil when there is none.
    package let fallback: String?
    /// A second name in the environment, for what others already call it.
    package let alias: String?

    /// Declares an option.
    package init(
        _ name: String,
        _ argument: Argument = .none,
        default fallback: String? = nil,
        alias: String? = nil,
        help: String
    ) {
        self.name = name
        self.argument = argument
        self.help = help
        self.fallback = fallback
        self.alias = alias
    }

    /// The name in the environment: `MUSTER_DATA_DIR`.
    package var environmentName: String {
        "MUSTER_" + self.name.uppercased().replacing("-", with: "_")
    }

    /// How the help shows it.
    package var usage: String {
        switch self.argument {
        case .none: "--\(self.name)"
        case .one(let value): "--\(self.name) \(value)"
        case .many(let value): "--\(self.name) \(value) …"
        }
    }
}

/// One option of a command: on the command line, in the environment and in a configuration file.
package struct Option: Sendable {
    /// The argument of an option.
    package enum Argument: Sendable, Equatable {
        /// No argument: a flag.
        case none
        /// One value; the name is shown in the help.
        case one(String)
        /// A value for each occurrence; in the environment and in a file, values are separated by commas.
        case many(String)
    }

    /// The long name without dashes, such as `data-dir`.
    package let name: String
    /// The argument.
    let argument: Argument
    /// One sentence for the help.
    package let help: String
    /// The default value; nil for none.
    package let fallback: String?
    /// An additional, commonly used name in the environment.
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
    var environmentName: String {
        "MUSTER_" + self.name.uppercased().replacing("-", with: "_")
    }

    /// The option in the help.
    package var usage: String {
        switch self.argument {
        case .none: "--\(self.name)"
        case .one(let value): "--\(self.name) \(value)"
        case .many(let value): "--\(self.name) \(value) …"
        }
    }
}

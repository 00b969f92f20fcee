/// One of the things that `muster` does: `muster NAME [options]`.
protocol Command {
    /// The word on the command line.
    static var name: String { get }
    /// One line for the list of commands.
    static var summary: String { get }
    /// What follows the name, such as `[options]`.
    static var usage: String { get }
    /// A paragraph for the command's own help; may be empty.
    static var discussion: String { get }
    /// The options beside `--config` and `--help`.
    static var options: [Option] { get }

    /// Does it.
    ///
    /// - Returns: the exit status, 0 for done.
    /// - Throws: `UsageError` when the values make no sense; anything else failed.
    static func run(_ values: OptionValues) async throws -> Int32
}

extension Command {
    static var allOptions: [Option] { Self.options + [OptionParser.configuration] }

    /// The text of `muster NAME --help`.
    static var help: String {
        var text = "\(Self.summary)\n\nUsage: muster \(Self.name) \(Self.usage)\n"
        if !Self.discussion.isEmpty { text += "\n\(Self.discussion)\n" }
        text += "\nOptions (each also as MUSTER_… in the environment, and in the file of --config):\n"
        let width = (Self.allOptions.map { $0.usage.count }.max() ?? 0) + 2
        for option in Self.allOptions {
            let padding = String(repeating: " ", count: width - option.usage.count)
            text += "  \(option.usage)\(padding)\(option.help)"
            if let fallback = option.fallback { text += " [\(fallback)]" }
            text += "\n"
        }
        return text
    }
}

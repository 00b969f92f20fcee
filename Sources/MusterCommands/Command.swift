import Foundation

/// A command of `muster`: `muster NAME [options]`.
package protocol Command {
    /// The name on the command line.
    static var name: String { get }
    /// One line for the list of commands.
    static var summary: String { get }
    /// The text after the name, such as `[options]`.
    static var usage: String { get }
    /// A paragraph for the command's own help; may be empty.
    static var discussion: String { get }
    /// The options, in addition to `--config` and `--help`.
    static var options: [Option] { get }

    /// Runs the command.
    ///
    /// - Returns: the exit status, 0 for success.
    /// - Throws: `UsageError` for invalid values; other errors for failures.
    static func run(_ values: OptionValues) async throws -> Int32
}

extension Command {
    /// The options of the command, with `--config`.
    package static var allOptions: [Option] { Self.options + [OptionParser.configuration] }

    /// The text of `muster NAME --help`.
    package static var help: String {
        var text = "\(Self.summary)\n\nUsage: muster \(Self.name) \(Self.usage)\n"
        if !Self.discussion.isEmpty { text += "\n\(Self.discussion)\n" }
        text += "\nOptions (each can also be set as MUSTER_… in the environment or in the file of --config):\n"
        let width = (Self.allOptions.map { $0.usage.count }.max() ?? 0) + 2
        for option in Self.allOptions {
            let padding = String(repeating: " ", count: width - option.usage.count)
            text += "  \(option.usage)\(padding)\(option.help)"
            if let fallback = option.fallback { text += " [\(fallback)]" }
            text += "\n"
        }
        return text
    }

    /// Parses the arguments and runs the command; writes help and errors.
    ///
    /// - Parameters:
    ///   - arguments: what follows the command's word.
    ///   - program: the words before them, for messages, such as `muster serve`.
    ///   - others: the options of other commands, which the file of `--config` may have, too.
    ///   - describe: the text for an error that is no `UsageError`.
    /// - Returns: the exit status: 0 done, 1 failed, 2 wrong usage.
    package static func execute(
        _ arguments: [String],
        as program: String,
        besides others: [Option] = [],
        describe: (any Error, OptionValues) -> String = { error, _ in "\(error)" }
    ) async -> Int32 {
        if arguments.contains("--help") || arguments.contains("-h") {
            print(Self.help, terminator: "")
            return 0
        }
        var values = OptionValues(options: Self.allOptions)
        do {
            let parser = OptionParser(options: Self.allOptions, otherNames: Set(others.map(\.name)))
            values = try parser.parse(
                arguments,
                environment: ProcessInfo.processInfo.environment,
                readFile: { try? String(contentsOfFile: $0, encoding: .utf8) }
            )
            return try await Self.run(values)
        } catch let error as UsageError {
            Self.complain("\(program): \(error) (see \(program) --help)")
            return 2
        } catch {
            Self.complain("\(program): \(describe(error, values))")
            return 1
        }
    }

    private static func complain(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
}

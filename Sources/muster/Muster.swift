import Foundation
import MusterServer
import Postgres

/// The one executable: picks the command, and turns how it ended into an exit status.
@main
enum Muster {
    /// The commands, in the order in which the help lists them.
    static var commands: [any Command.Type] {
        [
            ServeCommand.self, MigrateCommand.self, SimulateCommand.self, ReplayCommand.self, ImportCommand.self,
            GeocodeCommand.self, ModerateCommand.self, BenchCommand.self, ImagingCommand.self,
        ]
    }

    static func main() async {
        // The pipe of a reader that went away is an error of the write, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        exit(await self.run(Array(CommandLine.arguments.dropFirst())))
    }

    /// Runs the command line.
    ///
    /// - Returns: 0 done, 1 failed, 2 wrong usage.
    static func run(_ arguments: [String]) async -> Int32 {
        guard let word = arguments.first else {
            self.complain(self.help)
            return 2
        }
        if ["--help", "-h", "help"].contains(word) {
            print(self.help, terminator: "")
            return 0
        }
        if word == "--version" {
            print("muster \(MusterVersion.current)")
            return 0
        }
        guard let command = self.commands.first(where: { $0.name == word }) else {
            self.complain("muster: unknown command '\(word)' (see muster --help)\n")
            return 2
        }
        let rest = Array(arguments.dropFirst())
        if rest.contains("--help") || rest.contains("-h") {
            print(command.help, terminator: "")
            return 0
        }
        var values = OptionValues(options: command.allOptions)
        do {
            values = try OptionParser(options: command.allOptions).parse(
                rest,
                environment: ProcessInfo.processInfo.environment,
                readFile: { try? String(contentsOfFile: $0, encoding: .utf8) }
            )
            return try await command.run(values)
        } catch let error as UsageError {
            self.complain("muster \(command.name): \(error) (see muster \(command.name) --help)\n")
            return 2
        } catch let error as PostgresError {
            self.complain("muster \(command.name): \(StartupProblem(error, values))\n")
            return 1
        } catch {
            self.complain("muster \(command.name): \(error)\n")
            return 1
        }
    }

    private static var help: String {
        var text = """
            Muster: a real-time presence server for groups of friends.

            Usage: muster COMMAND [options]

            Commands:

            """
        for command in self.commands {
            text += "  \(command.name.padding(toLength: 12, withPad: " ", startingAt: 0))\(command.summary)\n"
        }
        text += "\nmuster COMMAND --help tells more. Exit status: 0 done, 1 failed, 2 wrong usage.\n"
        return text
    }

    private static func complain(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}

import Foundation
import MusterCommands
import MusterServer
import MusterWire
import Postgres

/// The executable: runs a command, and maps its outcome to an exit status.
@main
enum Muster {
    /// The commands, in the order of the help.
    static var commands: [any Command.Type] {
        [
            ServeCommand.self, MigrateCommand.self, SimulateCommand.self, ReplayCommand.self, ImportCommand.self,
            GeocodeCommand.self, ModerateCommand.self, BackupCommand.self, RestoreCommand.self, DoctorCommand.self,
            ImagingCommand.self, AuthCheckCommand.self,
        ]
    }

    static func main() async {
        // A closed pipe is an error of the write, and must not end the process.
        signal(SIGPIPE, SIG_IGN)
        exit(await self.run(Array(CommandLine.arguments.dropFirst())))
    }

    /// Runs the command line.
    ///
    /// - Returns: 0 for success, 1 for a failure, 2 for wrong usage.
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
        if word == SiblingProgram.bench.command { return SiblingProgram.bench.run(Array(arguments.dropFirst())) }
        guard let command = self.commands.first(where: { $0.name == word }) else {
            self.complain("muster: unknown command '\(word)' (see muster --help)\n")
            return 2
        }
        let rest = Array(arguments.dropFirst())
        let others = self.commands.flatMap { $0.allOptions }
        return await command.execute(rest, as: "muster \(word)", besides: others) { error, values in
            switch error {
            case let error as PostgresError: "\(StartupProblem(error, values))"
            case let error as FrameError: error.message
            default: "\(error)"
            }
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
        text += "  \(SiblingProgram.bench.listing)\n"
        text += "\nFor details: muster COMMAND --help. Exit status: 0 success, 1 failure, 2 usage error.\n"
        return text
    }

    private static func complain(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}

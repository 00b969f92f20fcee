import Foundation
import MusterCommands

/// The program that measures: `muster-bench KIND [options]`.
@main
enum MusterBench {
    static func main() async {
        // A write to a reader that went away fails instead of ending the process.
        signal(SIGPIPE, SIG_IGN)
        exit(await BenchCommand.execute(Array(CommandLine.arguments.dropFirst()), as: "muster bench"))
    }
}

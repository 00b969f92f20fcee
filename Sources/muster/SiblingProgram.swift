import Foundation

/// A program that is built by itself and runs as a command of `muster`.
struct SiblingProgram {
    /// The measurements, which no operator needs.
    static let bench = SiblingProgram(
        command: "bench",
        product: "muster-bench",
        summary: "Measure this build on this machine (needs the separate program muster-bench)."
    )

    /// The command's word.
    let command: String
    /// The product that SwiftPM builds.
    let product: String
    /// One line for the list of commands.
    let summary: String

    /// The command's line in the list of commands.
    var listing: String { "\(self.command.padding(toLength: 12, withPad: " ", startingAt: 0))\(self.summary)" }

    /// Replaces this process by the program beside it.
    ///
    /// - Returns: exit status 1, if the program is not there or does not start.
    func run(_ arguments: [String]) -> Int32 {
        let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let path = folder.appending(path: self.product).path
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        execv(path, &words)
        let reason =
            errno == ENOENT
            ? "\(self.product) is not in the folder of this program; build it: swift build -c release --product \(self.product)"
            : "\(path) does not start: \(String(cString: strerror(errno)))"
        FileHandle.standardError.write(Data("muster \(self.command): \(reason)\n".utf8))
        return 1
    }
}

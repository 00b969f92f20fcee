import Foundation

/// Kills a process when the one that watches over it dies, and deletes a folder in every case.
///
/// A shell waits for its lifeline's end, as for a throw-away cluster.
final class ProcessWatcher {
    private let lifeline: Pipe

    /// Starts the shell; nothing is watched yet.
    init(folder: String) throws {
        self.lifeline = try ProgramStart.watcher(
            """
            while read -r process && [ "$process" != end ]; do victim=$process; done
            [ "$process" = end ] || [ -z "$victim" ] || kill -KILL "$victim" 2>/dev/null
            rm -rf "$0"
            """,
            [folder]
        )
    }

    /// Watches over a process.
    func watch(_ process: Int32) throws {
        try self.lifeline.fileHandleForWriting.write(contentsOf: Data("\(process)\n".utf8))
    }

    /// Lets go: the process has ended.
    func end() {
        try? self.lifeline.fileHandleForWriting.write(contentsOf: Data("end\n".utf8))
        try? self.lifeline.fileHandleForWriting.close()
    }
}

import Foundation

/// Kills a process when this process dies, and deletes a folder in any case.
///
/// A shell waits for the end of a pipe from this process, as for a throw-away cluster.
final class ProcessWatcher {
    private let lifeline: Pipe

    /// Starts the shell, without a process to watch yet.
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

    /// Watches a process.
    func watch(_ process: Int32) throws {
        try self.lifeline.fileHandleForWriting.write(contentsOf: Data("\(process)\n".utf8))
    }

    /// Stops watching: the process has ended.
    func end() {
        try? self.lifeline.fileHandleForWriting.write(contentsOf: Data("end\n".utf8))
        try? self.lifeline.fileHandleForWriting.close()
    }
}

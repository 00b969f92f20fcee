import Foundation

/// Removes a throw-away cluster, however the process that started it ends.
///
/// A shell waits for the end of a pipe from this process; then it stops the server and deletes the folder.
package final class FolderWatcher: Sendable {
    private let lifeline: Pipe

    /// Watches the cluster in a folder until the object is released or the process ends.
    ///
    /// - Parameters:
    /// - cluster: the folder of the cluster, which need not exist yet.
    /// - scratch: the folder to delete.
    /// - Throws: if no shell can be started.
    package init(cluster: String, scratch: String) throws {
        self.lifeline = try ProgramStart.watcher(
            """
            read -r ignored
            server=$(head -n 1 "$0/data/postmaster.pid" 2>/dev/null)
            [ -z "$server" ] || kill -QUIT "$server" 2>/dev/null
            tries=0
            while [ -n "$server" ] && kill -0 "$server" 2>/dev/null && [ $tries -lt 50 ]; do
                tries=$((tries + 1)); sleep 0.1
            done
            rm -rf "$1"
            """,
            [cluster, scratch]
        )
    }

    // Foundation never releases a program that it has started, nor the pipe to it.
    deinit { try? self.lifeline.fileHandleForWriting.close() }
}

import Glibc

/// A lock on a folder for the lifetime of this object.
///
/// A crash of the process also releases it.
package final class FolderLock: Sendable {
    private let descriptor: Int32

    /// Locks a folder that exists.
    ///
    /// - Parameters:
    ///   - folder: the folder.
    ///   - refusal: the message when another process has locked it; nil for that of a cluster.
    /// - Throws: `cluster`, when the folder cannot be locked.
    package init(folder: String, refusal: String? = nil) throws(PostgresError) {
        let path = "\(folder)/lock"
        self.descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard self.descriptor >= 0 else {
            throw PostgresError(.cluster, message: "cannot open \(path): \(systemMessage())")
        }
        guard flock(self.descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let message = refusal ?? "another server uses the PostgreSQL cluster in \(folder)"
            throw PostgresError(.cluster, message: message)
        }
    }

    deinit {
        // Explicit, because a child process that is just being started may have a copy of the descriptor.
        flock(self.descriptor, LOCK_UN)
        close(self.descriptor)
    }
}

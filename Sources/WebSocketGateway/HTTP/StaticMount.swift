/// A folder whose files are served below a path.
package struct StaticMount: Sendable {
    /// The path; begins and ends with a slash.
    package var prefix: String
    /// The folder on disk.
    package var directory: String
    /// The `cache-control` of its answers.
    package var cacheControl: String

    /// Mounts `directory` at `prefix`.
    package init(prefix: String, directory: String, cacheControl: String = "no-cache") {
        self.prefix = prefix
        self.directory = directory
        self.cacheControl = cacheControl
    }
}

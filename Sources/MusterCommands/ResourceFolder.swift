import Foundation

/// Finds the folders of the program's resources: in the current directory, beside the program, or above it in a
/// checkout.
package enum ResourceFolder {
    /// The path of the folder `name`, or nil.
    package static func find(_ name: String) -> String? {
        if self.exists(name) { return name }
        var folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        while folder.path != "/" {
            folder.deleteLastPathComponent()
            for candidate in [folder.appending(path: name), folder.appending(path: "share/muster/\(name)")]
            where self.exists(candidate.path) {
                return candidate.path
            }
        }
        return nil
    }

    /// Whether `path` is a folder.
    package static func exists(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}

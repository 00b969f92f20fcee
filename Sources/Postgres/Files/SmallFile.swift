import Glibc

/// Reads a whole file, or its last `limit` bytes; `nil` when it cannot be read.
func readFile(_ path: String, limit: Int = .max) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    // Files in /proc report size 0 although they have content, so the file is read until `read` returns 0.
    lseek(descriptor, off_t(max(0, Int(status.st_size) - limit)), SEEK_SET)
    var content: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 16 * 1024)
    while true {
        let count = read(descriptor, &piece, piece.count)
        if count < 0 && errno == EINTR { continue }
        guard count >= 0 else { return nil }
        guard count > 0 else { return content }
        content.append(contentsOf: piece.prefix(count))
    }
}

/// Writes a whole file that only its owner may read.
///
/// Returns whether that succeeded.
func writeFile(_ path: String, _ content: String) -> Bool {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var rest = Array(content.utf8)[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
    }
    return true
}

/// Returns the names in a folder, without `.` and `..`, sorted; `nil` when it cannot be read.
func listFolder(_ path: String) -> [String]? {
    guard let stream = opendir(path) else { return nil }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
            tuple.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
        }
        if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
}

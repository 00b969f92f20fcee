import Glibc

/// Files of the map folder.
enum MapFile {
    /// Writes bytes at a position of an open file.
    static func write(
        _ bytes: [UInt8],
        to descriptor: Int32,
        at offset: UInt64,
        named path: String
    ) throws(MapError) {
        var done = 0
        var number: Int32 = 0
        bytes.withUnsafeBytes { bytes in
            while done < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
                let count = pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(done))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else {
                    number = errno
                    return
                }
                done += count
            }
        }
        guard done == bytes.count else { throw .system("write", path, number) }
    }

    /// Forces a file and its name to disk.
    ///
    /// After a failure, the name still has the earlier file.
    static func publish(_ unfinished: String, _ descriptor: Int32, as path: String) throws(MapError) {
        guard fsync(descriptor) == 0, rename(unfinished, path) == 0 else {
            throw .system("write", unfinished, errno)
        }
        let name = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let folder = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }

    /// Copies a file, whose name then has the copy, after it has reached the disk.
    static func copy(_ source: String, size: UInt64, to path: String) throws(MapError) {
        let input = open(source, O_RDONLY | O_CLOEXEC)
        guard input >= 0 else { throw .system("read", source, errno) }
        defer { close(input) }
        let unfinished = "\(path).new"
        let output = open(unfinished, O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard output >= 0 else { throw .system("write", unfinished, errno) }
        defer { close(output) }
        do throws(MapError) {
            var rest = size
            while rest > 0 {
                let count = sendfile(output, input, nil, Int(min(rest, 1 << 20)))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw .system("write", unfinished, count < 0 ? errno : EIO) }
                rest -= UInt64(count)
            }
            try self.publish(unfinished, output, as: path)
        } catch {
            unlink(unfinished)
            throw error
        }
    }
}

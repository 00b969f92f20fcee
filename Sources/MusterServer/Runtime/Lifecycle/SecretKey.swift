import Foundation
import Glibc

/// The secret of the server that its database does not contain: 256 random bits, kept in a file.
package struct SecretKey: Sendable, Equatable {
    /// The reason why a key cannot be read from a file.
    package struct Problem: Error, CustomStringConvertible {
        /// The problem, with the name of the file.
        package let description: String
    }

    private static let count = 32

    /// The secret.
    let bytes: [UInt8]

    /// Creates a key that is not stored.
    package init() { self.init(randomBytes(count: Self.count)) }

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads the key from a file, 64 hexadecimal digits.
    ///
    /// If the file does not exist, creates it with a new key.
    ///
    /// Blocks.
    ///
    /// - Throws: an error when the file can neither be read nor created, or has other content.
    package init(file path: String) throws(Problem) {
        if !FileManager.default.fileExists(atPath: path) {
            self.init()
            try self.write(to: path)
            return
        }
        guard let content = FileManager.default.contents(atPath: path) else {
            throw Problem(description: "cannot read the secret key file '\(path)'")
        }
        let digits = String(decoding: content, as: UTF8.self).filter { !$0.isWhitespace && $0 != "\u{FEFF}" }
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap { offset in
            UInt8(digits.dropFirst(offset).prefix(2), radix: 16)
        }
        guard digits.utf8.count == 2 * Self.count, bytes.count == Self.count else {
            throw Problem(description: "'\(path)' must contain a secret key of 64 hexadecimal digits")
        }
        self.init(bytes)
    }

    private func write(to path: String) throws(Problem) {
        let folder = URL(filePath: path).deletingLastPathComponent()
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // Never overwrites a file that another process created meanwhile.
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw Problem(
                description: "cannot create the secret key file '\(path)': \(String(cString: strerror(errno)))"
            )
        }
        defer { close(descriptor) }
        let digits = self.bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() + "\n"
        guard digits.withCString({ Glibc.write(descriptor, $0, digits.utf8.count) }) == digits.utf8.count,
            fsync(descriptor) == 0
        else {
            unlink(path)
            throw Problem(
                description: "cannot write the secret key file '\(path)': \(String(cString: strerror(errno)))"
            )
        }
    }
}

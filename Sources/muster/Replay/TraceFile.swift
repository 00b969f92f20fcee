import CZlib
import Foundation
import MusterCore
import MusterWire

/// Reads the lines of a file or of standard input, gzipped or plain, in chunks.
///
/// zlib's `gzread` passes uncompressed data through, so both cases share one code path.
final class TraceFile {
    /// The maximum length of a line in bytes.
    static let lineLimit = 4 << 20

    /// The name in messages.
    let name: String
    /// The size of the file on disk in bytes; nil for a pipe.
    let size: Int64?
    /// The number of the last line, from 1.
    private(set) var lineNumber = 0

    private let handle: gzFile
    /// The current chunk; space for the decoder's padding follows `capacity`.
    private var buffer: UnsafeMutableRawPointer
    private var capacity = 1 << 18
    private var start = 0
    private var end = 0
    private var isAtEnd = false

    /// Opens the file at `path`, or standard input for `-`.
    init(path: String) throws(ReplayError) {
        self.name = path == "-" ? "standard input" : path
        let descriptor = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw ReplayError(.unreadable, message: "cannot read '\(path)': \(String(cString: strerror(errno)))")
        }
        var status = stat()
        let isRegular = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        self.size = isRegular ? Int64(status.st_size) : nil
        // The handle owns the descriptor from here on.
        guard let handle = gzdopen(descriptor, "rb") else {
            close(descriptor)
            throw ReplayError(.unreadable, message: "cannot read '\(path)': no memory")
        }
        gzbuffer(handle, 1 << 17)
        self.handle = handle
        self.buffer = .allocate(byteCount: self.capacity + TraceDecoder.padding, alignment: 16)
    }

    deinit {
        gzclose(self.handle)
        self.buffer.deallocate()
    }

    /// The number of bytes of the file on disk that were read.
    var position: Int64 { Int64(gzoffset(self.handle)) }

    /// A line of the file.
    enum Line {
        /// The text without the line end, valid until the next line is read; the decoder's padding of readable bytes
        /// follows it.
        case text(UnsafeRawBufferPointer)
        /// A line longer than `lineLimit`, which was discarded.
        case tooLong
    }

    /// Returns the next line; nil after the last one.
    func nextLine() throws(ReplayError) -> Line? {
        var searched = self.start
        var isTooLong = false
        while true {
            if let newline = memchr(self.buffer + searched, 0x0a, self.end - searched) {
                let line = self.line(upTo: self.buffer.distance(to: UnsafeMutableRawPointer(newline)), skipping: 1)
                return isTooLong ? .tooLong : .text(line)
            }
            if self.isAtEnd {
                guard isTooLong || self.start < self.end else { return nil }
                let line = self.line(upTo: self.end, skipping: 0)
                return isTooLong ? .tooLong : .text(line)
            }
            if self.end - self.start >= Self.lineLimit {
                isTooLong = true
                self.start = self.end
            }
            searched = self.end - self.start
            try self.fill()
        }
    }

    private func line(upTo place: Int, skipping newline: Int) -> UnsafeRawBufferPointer {
        self.lineNumber += 1
        defer { self.start = place + newline }
        if self.lineNumber == 1, place - self.start >= FileText.mark.count,
            memcmp(self.buffer + self.start, FileText.mark, FileText.mark.count) == 0
        {
            self.start += FileText.mark.count
        }
        let bytes = UnsafeRawBufferPointer(start: self.buffer + self.start, count: place - self.start)
        return bytes.last == UInt8(ascii: "\r") ? UnsafeRawBufferPointer(rebasing: bytes.dropLast()) : bytes
    }

    /// Moves the unread bytes to the front, and reads more after them.
    private func fill() throws(ReplayError) {
        let rest = self.end - self.start
        memmove(self.buffer, self.buffer + self.start, rest)
        self.start = 0
        self.end = rest
        if self.end == self.capacity { self.grow() }
        let count = gzread(self.handle, self.buffer + self.end, UInt32(self.capacity - self.end))
        if count <= 0 {
            var code: Int32 = 0
            // zlib prefixes the reason with a name and ": ".
            let text = gzerror(self.handle, &code).map { String(cString: $0) } ?? ""
            let reason = text.split(separator: ": ", maxSplits: 1).last ?? ""
            guard code == Z_OK || code == Z_STREAM_END else {
                throw ReplayError(.unreadable, message: "\(self.name): line \(self.lineNumber + 1): \(reason)")
            }
            self.isAtEnd = true
        } else {
            self.end += Int(count)
        }
    }

    private func grow() {
        let larger = UnsafeMutableRawPointer.allocate(
            byteCount: 2 * self.capacity + TraceDecoder.padding,
            alignment: 16
        )
        larger.copyMemory(from: self.buffer, byteCount: self.end)
        self.buffer.deallocate()
        self.buffer = larger
        self.capacity *= 2
    }
}

@available(*, unavailable)
extension TraceFile: Sendable {}

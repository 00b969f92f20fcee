/// Splits a stream of bytes into lines, buffering one line at a time; a byte order mark at the start is removed.
package struct LineSplitter: Sendable {
    /// The maximum number of bytes of a line; the rest of a longer line is dropped.
    package static let longest = 4_194_304

    private var rest: [UInt8] = []
    private var isFirst = true

    /// Creates a splitter at the start of a stream.
    package init() {}

    /// Processes bytes, and calls `body` with every line that ends in them, without its line ending.
    package mutating func consume<Failure: Error>(
        _ bytes: ArraySlice<UInt8>,
        _ body: (ArraySlice<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        var start = bytes.startIndex
        while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
            if self.rest.isEmpty {
                try body(self.trimmed(bytes[start..<end]))
            } else {
                self.keep(bytes[start..<end])
                let line = self.rest
                self.rest.removeAll(keepingCapacity: true)
                try body(self.trimmed(line[...]))
            }
            start = end + 1
        }
        self.keep(bytes[start...])
    }

    /// Calls `body` with the bytes after the last line ending, if there are any.
    package mutating func end<Failure: Error>(_ body: (ArraySlice<UInt8>) throws(Failure) -> Void) throws(Failure) {
        guard !self.rest.isEmpty else { return }
        let line = self.rest
        self.rest = []
        try body(self.trimmed(line[...]))
    }

    private mutating func keep(_ bytes: ArraySlice<UInt8>) {
        self.rest.append(contentsOf: bytes.prefix(max(0, Self.longest - self.rest.count)))
    }

    private mutating func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let text = self.isFirst && line.starts(with: FileText.mark) ? line.dropFirst(FileText.mark.count) : line
        self.isFirst = false
        return text.last == UInt8(ascii: "\r") ? text.dropLast() : text
    }
}

import CZlib
import MusterCore

// A ZIP file (PKWARE's APPNOTE 6.3) ends with a central directory. It lists for each file the name, method, size and
// the position of the local header, which precedes the data. The end record has 22 bytes and a comment of at most
// 65,535 bytes; it is found by searching backwards for its signature. GeoNames' archives contain one text and use
// neither encryption nor ZIP64.

/// The contents of the text file in a ZIP archive.
final class ZipBytes: ByteSource {
    private let file: FileBytes
    private let name: String
    private let path: String
    private var stream = z_stream()
    private var isDeflated = false
    private var left: Int
    private let whole: Int
    private var hasEnded = false
    private var input: [UInt8] = []
    private var consumed = 0

    /// Opens the first file of the archive with a name that ends in `.txt` and does not contain "readme".
    init(path: String) throws(PlaceImportError) {
        let broken = PlaceImportError(
            .unreadable,
            "'\(path)' is damaged or truncated: the end of the ZIP file is missing; download it again and run unzip -t \(path)"
        )
        self.path = path
        self.file = try FileBytes(path: path)
        let tailSize = min(self.file.count, 22 + 65_535)
        try self.file.seek(to: self.file.count - tailSize)
        let tail = try self.file.read(tailSize) ?? []
        var end = tail.count - 22
        while end >= 0, tail.integer(4, at: end) != 0x0605_4b50 { end -= 1 }
        guard end >= 0 else { throw broken }
        let directoryStart = tail.integer(4, at: end + 16)
        try self.file.seek(to: directoryStart)
        let directory = try self.file.read(tail.integer(4, at: end + 12)) ?? []
        var offset = 0
        var found: (name: String, method: Int, size: Int, header: Int)?
        while offset + 46 <= directory.count, directory.integer(4, at: offset) == 0x0201_4b50 {
            let length = directory.integer(2, at: offset + 28)
            guard offset + 46 + length <= directory.count else { throw broken }
            let name = String(decoding: directory[offset + 46..<offset + 46 + length], as: UTF8.self)
            if name.lowercased().hasSuffix(".txt"), !name.lowercased().contains("readme") {
                found = (
                    name, directory.integer(2, at: offset + 10), directory.integer(4, at: offset + 20),
                    directory.integer(4, at: offset + 42)
                )
                break
            }
            offset += 46 + length + directory.integer(2, at: offset + 30) + directory.integer(2, at: offset + 32)
        }
        guard let found else {
            throw PlaceImportError(
                .unreadable,
                "'\(path)' contains no .txt file, as a ZIP file of GeoNames does (BR.txt in BR.zip)"
            )
        }
        guard found.method == 0 || found.method == 8 else {
            throw PlaceImportError(
                .unreadable,
                "'\(found.name)' in '\(path)' uses an unsupported compression method: unzip it first"
            )
        }
        try self.file.seek(to: found.header)
        guard let header = try self.file.read(30), header.count == 30, header.integer(4, at: 0) == 0x0403_4b50 else {
            throw broken
        }
        try self.file.seek(to: found.header + 30 + header.integer(2, at: 26) + header.integer(2, at: 28))
        self.name = found.name
        self.left = found.size
        self.whole = found.size
        if found.method == 8 {
            // Negative window bits select raw deflate, as used in ZIP files.
            guard inflateInit2_(&self.stream, -15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
                throw broken
            }
            self.isDeflated = true
        }
    }

    deinit { if self.isDeflated { inflateEnd(&self.stream) } }

    var share: Double? { self.whole > 0 ? 1 - Double(self.left) / Double(self.whole) : nil }

    func next() throws(PlaceImportError) -> [UInt8]? {
        guard self.isDeflated else { return try self.nextInput() }
        while !self.hasEnded {
            if self.consumed == self.input.count {
                guard let more = try self.nextInput() else {
                    throw PlaceImportError(
                        .unreadable,
                        "'\(self.name)' in '\(self.path)' is truncated: download it again"
                    )
                }
                self.input = more
                self.consumed = 0
            }
            let piece = try self.inflate()
            if !piece.isEmpty { return piece }
        }
        return nil
    }

    private func nextInput() throws(PlaceImportError) -> [UInt8]? {
        guard self.left > 0, let piece = try self.file.read(min(self.left, FileBytes.pieceSize)) else { return nil }
        self.left -= piece.count
        return piece
    }

    private func inflate() throws(PlaceImportError) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: 2 * FileBytes.pieceSize)
        var status = Z_OK
        let (taken, made) = self.input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                // zlib reads and writes within the two buffers, which outlive the call.
                self.stream.next_in = input.baseAddress.map { $0 + self.consumed }
                self.stream.avail_in = UInt32(input.count - self.consumed)
                self.stream.next_out = output.baseAddress
                self.stream.avail_out = UInt32(output.count)
                status = CZlib.inflate(&self.stream, Z_NO_FLUSH)
                return (input.count - Int(self.stream.avail_in), output.count - Int(self.stream.avail_out))
            }
        }
        self.consumed = taken
        guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else {
            throw PlaceImportError(.unreadable, "'\(self.name)' in '\(self.path)' is damaged: download it again")
        }
        self.hasEnded = status == Z_STREAM_END
        output.removeLast(output.count - made)
        return output
    }
}

extension [UInt8] {
    /// A little-endian integer of `bytes` bytes; −1 when it is out of bounds.
    fileprivate func integer(_ bytes: Int, at offset: Int) -> Int {
        guard offset >= 0, offset + bytes <= self.count else { return -1 }
        return (0..<bytes).reversed().reduce(0) { $0 << 8 | Int(self[offset + $1]) }
    }
}

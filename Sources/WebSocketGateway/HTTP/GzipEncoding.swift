import CZlib

/// Gzip compression for content that is sent often and never changes.
package enum GzipEncoding {
    /// The minimum size in bytes.
    ///
    /// Compression of less would not pay for the extra header.
    private static let minimumBytes = 512

    /// Returns `content` in gzip; nil when that saves less than a tenth.
    package static func encode(_ content: [UInt8]) -> [UInt8]? {
        guard content.count >= self.minimumBytes else { return nil }
        var stream = z_stream()
        // A window of 15 bits, plus 16 for the gzip header.
        let opened = deflateInit2_(
            &stream,
            Z_DEFAULT_COMPRESSION,
            Z_DEFLATED,
            15 + 16,
            9,
            Z_DEFAULT_STRATEGY,
            ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size)
        )
        guard opened == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        let limit = content.count - content.count / 10
        var source = content
        var ended = Z_OK
        let encoded = [UInt8](unsafeUninitializedCapacity: limit) { target, count in
            source.withUnsafeMutableBufferPointer { bytes in
                stream.next_in = bytes.baseAddress
                stream.avail_in = UInt32(bytes.count)
                stream.next_out = target.baseAddress
                stream.avail_out = UInt32(limit)
                ended = deflate(&stream, Z_FINISH)
            }
            count = limit - Int(stream.avail_out)
        }
        return ended == Z_STREAM_END ? encoded : nil
    }

    /// Returns whether an `Accept-Encoding` header accepts gzip.
    package static func isAccepted(by header: String?) -> Bool {
        var takesAny = false
        for part in (header ?? "").lowercased().split(separator: ",") {
            let fields = part.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
            guard let coding = fields.first else { continue }
            let quality = fields.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            if coding == "gzip" || coding == "x-gzip" { return quality > 0 }
            if coding == "*" { takesAny = quality > 0 }
        }
        return takesAny
    }
}

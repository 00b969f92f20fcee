import CZlib

/// Whole blocks of bytes in gzip, as tiles and directories of PMTiles files have them.
enum Gzip {
    /// Window bits of zlib for the gzip format.
    private static let window: Int32 = 15 + 16

    /// Returns the bytes in gzip.
    ///
    /// - Parameters:
    ///   - bytes: the content.
    ///   - level: the effort, 1 to 9; 9 for files that are written once.
    /// - Returns: the block.
    static func deflated(_ bytes: [UInt8], level: Int32 = 9) -> [UInt8] {
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        let opened = deflateInit2_(
            &stream,
            level,
            Z_DEFLATED,
            self.window,
            9,
            Z_DEFAULT_STRATEGY,
            ZLIB_VERSION,
            size
        )
        precondition(opened == Z_OK, "zlib has no memory left")
        defer { deflateEnd(&stream) }
        let limit = Int(deflateBound(&stream, UInt(bytes.count)))
        var source = bytes
        return [UInt8](unsafeUninitializedCapacity: limit) { target, count in
            source.withUnsafeMutableBufferPointer { bytes in
                stream.next_in = bytes.baseAddress
                stream.avail_in = UInt32(bytes.count)
                stream.next_out = target.baseAddress
                stream.avail_out = UInt32(limit)
                let ended = deflate(&stream, Z_FINISH)
                precondition(ended == Z_STREAM_END, "the bound of zlib is too small")
            }
            count = limit - Int(stream.avail_out)
        }
    }

    /// Returns the content of a gzip block of at most `limit` bytes; nil when it is damaged or longer.
    static func inflated(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
        var stream = z_stream()
        guard inflateInit2_(&stream, self.window, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            return nil
        }
        defer { inflateEnd(&stream) }
        var content: [UInt8] = []
        var source = bytes
        let isWhole = source.withUnsafeMutableBufferPointer { bytes in
            stream.next_in = bytes.baseAddress
            stream.avail_in = UInt32(bytes.count)
            while content.count <= limit {
                let size = min(max(4 * bytes.count, 4096), limit + 1 - content.count)
                guard size > 0 else { return false }
                var status = Z_OK
                let piece = [UInt8](unsafeUninitializedCapacity: size) { target, count in
                    stream.next_out = target.baseAddress
                    stream.avail_out = UInt32(size)
                    status = inflate(&stream, Z_NO_FLUSH)
                    count = size - Int(stream.avail_out)
                }
                content += piece
                if status == Z_STREAM_END { return stream.avail_in == 0 }
                guard status == Z_OK, !piece.isEmpty else { return false }
            }
            return false
        }
        return isWhole && content.count <= limit ? content : nil
    }
}

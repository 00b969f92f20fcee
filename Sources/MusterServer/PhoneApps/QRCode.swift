import CQREncode

/// A QR code as an SVG picture.
struct QRCode {
    /// The width of the light margin, in modules (ISO/IEC 18004, 9.1).
    private static let margin = 4

    /// The picture.
    let svg: String

    /// Encodes a text; nil when it is too long for a code.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let code = QRcode_encodeData(Int32(bytes.count), bytes, 0, QR_ECLEVEL_L) else { return nil }
        // The code is ours to free.
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        var path = ""
        for row in 0..<width {
            var column = 0
            while column < width {
                let first = column
                // The lowest bit of a module is set when it is dark.
                while column < width, code.pointee.data[row * width + column] & 1 == 1 { column += 1 }
                if column > first {
                    path += "M\(first + Self.margin) \(row + Self.margin)h\(column - first)v1h-\(column - first)z"
                }
                column += 1
            }
        }
        let size = width + 2 * Self.margin
        self.svg = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(size) \(size)" shape-rendering="crispEdges">\
            <path fill="#fff" d="M0 0h\(size)v\(size)H0z"/><path d="\(path)"/></svg>
            """
    }
}

// The chunked transfer coding (RFC 9112, 7.1), as strict as the grammar. If a proxy saw the end of a body elsewhere, a
// request could pass for the body of another (request smuggling).
//
//     size[;extension]CRLF  data CRLF  …  0[;extension]CRLF  [trailer CRLF]…  CRLF
//
// Sizes are hexadecimal, at most 15 digits. Lines end in CR LF only. Extensions and trailers are read and discarded, at
// most `lineBytes` in total for each body.

/// An incremental decoder of a chunked body.
struct ChunkedDecoder {
    /// The state of the body.
    enum Progress: Equatable {
        /// More bytes are needed.
        case incomplete
        /// The body is complete. The bytes after it were not examined.
        case complete
        /// The bytes are not a valid chunked body.
        case malformed
    }

    private enum State {
        case size(digits: Int)
        case extensions
        case sizeLineFeed
        case data
        case dataReturn
        case dataLineFeed
        /// The beginning of a trailer line, or of the last line.
        case trailerStart
        case trailer
        case trailerLineFeed
        case lastLineFeed
        case ended(Progress)
    }

    /// The maximum size of extensions and trailers in total, in bytes.
    private static let lineBytes = 4096

    private var state = State.size(digits: 0)
    private var remaining = 0
    private var discarded = 0

    /// Decodes the next bytes.
    ///
    /// - Parameters:
    ///   - bytes: the received bytes; bytes after the end of the body are ignored.
    ///   - emit: called with the pieces of the body in order.
    /// - Returns: the state of the body after these bytes.
    mutating func decode(_ bytes: UnsafeRawBufferPointer, _ emit: (UnsafeRawBufferPointer) -> Void) -> Progress {
        var index = 0
        while index < bytes.count {
            if case .ended(let progress) = self.state { return progress }
            if case .data = self.state {
                let count = min(self.remaining, bytes.count - index)
                emit(UnsafeRawBufferPointer(rebasing: bytes[index..<index + count]))
                index += count
                self.remaining -= count
                if self.remaining == 0 { self.state = .dataReturn }
            } else {
                self.state = self.next(bytes[index])
                index += 1
            }
        }
        if case .ended(let progress) = self.state { return progress }
        return .incomplete
    }

    /// Returns the state after a byte that is not chunk data.
    private mutating func next(_ byte: UInt8) -> State {
        switch self.state {
        case .size(let digits):
            if let digit = Self.value(ofHexadecimal: byte), digits < 15 {
                self.remaining = self.remaining << 4 | digit
                return .size(digits: digits + 1)
            }
            guard digits > 0 else { return .ended(.malformed) }
            if byte == Self.carriageReturn { return .sizeLineFeed }
            return byte == UInt8(ascii: ";") ? self.discard(byte, .extensions) : .ended(.malformed)
        case .extensions:
            return byte == Self.carriageReturn ? .sizeLineFeed : self.discard(byte, .extensions)
        case .sizeLineFeed:
            guard byte == Self.lineFeed else { return .ended(.malformed) }
            return self.remaining == 0 ? .trailerStart : .data
        case .dataReturn:
            return byte == Self.carriageReturn ? .dataLineFeed : .ended(.malformed)
        case .dataLineFeed:
            return byte == Self.lineFeed ? .size(digits: 0) : .ended(.malformed)
        case .trailerStart:
            return byte == Self.carriageReturn ? .lastLineFeed : self.discard(byte, .trailer)
        case .trailer:
            return byte == Self.carriageReturn ? .trailerLineFeed : self.discard(byte, .trailer)
        case .trailerLineFeed:
            return byte == Self.lineFeed ? .trailerStart : .ended(.malformed)
        case .lastLineFeed:
            return .ended(byte == Self.lineFeed ? .complete : .malformed)
        case .data, .ended:
            preconditionFailure("these bytes are read elsewhere")
        }
    }

    /// Counts a byte of an extension or trailer.
    private mutating func discard(_ byte: UInt8, _ state: State) -> State {
        self.discarded += 1
        let isText = byte >= 0x20 && byte != 0x7F || byte == 0x09
        return isText && self.discarded <= Self.lineBytes ? state : .ended(.malformed)
    }

    private static let carriageReturn: UInt8 = 0x0D
    private static let lineFeed: UInt8 = 0x0A

    private static func value(ofHexadecimal byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): Int(byte - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): Int(byte - UInt8(ascii: "A")) + 10
        case _: nil
        }
    }
}

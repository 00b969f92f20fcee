// A parser of request heads (RFC 9112, 2 to 5), as strict as the grammar. If it read a head differently from a proxy in
// front of it, a request could pass that the proxy never saw (request smuggling).
//
//     method SP target SP HTTP/1.x CRLF   *( name ":" OWS value OWS CRLF )   CRLF
//
// Each line is checked once, when it is complete.

/// An incremental parser of a request's head.
struct RequestHeadReader {
    /// The maximum size of a head in bytes.
    static let limit = 16_384
    /// The maximum number of headers.
    ///
    /// libwebsockets drops a connection with slightly more headers of one name.
    static let maximumFields = 80
    /// The maximum size of empty lines before a request, which are ignored, in bytes.
    private static let maximumEmptyBytes = 4
    private static let token = ByteSet(lettersDigitsAnd: "!#$%&'*+-.^_`|~")

    private var head = RequestHead()
    private var lineStart = 0
    private var searched = 0
    private var hasRequestLine = false
    private var fields = 0

    /// Continues to parse.
    ///
    /// - Parameter bytes: all received bytes of the head, possibly followed by others.
    /// - Returns: the head; nil while it is incomplete.
    /// - Throws: the reason why it is invalid.
    mutating func read(_ bytes: UnsafeRawBufferPointer) throws(HeadFault) -> RequestHead? {
        while let end = self.nextLineEnd(bytes) {
            guard end < Self.limit + self.head.emptyBytes else { throw .tooLong }
            guard end > self.lineStart, bytes[end - 1] == UInt8(ascii: "\r") else { throw .lineEnd }
            let line = self.lineStart..<end - 1
            self.lineStart = end + 1
            if !self.hasRequestLine {
                if line.isEmpty {
                    self.head.emptyBytes += 2
                    guard self.head.emptyBytes <= Self.maximumEmptyBytes else { throw .requestLine }
                } else {
                    try self.readRequestLine(bytes, line)
                    self.hasRequestLine = true
                }
            } else if line.isEmpty {
                guard self.head.isOld || self.head.host != nil else { throw .missingHost }
                if self.head.wantsWebSocket, self.head.hasTransferCoding || self.head.bodyLength ?? 0 > 0 {
                    throw .handshakeWithBody
                }
                self.head.byteCount = self.lineStart
                return self.head
            } else {
                try self.readField(bytes, line)
            }
        }
        guard bytes.count < Self.limit + self.head.emptyBytes else { throw .tooLong }
        // Input that is not HTTP may never contain a line end, so its first byte is checked at once.
        if !self.hasRequestLine, self.lineStart < bytes.count {
            let first = bytes[self.lineStart]
            guard Self.token.contains(first) || first == UInt8(ascii: "\r") else { throw .requestLine }
        }
        return nil
    }

    private mutating func nextLineEnd(_ bytes: UnsafeRawBufferPointer) -> Int? {
        var index = self.searched
        while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
        self.searched = min(index + 1, bytes.count)
        return index < bytes.count ? index : nil
    }

    // MARK: - The request line (RFC 9112, 3)

    private mutating func readRequestLine(_ bytes: UnsafeRawBufferPointer, _ line: Range<Int>) throws(HeadFault) {
        let blank = UInt8(ascii: " ")
        guard let methodEnd = bytes[line].firstIndex(of: blank), methodEnd > line.lowerBound else { throw .requestLine }
        let method = bytes[line.lowerBound..<methodEnd]
        guard method.allSatisfy({ Self.token.contains($0) }) else { throw .requestLine }
        guard !method.contains(where: { $0 >= 0x61 && $0 <= 0x7A }) else { throw .methodCase }
        let rest = bytes[(methodEnd + 1)..<line.upperBound]
        guard let targetEnd = rest.firstIndex(of: blank), targetEnd > rest.startIndex else { throw .requestLine }
        try self.readVersion(bytes, targetEnd + 1..<line.upperBound)
        let name = UnsafeRawBufferPointer(rebasing: method)
        if Self.isOne(name, of: ["CONNECT", "TRACE"]) { throw .refusedMethod }
        guard Self.isOne(name, of: ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]) else {
            throw .unknownMethod
        }
        try self.readTarget(bytes, rest.startIndex..<targetEnd, isOptions: Self.isOne(name, of: ["OPTIONS"]))
    }

    private mutating func readVersion(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) throws(HeadFault) {
        let isDigit = { (byte: UInt8) in byte >= 0x30 && byte <= 0x39 }
        guard range.count == 8, Self.equals(bytes, range.lowerBound..<range.lowerBound + 5, "HTTP/"),
            isDigit(bytes[range.lowerBound + 5]), bytes[range.lowerBound + 6] == UInt8(ascii: "."),
            isDigit(bytes[range.lowerBound + 7])
        else { throw .requestLine }
        guard bytes[range.lowerBound + 5] == UInt8(ascii: "1") else { throw .version }
        self.head.minorVersion = range.lowerBound + 7
        self.head.isOld = bytes[range.lowerBound + 7] == UInt8(ascii: "0")
    }

    private mutating func readTarget(
        _ bytes: UnsafeRawBufferPointer,
        _ range: Range<Int>,
        isOptions: Bool
    ) throws(HeadFault) {
        if bytes[range.lowerBound] == UInt8(ascii: "/") {
            return try RequestTarget.check(pathAndQuery: UnsafeRawBufferPointer(rebasing: bytes[range]))
        }
        if range.count == 1, bytes[range.lowerBound] == UInt8(ascii: "*"), isOptions { throw .serverOptions }
        for scheme in ["http://", "https://"] as [StaticString] {
            let start = range.lowerBound + scheme.utf8CodeUnitCount
            guard start < range.upperBound, Self.equals(bytes, range.lowerBound..<start, scheme) else { continue }
            let isEnd = { (byte: UInt8) in byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") }
            let end = bytes[start..<range.upperBound].firstIndex(where: isEnd) ?? range.upperBound
            guard RequestTarget.isAuthority(UnsafeRawBufferPointer(rebasing: bytes[start..<end])) else { throw .target }
            // Without a path, the target is the server as a whole (RFC 9112, 3.2.4).
            if isOptions, end == range.upperBound { throw .serverOptions }
            self.head.absolutePart = range.lowerBound..<end
            self.head.authority = start..<end
            return try RequestTarget.check(
                pathAndQuery: UnsafeRawBufferPointer(rebasing: bytes[end..<range.upperBound])
            )
        }
        throw .target
    }

    // MARK: - Headers (RFC 9112, 5 and 6)

    private mutating func readField(_ bytes: UnsafeRawBufferPointer, _ line: Range<Int>) throws(HeadFault) {
        self.fields += 1
        guard self.fields <= Self.maximumFields else { throw .tooManyFields }
        guard !Self.isBlank(bytes[line.lowerBound]) else { throw .foldedField }
        guard let colon = bytes[line].firstIndex(of: UInt8(ascii: ":")) else { throw .fieldName }
        let name = line.lowerBound..<colon
        if let last = bytes[name].last, Self.isBlank(last) { throw .blankBeforeColon }
        guard !name.isEmpty, bytes[name].allSatisfy({ Self.token.contains($0) }) else { throw .fieldName }
        guard bytes[(colon + 1)..<line.upperBound].allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
            throw .fieldValue
        }
        var value = colon + 1..<line.upperBound
        while let first = bytes[value].first, Self.isBlank(first) { value = value.lowerBound + 1..<value.upperBound }
        while let last = bytes[value].last, Self.isBlank(last) { value = value.lowerBound..<value.upperBound - 1 }
        switch name.count {
        case 4 where Self.equals(bytes, name, "host"):
            guard self.head.host == nil else { throw .repeatedHost }
            guard RequestTarget.isAuthority(UnsafeRawBufferPointer(rebasing: bytes[value])) else { throw .host }
            self.head.host = value
        case 7 where Self.equals(bytes, name, "upgrade"):
            if Self.equals(bytes, value, "websocket") { self.head.wantsWebSocket = true }
        case 14 where Self.equals(bytes, name, "content-length"):
            guard self.head.bodyLength == nil else { throw .repeatedLength }
            self.head.bodyLength = try Self.number(bytes[value])
        case 17 where Self.equals(bytes, name, "transfer-encoding"):
            guard !self.head.hasTransferCoding else { throw .repeatedCoding }
            self.head.hasTransferCoding = true
        default: break
        }
    }

    private static func number(_ digits: Slice<UnsafeRawBufferPointer>) throws(HeadFault) -> Int {
        guard !digits.isEmpty else { throw .contentLength }
        var number = 0
        for byte in digits {
            guard byte >= 0x30, byte <= 0x39 else { throw .contentLength }
            let (product, isOver) = number.multipliedReportingOverflow(by: 10)
            number = isOver ? .max : product.addingReportingOverflow(Int(byte - 0x30)).partialValue
            if isOver || number < 0 { number = .max }
        }
        return number
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func isOne(_ bytes: UnsafeRawBufferPointer, of names: [StaticString]) -> Bool {
        names.contains { name in
            name.withUTF8Buffer { $0.count == bytes.count && $0.elementsEqual(bytes) }
        }
    }

    /// Returns whether bytes equal `text`, ignoring case.
    private static func equals(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, _ text: StaticString) -> Bool {
        guard range.count == text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { wanted in
            for (offset, byte) in wanted.enumerated() {
                let found = bytes[range.lowerBound + offset]
                guard found == byte || (byte >= 0x61 && byte <= 0x7A && found | 0x20 == byte) else { return false }
            }
            return true
        }
    }
}

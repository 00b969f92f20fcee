/// The head of a valid request: the fields that determine where the request ends, and those that are normalised.
struct RequestHead: Equatable {
    /// The size of the head in bytes, including empty lines before it.
    var byteCount = 0
    /// The size of the empty lines before the request line, in bytes.
    var emptyBytes = 0
    /// The scheme and authority of an absolute target; nil when the target is a path.
    var absolutePart: Range<Int>?
    /// The authority of an absolute target.
    var authority: Range<Int>?
    /// The offset of the last digit of the version.
    var minorVersion = 0
    /// Whether it is HTTP/1.0.
    var isOld = false
    /// The value of `Host`.
    var host: Range<Int>?
    /// The value of `Content-Length`; nil when it is absent.
    var bodyLength: Int?
    /// Whether the body has a transfer coding.
    ///
    /// Then the connection ends with the body.
    var hasTransferCoding = false
    /// Whether the client requests an upgrade to a WebSocket.
    var wantsWebSocket = false

    /// Normalises a head for libwebsockets: a path as the target, its host in `Host` (RFC 9112, 3.2.2), version 1.1 for
    /// any later minor version (RFC 9110, 2.5), and no empty lines before it (RFC 9112, 2.2).
    ///
    /// - Parameter bytes: the head, followed by any other bytes.
    /// - Returns: the number of bytes by which `bytes` became shorter.
    func makeUniform(_ bytes: UnsafeMutableRawBufferPointer) -> Int {
        if !self.isOld { bytes[self.minorVersion] = UInt8(ascii: "1") }
        guard self.emptyBytes > 0 || self.absolutePart != nil else { return 0 }
        // Both cases are rare, so the copies do not matter.
        let whole = Array(bytes[..<self.byteCount])
        var head: [UInt8] = []
        head.reserveCapacity(whole.count)
        if let part = self.absolutePart, let authority = self.authority {
            head += whole[self.emptyBytes..<part.lowerBound]
            if whole[part.upperBound] != UInt8(ascii: "/") { head.append(UInt8(ascii: "/")) }
            if let host = self.host {
                head += whole[part.upperBound..<host.lowerBound] + whole[authority] + whole[host.upperBound...]
            } else {
                head += whole[part.upperBound...]
            }
        } else {
            head += whole[self.emptyBytes...]
        }
        bytes.copyBytes(from: head)
        let saved = whole.count - head.count
        let rest = UnsafeRawBufferPointer(rebasing: bytes[whole.count...])
        UnsafeMutableRawBufferPointer(rebasing: bytes[head.count...]).copyMemory(from: rest)
        return saved
    }
}

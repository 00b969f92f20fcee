/// The head of a request that may be served: what of it decides where the request ends, and what is made uniform.
struct RequestHead: Equatable {
    /// Bytes of the head, with what stands before it.
    var byteCount = 0
    /// Empty lines before the request line, in bytes.
    var emptyBytes = 0
    /// The scheme and authority of an absolute target; nil when the target is a path.
    var absolutePart: Range<Int>?
    /// The authority in it.
    var authority: Range<Int>?
    /// The last digit of the version.
    var minorVersion = 0
    /// Whether it is HTTP/1.0.
    var isOld = false
    /// The value of `Host`.
    var host: Range<Int>?
    /// Bytes of the body; nil when no `Content-Length` says so.
    var bodyLength: Int?
    /// Whether the body has a transfer coding, with whose end the connection ends.
    var hasTransferCoding = false
    /// Whether an upgrade to a WebSocket is asked for.
    var wantsWebSocket = false

    /// Makes a head what libwebsockets understands: a path as the target, the host that it is for in `Host` (RFC 9112, 3.2.2),
    /// version 1.1 for any later (RFC 9110, 2.5), nothing before it (RFC 9112, 2.2).
    ///
    /// - Parameter bytes: begins with the head, with anything behind it.
    /// - Returns: by how many bytes all of `bytes` became shorter.
    func makeUniform(_ bytes: UnsafeMutableRawBufferPointer) -> Int {
        if !self.isOld { bytes[self.minorVersion] = UInt8(ascii: "1") }
        guard self.emptyBytes > 0 || self.absolutePart != nil else { return 0 }
        // Both are rare.
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

import CLibWebSockets

// libwebsockets tells no length of a head, and lists no header that it has no number for. What the kernel says it has handed over
// since the last answer is the head, and what was read along with it: part of a body, at most a buffer. With TLS nobody knows
// that, and what the listed headers take is what counts.

/// Judges how long the head of a request is.
enum RequestHead {
    /// Bytes that a head may have.
    static let limit = 4096
    /// Bytes of a head that libwebsockets takes; a longer one ends the connection without an answer.
    static let libraryLimit = 16_384
    /// Bytes that libwebsockets reads at a time.
    private static let readBytes = 4096

    /// Whether a head is longer than the limit, as far as that is known.
    ///
    /// - Parameters:
    ///   - handle: the socket of the request.
    ///   - behind: bytes of the requests before this one.
    ///   - bodyLength: bytes of the body, as announced; nil when that is not known.
    ///   - isEncrypted: whether the kernel knows bytes of TLS alone.
    /// - Returns: true only when that is certain.
    static func isTooLong(_ handle: SocketHandle, behind: UInt64, bodyLength: Int?, isEncrypted: Bool) -> Bool {
        if handle.listedHeaderBytes > self.limit { return true }
        guard !isEncrypted, let read = handle.readBytes, read > behind else { return false }
        return Int(read - behind) - min(bodyLength ?? self.readBytes, self.readBytes) > self.limit
    }

    /// Whether a path as libwebsockets hands it over with a request, which has no query, ends with a NUL.
    ///
    /// Behind a path lies one NUL and then the protocol's version; a NUL of its own is not counted, so there are two then.
    static func endsWithNUL(_ path: UnsafeRawBufferPointer) -> Bool {
        guard let start = path.baseAddress, path.last == UInt8(ascii: "/") else { return false }
        let behind = UnsafeRawBufferPointer(start: start + path.count, count: 3)
        return behind.elementsEqual([0, 0, UInt8(ascii: "H")])
    }

    /// The answer to a path with a NUL in it.
    static var nulRefusal: HTTPResponse {
        .problem(400, code: "bad_request", detail: "A path may have no NUL in it.")
    }

    /// The answer to a head that is too long.
    static var refusal: HTTPResponse {
        .problem(431, code: "too_large", detail: "The head of a request may have at most \(self.limit) bytes.")
    }
}

extension SocketHandle {
    /// Bytes of the values of the headers that libwebsockets has a number for, the address among them.
    fileprivate var listedHeaderBytes: Int {
        (0..<WSI_TOKEN_COUNT.rawValue).reduce(0) { $0 + self.headerBytes(lws_token_indexes($1)) }
    }
}

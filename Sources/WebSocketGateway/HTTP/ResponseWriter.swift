/// A serializer of responses to HTTP/1.1.
enum ResponseWriter {
    /// The way in which a client finds the end of a response's body.
    enum Framing {
        /// A length in bytes.
        case length(Int)
        /// Chunked, with an empty last chunk.
        case chunked
        /// The end of the connection.
        case untilClose
    }

    /// Appends a whole response.
    ///
    /// - Parameters:
    ///   - response: status, headers and body.
    ///   - common: headers of every response, which the response may override.
    ///   - omitsBody: whether only the headers are sent, as for `HEAD`.
    ///   - closes: whether the connection is closed afterwards.
    ///   - bytes: the buffer that the response is appended to.
    static func append(
        _ response: HTTPResponse,
        common: [(name: String, value: String)],
        omitsBody: Bool,
        closes: Bool,
        to bytes: inout [UInt8]
    ) {
        let body = response.body
        self.appendHead(response, common: common, framing: .length(body.count), closes: closes, to: &bytes)
        if !omitsBody, response.status != 204, response.status != 304 { bytes.append(contentsOf: body) }
    }

    /// Appends the status line and the headers of a response.
    static func appendHead(
        _ response: HTTPResponse,
        common: [(name: String, value: String)],
        framing: Framing,
        closes: Bool,
        to bytes: inout [UInt8]
    ) {
        var head = "HTTP/1.1 \(response.status) \(self.phrase(of: response.status))\r\n"
        for header in response.headers { self.append(header, to: &head) }
        for header in common where !response.headers.contains(where: { $0.name == header.name }) {
            self.append(header, to: &head)
        }
        switch framing {
        // 204 and 304 have no body by definition, and 304's length would be that of the file.
        case .length where response.status == 204 || response.status == 304: break
        case .length(let count): head += "content-length: \(count)\r\n"
        case .chunked: head += "transfer-encoding: chunked\r\n"
        case .untilClose: break
        }
        if closes { head += "connection: close\r\n" }
        head += "\r\n"
        bytes.append(contentsOf: head.utf8)
    }

    /// Appends one chunk of a body.
    ///
    /// An empty chunk ends the body.
    static func appendChunk(_ chunk: [UInt8], to bytes: inout [UInt8]) {
        bytes.append(contentsOf: "\(String(chunk.count, radix: 16))\r\n".utf8)
        bytes.append(contentsOf: chunk)
        bytes.append(contentsOf: "\r\n".utf8)
    }

    private static func append(_ header: (name: String, value: String), to head: inout String) {
        // A line break in a value would start another header.
        let value = header.value.unicodeScalars.filter { $0 != "\r" && $0 != "\n" && $0 != "\0" }
        head += "\(header.name): \(String(String.UnicodeScalarView(value)))\r\n"
    }

    /// Returns the reason phrase of a status code.
    static func phrase(of status: Int) -> String {
        switch status {
        case 200: "OK"
        case 201: "Created"
        case 202: "Accepted"
        case 204: "No Content"
        case 301: "Moved Permanently"
        case 302: "Found"
        case 303: "See Other"
        case 304: "Not Modified"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 410: "Gone"
        case 411: "Length Required"
        case 413: "Content Too Large"
        case 415: "Unsupported Media Type"
        case 422: "Unprocessable Content"
        case 426: "Upgrade Required"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 503: "Service Unavailable"
        default: "Status"
        }
    }
}

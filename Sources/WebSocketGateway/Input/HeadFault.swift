/// The reason why the head of a request is refused.
enum HeadFault: Error, Equatable, CaseIterable {
    case requestLine
    case methodCase
    case unknownMethod
    case refusedMethod
    case serverOptions
    case version
    case target
    case targetEscape
    case plainEscape
    case slashEscape
    case emptySegment
    case dotSegment
    case nul
    case lineEnd
    case fieldName
    case blankBeforeColon
    case foldedField
    case fieldValue
    case missingHost
    case repeatedHost
    case host
    case contentLength
    case repeatedLength
    case repeatedCoding
    case handshakeWithBody
    case tooManyFields
    case tooLong

    /// The response, after which the connection is closed.
    var response: HTTPResponse {
        switch self {
        case .unknownMethod, .version: .problem(self.status, code: "bad_request", detail: self.detail)
        case .refusedMethod, .serverOptions: self.methodRefusal
        case .tooManyFields, .tooLong: .problem(self.status, code: "too_large", detail: self.detail)
        default: .problem(self.status, code: "bad_request", detail: self.detail)
        }
    }

    private var methodRefusal: HTTPResponse {
        var response = HTTPResponse.problem(self.status, code: "method_not_allowed", detail: self.detail)
        response.headers.append(("allow", HTTPMethod.allCases.map(\.rawValue).joined(separator: ", ")))
        return response
    }

    /// The HTTP status.
    var status: Int {
        switch self {
        case .refusedMethod, .serverOptions: 405
        case .unknownMethod: 501
        case .version: 505
        case .tooManyFields, .tooLong: 431
        case .requestLine, .methodCase, .target, .targetEscape, .plainEscape, .slashEscape, .emptySegment, .dotSegment,
            .nul,
            .lineEnd, .fieldName, .blankBeforeColon, .foldedField, .fieldValue, .missingHost, .repeatedHost, .host,
            .contentLength, .repeatedLength, .repeatedCoding, .handshakeWithBody:
            400
        }
    }

    private var detail: String {
        switch self {
        case .requestLine: "The request line must be a method, a target and HTTP/1.1, separated by single spaces."
        case .methodCase: "The method must consist of upper-case letters."
        case .unknownMethod: "The method is unknown."
        case .refusedMethod: "The methods CONNECT and TRACE are not supported."
        case .serverOptions: "OPTIONS must name a path; OPTIONS * is not supported."
        case .version: "The version must be HTTP/1.1 or HTTP/1.0."
        case .target:
            "The target must be a path that begins with / or an http URL, and contain only URL characters."
        case .targetEscape: "In the target, % must be followed by two hexadecimal digits."
        case .plainEscape: "Letters, digits and - . _ ~ must not be percent-encoded in a path."
        case .slashEscape: "A path must not contain a percent-encoded slash or backslash."
        case .emptySegment: "A path must not contain two slashes in a row."
        case .dotSegment: "A path must not contain the segments . and .."
        case .nul: "The target must not contain NUL."
        case .lineEnd: "The lines of the request head must end in CR LF."
        case .fieldName:
            "A header name must consist of token characters (letters, digits, marks) and be followed by a colon."
        case .blankBeforeColon: "A header name must not be followed by a space before the colon."
        case .foldedField: "A header line must not begin with a space (folded headers are not supported)."
        case .fieldValue: "A header value must not contain control characters."
        case .missingHost: "An HTTP/1.1 request must have a Host header."
        case .repeatedHost: "A request must have only one Host header."
        case .host: "Host must be a name or an address, with an optional port."
        case .contentLength: "Content-Length must be a decimal number."
        case .repeatedLength: "A request must have only one Content-Length header."
        case .repeatedCoding: "A request must have only one Transfer-Encoding header."
        case .handshakeWithBody: "A WebSocket handshake must not have a body."
        case .tooManyFields: "The request head must have at most \(RequestHeadReader.maximumFields) headers."
        case .tooLong: "The request head must have at most \(RequestHeadReader.limit) bytes."
        }
    }
}

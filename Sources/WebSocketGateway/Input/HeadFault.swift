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
        case .requestLine: "The request line must be a method, a target and HTTP/1.1, with one blank between each."
        case .methodCase: "A method has upper-case letters."
        case .unknownMethod: "This method is not known here."
        case .refusedMethod: "CONNECT and TRACE are not served."
        case .serverOptions: "OPTIONS is served for paths, not for the server as a whole."
        case .version: "The version must be HTTP/1.1 or HTTP/1.0."
        case .target:
            "The target must be a path that begins with a slash, or an http URL, of the characters that URLs may have."
        case .targetEscape: "In a target, % stands before two hexadecimal digits."
        case .plainEscape: "A letter, a digit or one of - . _ ~ is not escaped in a path."
        case .slashEscape: "An escaped slash or backslash cannot be part of a path."
        case .emptySegment: "A path has no two slashes in a row."
        case .dotSegment: "A path has no segment that is . or .. alone."
        case .nul: "A target may have no NUL in it."
        case .lineEnd: "The lines of a head end in CR LF."
        case .fieldName: "The name of a header is letters, digits and a few marks, with a colon behind it."
        case .blankBeforeColon: "There is no blank before the colon of a header."
        case .foldedField: "The line of a header does not begin with a blank."
        case .fieldValue: "The value of a header has no control characters."
        case .missingHost: "A request of HTTP/1.1 has a Host."
        case .repeatedHost: "A request has one Host."
        case .host: "Host is a name or an address, and perhaps a port."
        case .contentLength: "Content-Length is a decimal number."
        case .repeatedLength: "A request has one Content-Length."
        case .repeatedCoding: "A request has one Transfer-Encoding."
        case .handshakeWithBody: "The handshake of a WebSocket has no body."
        case .tooManyFields: "The head of a request may have at most \(RequestHeadReader.maximumFields) headers."
        case .tooLong: "The head of a request may have at most \(RequestHeadReader.limit) bytes."
        }
    }
}

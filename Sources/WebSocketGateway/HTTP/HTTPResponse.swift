/// The answer to an HTTP request.
package struct HTTPResponse: Sendable {
    /// The status code.
    package var status: Int
    /// Names (lower case) and values; `content-length` is added by the gateway.
    package var headers: [(name: String, value: String)]
    /// The body; not sent in answer to `HEAD`.
    package var body: [UInt8]

    /// The words behind the status code, such as `Not Found`.
    package var phrase: String { ResponseWriter.phrase(of: self.status) }

    /// Creates an answer.
    package init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// The method of an HTTP request that the gateway accepts.
package enum HTTPMethod: String, Sendable, CaseIterable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
    case options = "OPTIONS"

    /// Whether libwebsockets expects a body after a head of this method that announces none.
    var impliesBody: Bool {
        switch self {
        case .post, .put, .patch: true
        case .get, .head, .delete, .options: false
        }
    }
}

/// An HTTP request with a whole or a streamed body.
package struct HTTPRequest: Sendable {
    /// The id that the response refers to.
    package let id: RequestID
    package let method: HTTPMethod
    /// The path, percent-decoded, without the query.
    package let path: String
    /// The query's fields, percent-decoded, in order.
    package let query: [(name: String, value: String)]
    package let headers: HTTPHeaders
    /// The whole body; empty when the body is read from `stream`.
    package internal(set) var body: [UInt8]
    /// The streamed body if the application asked for one; nil when the body is whole.
    package let stream: RequestBody?
    /// The client's IP address.
    package let peerAddress: String

    /// Creates a request, for the gateway and for tests of routes.
    package init(
        id: RequestID,
        method: HTTPMethod,
        path: String,
        query: [(name: String, value: String)] = [],
        headers: HTTPHeaders = HTTPHeaders(),
        body: [UInt8] = [],
        stream: RequestBody? = nil,
        peerAddress: String = "127.0.0.1"
    ) {
        self.id = id
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.stream = stream
        self.peerAddress = peerAddress
    }

    /// Returns the first value of the query's field `name`.
    package func queryValue(_ name: String) -> String? {
        self.query.first { $0.name == name }?.value
    }
}

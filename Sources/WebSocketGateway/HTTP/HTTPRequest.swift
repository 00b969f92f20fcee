/// An HTTP request with its whole body.
package struct HTTPRequest: Sendable {
    /// The headers that the gateway hands over; those a request lacks are nil.
    package struct Headers: Sendable {
        package var authorization: String?
        package var contentType: String?
        package var ifNoneMatch: String?
        package var acceptEncoding: String?
        package var origin: String?
        package var host: String?
        package var userAgent: String?
        package var forwardedFor: String?

        /// Creates headers, all absent.
        package init() {}
    }

    /// Names the request for the answer.
    package let id: RequestID
    package let method: HTTPMethod
    /// The path, percent-decoded, without the query.
    package let path: String
    /// What follows the question mark, percent-decoded, in order.
    package let query: [(name: String, value: String)]
    package let headers: Headers
    package let body: [UInt8]
    /// The client's IP address.
    package let peerAddress: String

    /// Creates a request; for the gateway, and for tests of routes.
    package init(
        id: RequestID,
        method: HTTPMethod,
        path: String,
        query: [(name: String, value: String)] = [],
        headers: Headers = Headers(),
        body: [UInt8] = [],
        peerAddress: String = "127.0.0.1"
    ) {
        self.id = id
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.peerAddress = peerAddress
    }

    /// The first value of the query's field `name`.
    package func queryValue(_ name: String) -> String? {
        self.query.first { $0.name == name }?.value
    }
}

/// A request to another server, with all of its limits.
package struct OutboundRequest: Sendable {
    /// The HTTP method.
    package enum Method: Sendable, Equatable {
        case get
        /// A POST with form-encoded fields as the body.
        case post(form: String)
    }

    /// The target.
    package var url: OperatorURL
    package var method = Method.get
    /// Headers in addition to the client's own.
    ///
    /// They contain no data of the user.
    package var headers: [(name: String, value: String)] = []
    /// The timeout of the request in milliseconds, without the time in the queue.
    package var timeout: Int64 = 3_000
    /// The timeout of the connection in milliseconds, part of `timeout`.
    package var connectTimeout: Int64 = 5_000
    /// The deadline including the time in the queue, in milliseconds of the client's clock.
    package var deadline = Int64.max
    /// The maximum size of the decoded response body, in bytes.
    package var bodyLimit = 4 << 20
    /// The maximum number of concurrent requests to one host.
    package var concurrency = 6

    /// Creates a request with the default limits.
    package init(_ url: OperatorURL, method: Method = .get) {
        self.url = url
        self.method = method
    }
}

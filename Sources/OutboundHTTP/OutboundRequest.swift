/// One request to a server elsewhere, with everything that bounds it.
package struct OutboundRequest: Sendable {
    /// What is done.
    package enum Method: Sendable, Equatable {
        case get
        /// Names and values, sent as a form.
        case post(form: String)
    }

    /// Where it goes.
    package var url: OperatorURL
    package var method = Method.get
    /// Headers besides the client's own; nothing of whom the request is made for.
    package var headers: [(name: String, value: String)] = []
    /// Milliseconds for all of it, from when its turn has come.
    package var timeout: Int64 = 3_000
    /// Milliseconds of them for the connection.
    package var connectTimeout: Int64 = 5_000
    /// When its answer is of no use any more, waiting for its turn included, in milliseconds of the client's clock.
    package var deadline = Int64.max
    /// Bytes that the body of the answer may have, once it is decoded.
    package var bodyLimit = 4 << 20
    /// How many requests may be with one host at a time.
    package var concurrency = 6

    /// Describes a request with the usual bounds.
    package init(_ url: OperatorURL, method: Method = .get) {
        self.url = url
        self.method = method
    }
}

/// A request to another server, with all of its limits.
package struct OutboundRequest: Sendable {
    /// The HTTP method.
    package enum Method: Sendable, Equatable {
        case get
        /// A POST with form-encoded fields as the body.
        case post(form: String)
        /// A POST with a body of any type, which a header names.
        case postBytes([UInt8])
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

/// A request without regard to the origin of its URL.
struct OutboundJob: Sendable {
    let address: String
    let authority: String
    let method: OutboundRequest.Method
    let headers: [(name: String, value: String)]
    let timeout: Int64
    let connectTimeout: Int64
    let deadline: Int64
    let bodyLimit: Int
    let concurrency: Int
    /// Decides about the addresses of the host; nil admits all of them.
    var admission: AddressAdmission?
}

extension OutboundRequest {
    /// The request, to an address that the operator chose.
    var job: OutboundJob {
        OutboundJob(
            address: self.url.description,
            authority: self.url.authority,
            method: self.method,
            headers: self.headers,
            timeout: self.timeout,
            connectTimeout: self.connectTimeout,
            deadline: self.deadline,
            bodyLimit: self.bodyLimit,
            concurrency: self.concurrency
        )
    }
}

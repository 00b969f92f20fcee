/// The response of another server.
package struct OutboundResponse: Sendable, Equatable {
    /// The status.
    ///
    /// A redirect is not followed.
    package let status: Int
    /// The media type and its parameters as the server sent them; nil when the header is missing.
    package let contentType: String?
    /// The decoded body.
    package let body: [UInt8]
    /// The time of the `Retry-After` header, in milliseconds; nil when the header is missing.
    package let retryAfter: Int64?
    /// The seconds of `max-age` in the `Cache-Control` header; nil when it has none.
    package let maxAge: Int64?
    /// The server's time in the `Date` header, in seconds since the Unix epoch; nil when it is missing.
    package let date: Int64?

    /// Creates a response.
    package init(
        status: Int,
        contentType: String? = nil,
        body: [UInt8] = [],
        retryAfter: Int64? = nil,
        maxAge: Int64? = nil,
        date: Int64? = nil
    ) {
        self.status = status
        self.contentType = contentType
        self.body = body
        self.retryAfter = retryAfter
        self.maxAge = maxAge
        self.date = date
    }
}

/// What a server elsewhere answered.
package struct OutboundResponse: Sendable, Equatable {
    /// The status; a redirect is one that nobody follows.
    package let status: Int
    /// The media type and its parameters as the server wrote them; nil when it did not.
    package let contentType: String?
    /// The body, decoded.
    package let body: [UInt8]
    /// Milliseconds after which the server wants to be asked again; nil when it does not say.
    package let retryAfter: Int64?

    /// Describes an answer.
    package init(status: Int, contentType: String? = nil, body: [UInt8] = [], retryAfter: Int64? = nil) {
        self.status = status
        self.contentType = contentType
        self.body = body
        self.retryAfter = retryAfter
    }
}

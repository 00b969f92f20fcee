import MusterCore

/// The caller of a request.
struct Caller: Sendable {
    /// The user.
    let user: UserID
    /// The session of the request; nil for a request over HTTP.
    let session: SessionID?
    /// The tag of the request, which its answer carries; nil when only a failure is answered.
    let tag: RequestTag?
    /// The base address of links that lead back to this server.
    let linkBase: String
    /// The caller's network address, as far as the operator's proxies report it; nil when it is unknown.
    ///
    /// It is never stored or logged.
    let address: String?

    /// Milliseconds until the rate limit allows the request again, when it is executed in spite of the limit; otherwise
    /// nil.
    let excess: Int64?

    /// Creates a caller.
    init(
        user: UserID,
        session: SessionID? = nil,
        tag: RequestTag? = nil,
        linkBase: String = "",
        address: String? = nil,
        excess: Int64? = nil
    ) {
        self.user = user
        self.address = address
        self.excess = excess
        self.session = session
        self.tag = tag
        self.linkBase = linkBase
    }
}

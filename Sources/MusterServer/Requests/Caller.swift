package import MusterCore

/// Who asks, and by which way.
package struct Caller: Sendable {
    /// The person.
    package let user: UserID
    /// The session that asks; nil when they ask by HTTP.
    package let session: SessionID?
    /// The mark of the request, which its answer carries; nil when only a failure is answered.
    package let tag: RequestTag?
    /// What stands before the path of links that lead back to this server.
    package let linkBase: String
    /// The network address that they come from, as far as our own proxies say; nil when nobody knows.
    ///
    /// It is never stored or logged.
    package let address: String?

    /// In how many milliseconds they may ask this again, when they ask it too often and it is done all the same; nil else.
    package let excess: Int64?

    /// Describes a caller.
    package init(
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

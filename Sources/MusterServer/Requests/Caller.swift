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

    /// Describes a caller.
    package init(user: UserID, session: SessionID? = nil, tag: RequestTag? = nil, linkBase: String = "") {
        self.user = user
        self.session = session
        self.tag = tag
        self.linkBase = linkBase
    }
}

/// A session whose `hello` the directory accepted.
package struct SessionOpening: Sendable, Equatable {
    /// The session.
    package var session: SessionID
    /// The request tag of the `hello`.
    package var tag: RequestTag?
    /// The user and device.
    package var arrival: Arrival
    /// The login, so that a logout closes its sessions.
    package var login: LoginID
    /// The expiry of the login's token, at which the session ends; nil for never.
    package var expiresAt: Timestamp?
    /// Whether it is a light session of a wearable, which counts as being in the background.
    package var isWatch: Bool
    /// The roster versions that the client has cached.
    package var resume: [GroupID: RosterVersion]
    /// The highest notification number that the client has.
    package var knownNotification: Int64
    /// The creation time of the glance that the client shows; nil for none.
    package var knownGlance: Timestamp?
    /// The room positions that the client has cached; nil for a client without chat support.
    package var rooms: [RoomID: RoomPosition]?

    /// Creates an opening.
    package init(
        session: SessionID,
        tag: RequestTag? = nil,
        arrival: Arrival,
        login: LoginID,
        expiresAt: Timestamp? = nil,
        isWatch: Bool = false,
        resume: [GroupID: RosterVersion] = [:],
        knownNotification: Int64 = 0,
        knownGlance: Timestamp? = nil,
        rooms: [RoomID: RoomPosition]? = nil
    ) {
        self.session = session
        self.tag = tag
        self.arrival = arrival
        self.login = login
        self.expiresAt = expiresAt
        self.isWatch = isWatch
        self.resume = resume
        self.knownNotification = knownNotification
        self.knownGlance = knownGlance
        self.rooms = rooms
    }
}

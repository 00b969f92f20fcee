/// A session whose `hello` the directory accepted.
package struct SessionOpening: Sendable, Equatable, Codable {
    /// The connection.
    package var session: SessionID
    /// The mark of the `hello`.
    package var tag: RequestTag?
    /// Who it is.
    package var arrival: Arrival
    /// Names the login, so that logging out closes the sockets that came by it.
    package var login: LoginID
    /// When the login's token dies, and the session with it; nil for never.
    package var expiresAt: Timestamp?
    /// Whether it is a light session, which counts as being in the background.
    package var isWatch: Bool
    /// What the client already holds of rosters.
    package var resume: [GroupID: RosterVersion]
    /// The highest notification number that the client already holds.
    package var heldNotification: Int64
    /// When the glance was made that the client holds; nil for none.
    package var heldGlance: Timestamp?
    /// What the client already holds of rooms; nil for a client that knows no rooms.
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
        heldNotification: Int64 = 0,
        heldGlance: Timestamp? = nil,
        rooms: [RoomID: RoomPosition]? = nil
    ) {
        self.session = session
        self.tag = tag
        self.arrival = arrival
        self.login = login
        self.expiresAt = expiresAt
        self.isWatch = isWatch
        self.resume = resume
        self.heldNotification = heldNotification
        self.heldGlance = heldGlance
        self.rooms = rooms
    }
}

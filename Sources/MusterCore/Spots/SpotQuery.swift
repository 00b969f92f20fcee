/// The query for spots that a reconnecting session missed.
package struct SpotQuery: Sendable, Equatable {
    /// A circle.
    package struct Circle: Sendable, Equatable {
        package var center: Coordinate
        /// In metres.
        package var radius: Double
    }

    /// Ids are assigned before the commit, so a spot with an older id may be committed later.
    ///
    /// This is the maximum difference, in milliseconds.
    package static let overlap: Int64 = 10_000
    /// The maximum number of spots; the newest ones are returned.
    package static let limit = 50

    /// The number of the query; only the answer to a session's newest query counts.
    package var number: Int64
    package var session: SessionID
    /// The user, whose own spots are excluded.
    package var user: UserID
    /// The newest spot that the client has.
    package var after: SpotID
    /// The area; nil for everywhere.
    package var circle: Circle?
}

/// A spot as sent to a session.
package struct SpotSnapshot: Sendable, Equatable {
    package var spot: SpotID
    package var coordinate: Coordinate
    /// The frame without the distance, which differs between users.
    package var frame: [UInt8]

    /// Creates a spot.
    package init(spot: SpotID, coordinate: Coordinate, frame: [UInt8]) {
        self.spot = spot
        self.coordinate = coordinate
        self.frame = frame
    }
}

/// What storage is asked for when a session comes back that was told of new spots before.
package struct SpotReading: Sendable, Equatable, Codable {
    /// A circle.
    package struct Circle: Sendable, Equatable, Codable {
        package var center: Coordinate
        /// In metres.
        package var radius: Double

        /// Draws a circle.
        package init(center: Coordinate, radius: Double) {
            self.center = center
            self.radius = radius
        }
    }

    /// Ids are made before commits: spots that were begun so long before another may be newer all the same, in milliseconds.
    package static let overlap: Int64 = 10_000
    /// How many spots are read; of more, the newest.
    package static let limit = 50

    /// Tells readings apart: only the answer to a session's newest counts.
    package var number: Int64
    package var session: SessionID
    /// Who is to be told: their own spots are left out.
    package var user: UserID
    /// The newest spot that they hold.
    package var after: SpotID
    /// Where the spots are; nil for anywhere.
    package var circle: Circle?

    /// Asks for spots.
    package init(number: Int64, session: SessionID, user: UserID, after: SpotID, circle: Circle?) {
        self.number = number
        self.session = session
        self.user = user
        self.after = after
        self.circle = circle
    }
}

/// A spot as a session is told of it.
package struct SpotNews: Sendable, Equatable, Codable {
    package var spot: SpotID
    package var coordinate: Coordinate
    /// The frame without how far it is, which differs from one person to the next.
    package var frame: [UInt8]

    /// Describes a spot.
    package init(spot: SpotID, coordinate: Coordinate, frame: [UInt8]) {
        self.spot = spot
        self.coordinate = coordinate
        self.frame = frame
    }
}

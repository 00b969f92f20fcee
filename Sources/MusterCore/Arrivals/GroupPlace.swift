/// A place of a group, with what its members chose for it.
package struct GroupPlace: Sendable, Equatable {
    /// The picture of a place.
    package enum Icon: String, Sendable, CaseIterable, Codable {
        case home, work, school, sport, food, shop, health, station, other
    }

    /// The members whom a member notifies.
    package struct Consent: Sendable, Equatable {
        /// The member who arrives and leaves.
        package var user: UserID
        /// Whether all members are notified, later ones too.
        package var everybody: Bool
        /// The members who are notified otherwise.
        package var receivers: [UserID]
        /// The time of the choice.
        package var at: Timestamp

        /// Creates a consent.
        package init(user: UserID, everybody: Bool, receivers: [UserID], at: Timestamp) {
            self.user = user
            self.everybody = everybody
            self.receivers = receivers
            self.at = at
        }

        /// Whether a member is notified.
        package func includes(_ member: UserID) -> Bool {
            member != self.user && (self.everybody || self.receivers.contains(member))
        }
    }

    /// The rule for names.
    package static let nameRule = TextRule.line(1...60)
    /// The allowed radii in metres.
    package static let radii = 50.0...2_000.0

    package var id: GroupPlaceID
    package var group: GroupID
    package var name: String
    package var icon: Icon
    package var coordinate: Coordinate
    package var radius: Double
    /// The member who added it; nil once the account is deleted.
    package var by: UserID?
    /// The revision, which rises with each change of the place itself.
    package var revision: Int64
    /// The members who notify others.
    package var consents: [Consent]
    /// The members who receive nothing about it.
    package var muted: [UserID]

    /// Creates a place.
    package init(
        id: GroupPlaceID,
        group: GroupID,
        name: String,
        icon: Icon,
        coordinate: Coordinate,
        radius: Double,
        by: UserID?,
        revision: Int64,
        consents: [Consent] = [],
        muted: [UserID] = []
    ) {
        self.id = id
        self.group = group
        self.name = name
        self.icon = icon
        self.coordinate = coordinate
        self.radius = radius
        self.by = by
        self.revision = revision
        self.consents = consents
        self.muted = muted
    }

    /// The choice of a member; nil for nobody.
    package func consent(of user: UserID) -> Consent? { self.consents.first { $0.user == user } }

    /// The circle of the place.
    package var circle: ArrivalGround.Circle {
        ArrivalGround.Circle(place: self.id, centre: self.coordinate, radius: self.radius)
    }
}

/// The stored states of a group's members at its places, when the group is loaded.
package struct StoredArrivals: Sendable, Equatable {
    /// The states; a state that is not stored is unknown.
    package var states: [StoredArrival]
    /// The last fixes of the members who notify others, in the order of arrival.
    package var fixes: [UserID: [ArrivalFix]]

    /// Creates the states.
    package init(states: [StoredArrival] = [], fixes: [UserID: [ArrivalFix]] = [:]) {
        self.states = states
        self.fixes = fixes
    }
}

/// A place as one member sees it.
package struct GroupPlaceSight: Sendable, Equatable {
    /// A member inside.
    package struct Present: Sendable, Equatable {
        package var user: UserID
        package var since: Timestamp

        /// Creates a member inside.
        package init(user: UserID, since: Timestamp) {
            self.user = user
            self.since = since
        }
    }

    package var place: GroupPlace
    /// The viewer.
    package var viewer: UserID
    /// The members inside who notify the viewer.
    package var here: [Present]

    /// Creates a sight.
    package init(_ place: GroupPlace, for viewer: UserID, here: [Present]) {
        self.place = place
        self.viewer = viewer
        self.here = here
    }
}

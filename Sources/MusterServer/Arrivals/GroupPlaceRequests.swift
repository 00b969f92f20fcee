import MusterCore
import MusterWire

/// Adds a place to a group.
struct GroupPlaceAdd: ClientRequest {
    typealias Answer = GroupPlaceAnswer
    static let type = "group.place.add"
    static let order = RequestOrder.barrier
    static let rate: RequestRate? = .groupPlace

    var group: GroupID
    /// The client's own name of the place, 1…64 characters; adding it again changes nothing.
    var key: String
    var name: String
    var icon: GroupPlace.Icon
    var coordinate: Coordinate
    /// The radius in metres.
    var radius: Double

    /// Creates a request.
    init(
        to group: GroupID,
        key: String,
        name: String,
        icon: GroupPlace.Icon,
        at coordinate: Coordinate,
        radius: Double
    ) {
        self.group = group
        self.key = key
        self.name = name
        self.icon = icon
        self.coordinate = coordinate
        self.radius = radius
    }

    init(reading fields: JSONFields) throws(FrameError) {
        self.init(
            to: try fields.group(),
            key: try fields.required("key", fields.string("key", length: 1...64)),
            name: try fields.required("name", fields.text("name", GroupPlace.nameRule)),
            icon: try fields.required("icon", fields.choice("icon")),
            at: try fields.coordinate(),
            radius: try fields.required("radius", fields.number("radius", in: GroupPlace.radii))
        )
    }
}

/// Changes a place, as the member who added it or as the owner of the group.
struct GroupPlaceUpdate: ClientRequest {
    typealias Answer = GroupPlaceAnswer
    static let type = "group.place.update"
    static let order = RequestOrder.barrier
    static let rate: RequestRate? = .groupPlace

    var place: GroupPlaceID
    /// The revision that the client knows.
    var revision: Int64
    var name: String?
    var icon: GroupPlace.Icon?
    var coordinate: Coordinate?
    var radius: Double?

    /// Creates a request.
    init(
        _ place: GroupPlaceID,
        revision: Int64,
        name: String? = nil,
        icon: GroupPlace.Icon? = nil,
        coordinate: Coordinate? = nil,
        radius: Double? = nil
    ) {
        self.place = place
        self.revision = revision
        self.name = name
        self.icon = icon
        self.coordinate = coordinate
        self.radius = radius
    }

    init(reading fields: JSONFields) throws(FrameError) {
        let isMoved = !fields.isMissing("lat") || !fields.isMissing("lon")
        self.init(
            try fields.groupPlace(),
            revision: try fields.required("revision", fields.integer("revision", in: 0...9_007_199_254_740_991)),
            name: try fields.text("name", GroupPlace.nameRule),
            icon: try fields.choice("icon"),
            coordinate: isMoved ? try fields.coordinate() : nil,
            radius: try fields.number("radius", in: GroupPlace.radii)
        )
    }
}

/// Deletes a place, as the member who added it or as the owner of the group.
struct GroupPlaceDelete: ClientRequest {
    static let type = "group.place.delete"
    static let order = RequestOrder.barrier
    static let rate: RequestRate? = .groupPlace

    var place: GroupPlaceID

    /// Creates a request.
    init(_ place: GroupPlaceID) { self.place = place }

    init(reading fields: JSONFields) throws(FrameError) { self.place = try fields.groupPlace() }
}

/// Requests the places of a group.
struct GroupPlaceList: ClientRequest {
    typealias Answer = GroupPlacesAnswer
    static let type = "group.places"
    static let order = RequestOrder.concurrent

    var group: GroupID

    /// Creates a request.
    init(of group: GroupID) { self.group = group }

    init(reading fields: JSONFields) throws(FrameError) { self.group = try fields.group() }
}

/// Sets the members whom the user notifies when they arrive at a place and leave it.
struct GroupPlaceNotify: ClientRequest {
    typealias Answer = GroupPlaceAnswer
    static let type = "group.place.notify"
    static let order = RequestOrder.barrier
    static let rate: RequestRate? = .groupPlaceChoice

    /// The members.
    enum Receivers: Sendable, Equatable {
        case nobody
        /// All members, later ones too.
        case everybody
        case members([UserID])
    }

    var place: GroupPlaceID
    var to: Receivers

    /// Creates a request.
    init(_ place: GroupPlaceID, to receivers: Receivers) {
        self.place = place
        self.to = receivers
    }

    init(reading fields: JSONFields) throws(FrameError) {
        self.place = try fields.groupPlace()
        if fields.isText("to", "nobody") {
            self.to = .nobody
        } else if fields.isText("to", "everybody") {
            self.to = .everybody
        } else if let members: [UserID] = try? fields.identifiers("to", atMost: Directory.largestGroup) {
            self.to = members.isEmpty ? .nobody : .members(members)
        } else {
            throw fields.error("to", "must be nobody, everybody, or an array of at most 250 ids of members")
        }
    }
}

/// Sets whether the user receives notifications about a place.
struct GroupPlaceMute: ClientRequest {
    typealias Answer = GroupPlaceAnswer
    static let type = "group.place.mute"
    static let order = RequestOrder.barrier
    static let rate: RequestRate? = .groupPlaceChoice

    var place: GroupPlaceID
    var muted: Bool

    /// Creates a request.
    init(_ place: GroupPlaceID, muted: Bool) {
        self.place = place
        self.muted = muted
    }

    init(reading fields: JSONFields) throws(FrameError) {
        self.place = try fields.groupPlace()
        self.muted = try fields.required("muted", fields.flag("muted"))
    }
}

extension JSONFields {
    /// Returns the field `place`.
    fileprivate func groupPlace() throws(FrameError) -> GroupPlaceID {
        try self.required("place", self.identifier("place"))
    }
}

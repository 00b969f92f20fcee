package import MusterCore

/// Creates an event.
///
/// If an event with the same key exists, it stays unchanged.
package struct EventCreate: ClientRequest {
    package typealias Answer = EventAnswer
    package static let type = "event.create"
    package static let order = RequestOrder.line("events")
    package static let rate: RequestRate? = .eventCreate

    /// The client's idempotency key.
    package var key: String
    package var title: String
    package var coordinate: Coordinate
    package var startsAt: Timestamp
    /// An IANA time zone, as in `Europe/Vienna`.
    package var tz: String
    /// Nil for two hours after the start.
    package var endsAt: Timestamp?
    /// The name of the place.
    package var place: String?
    package var text: String?
    package var category: String?
    /// A photo that the host has uploaded and that is not used elsewhere.
    package var photo: PhotoID?
    /// The maximum number of guests; nil for no limit.
    package var capacity: Int?
    package var visibility: Event.Visibility
    /// The group that the event is for.
    package var group: GroupID?
    /// Whether the exact place is visible only to the host and the guests who attend.
    package var hidePlace: Bool?

    /// Creates a request.
    package init(
        key: String,
        title: String,
        at place: Coordinate,
        startsAt: Timestamp,
        timeZone: String,
        endsAt: Timestamp? = nil,
        placeName: String? = nil,
        text: String? = nil,
        category: String? = nil,
        photo: PhotoID? = nil,
        capacity: Int? = nil,
        group: GroupID? = nil,
        hidesPlace: Bool? = nil
    ) {
        self.key = key
        self.title = title
        self.coordinate = place
        self.startsAt = startsAt
        self.tz = timeZone
        self.endsAt = endsAt
        self.place = placeName
        self.text = text
        self.category = category
        self.photo = photo
        self.capacity = capacity
        self.visibility = group == nil ? .everybody : .group
        self.group = group
        self.hidePlace = hidesPlace
    }

    package init(reading fields: JSONFields) throws(FrameError) {
        let visibility: Event.Visibility = try fields.required("visibility", fields.choice("visibility"))
        let group: GroupID? = try fields.identifier("group")
        switch visibility {
        case .everybody where group != nil: throw fields.error("group", "must be absent when visibility is public")
        case .everybody: break
        case .group: _ = try fields.required("group", group)
        }
        self.init(
            key: try fields.required("key", fields.string("key", length: 1...64)),
            title: try fields.required("title", fields.text("title", Event.titleRule)),
            at: try fields.coordinate(),
            startsAt: try fields.required("startsAt", fields.timestamp("startsAt")),
            timeZone: try fields.required("tz", fields.string("tz", length: 1...64)),
            endsAt: try fields.timestamp("endsAt"),
            placeName: try fields.text("place", Event.placeRule),
            text: try fields.text("text", Event.textRule),
            category: try fields.text("category", Event.categoryRule),
            photo: try fields.identifier("photo"),
            capacity: try fields.integer("capacity", in: Event.capacityRange),
            group: group,
            hidesPlace: try fields.flag("hidePlace")
        )
    }
}

/// Changes an event, as its host.
///
/// `null` removes an optional value.
package struct EventUpdate: ClientRequest {
    package typealias Answer = EventAnswer
    package static let type = "event.update"
    package static let order = RequestOrder.line("events")

    package var event: EventID
    /// The version that the host's client shows.
    package var version: Int64
    package var title: String?
    /// The new position.
    package var coordinate: Coordinate?
    package var startsAt: Timestamp?
    package var tz: String?
    package var endsAt: Timestamp?
    package var place = FieldChange<String>.unchanged
    package var text = FieldChange<String>.unchanged
    package var category = FieldChange<String>.unchanged
    package var photo = FieldChange<PhotoID>.unchanged
    package var capacity = FieldChange<Int>.unchanged
    package var hidePlace: Bool?

    /// Creates a request without changes.
    package init(_ event: EventID, version: Int64) {
        self.event = event
        self.version = version
    }

    package init(reading fields: JSONFields) throws(FrameError) {
        self.init(
            try fields.event(),
            version: try fields.required("version", fields.integer("version", in: 1...9_007_199_254_740_991))
        )
        self.title = try fields.text("title", Event.titleRule)
        let latitude = try fields.latitude()
        let longitude = try fields.longitude()
        if latitude != nil || longitude != nil {
            self.coordinate = Coordinate(
                latitude: try fields.required("lat", latitude),
                longitude: try fields.required("lon", longitude)
            )
        }
        self.startsAt = try fields.timestamp("startsAt")
        self.tz = try fields.string("tz", length: 1...64)
        self.endsAt = try fields.timestamp("endsAt")
        self.place = fields.change("place", try fields.text("place", Event.placeRule))
        self.text = fields.change("text", try fields.text("text", Event.textRule))
        self.category = fields.change("category", try fields.text("category", Event.categoryRule))
        self.photo = fields.change("photo", try fields.identifier("photo"))
        self.capacity = fields.change("capacity", try fields.integer("capacity", in: Event.capacityRange))
        self.hidePlace = try fields.flag("hidePlace")
    }
}

extension JSONFields {
    func event() throws(FrameError) -> EventID { try self.required("event", self.identifier("event")) }
}

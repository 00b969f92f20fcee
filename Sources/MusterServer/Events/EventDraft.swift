import MusterCore
import MusterWire

/// Creates an event.
///
/// If an event with the same key exists, it stays unchanged.
struct EventCreate: ClientRequest {
    typealias Answer = EventAnswer
    static let type = "event.create"
    static let order = RequestOrder.line("events")
    static let rate: RequestRate? = .eventCreate

    /// The client's idempotency key.
    var key: String
    var title: String
    var coordinate: Coordinate
    var startsAt: Timestamp
    /// An IANA time zone, as in `Europe/Vienna`.
    var tz: String
    /// Nil for two hours after the start.
    var endsAt: Timestamp?
    /// The name of the place.
    var place: String?
    var text: String?
    var category: String?
    /// A photo that the host has uploaded and that is not used elsewhere.
    var photo: PhotoID?
    /// The maximum number of guests; nil for no limit.
    var capacity: Int?
    var visibility: Event.Visibility
    /// The group that the event is for.
    var group: GroupID?
    /// Whether the exact place is visible only to the host and the guests who attend.
    var hidePlace: Bool?

    /// Creates a request.
    init(
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

    init(reading fields: JSONFields) throws(FrameError) {
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
struct EventUpdate: ClientRequest {
    typealias Answer = EventAnswer
    static let type = "event.update"
    static let order = RequestOrder.line("events")

    var event: EventID
    /// The version that the host's client shows.
    var version: Int64
    var title: String?
    /// The new position.
    var coordinate: Coordinate?
    var startsAt: Timestamp?
    var tz: String?
    var endsAt: Timestamp?
    var place = FieldChange<String>.unchanged
    var text = FieldChange<String>.unchanged
    var category = FieldChange<String>.unchanged
    var photo = FieldChange<PhotoID>.unchanged
    var capacity = FieldChange<Int>.unchanged
    var hidePlace: Bool?

    /// Creates a request without changes.
    init(_ event: EventID, version: Int64) {
        self.event = event
        self.version = version
    }

    init(reading fields: JSONFields) throws(FrameError) {
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

import MusterCore
import MusterWire

/// The parts of an event that are equal for all viewers with the same access.
///
/// The viewer's RSVP is appended later.
private struct EventView: Encodable {
    let id: EventID
    let version: Int64
    let state: Event.State
    let title: String
    @Degrees var lat: Double
    @Degrees var lon: Double
    let approximate: Bool
    let hidePlace: Bool
    @Nullable var place: String?
    let startsAt: Timestamp
    let endsAt: Timestamp
    let tz: String
    @Nullable var text: String?
    @Nullable var category: String?
    @Nullable var photo: PhotoView?
    @Nullable var capacity: Int?
    let visibility: Event.Visibility
    @Nullable var group: GroupID?
    let host: UserView
    let counts: Counts
    let link: String

    struct Counts: Encodable {
        let yes: Int
        let maybe: Int
        let waiting: Int
    }

    init(_ event: Event, isCoarse: Bool, at now: Timestamp) {
        let event = isCoarse ? event.coarsened : event
        self.id = event.id
        self.version = event.version
        self.state = event.state(at: now)
        self.title = event.title
        self.lat = event.coordinate.latitude
        self.lon = event.coordinate.longitude
        self.approximate = isCoarse
        self.hidePlace = event.hidesPlace
        self.place = event.place
        self.startsAt = event.startsAt
        self.endsAt = event.endsAt
        self.tz = event.timeZone
        self.text = event.text
        self.category = event.category
        self.photo = event.photo.map { PhotoView($0) }
        self.capacity = event.capacity
        self.visibility = event.visibility
        self.group = event.group
        self.host = UserView(event.host)
        self.counts = Counts(yes: event.count(.yes), maybe: event.count(.maybe), waiting: event.count(.waiting))
        self.link = GeoLink(to: event.coordinate, name: event.place ?? event.title).text
    }
}

extension EventSnapshot {
    /// Creates the change for the current state of an event.
    init(_ event: Event, at now: Timestamp) {
        let exact = WireEncoder.encode(EventView(event, isCoarse: false, at: now))
        let coarse = event.hidesPlace ? WireEncoder.encode(EventView(event, isCoarse: true, at: now)) : exact
        self.init(event: event, exact: exact, coarse: coarse)
    }
}

extension ShownEvent {
    /// Creates the view of an event for a user, including the user's RSVP status.
    init(_ event: Event, to user: UserID, at now: Timestamp) {
        self.init(
            event.id,
            json: WireEncoder.encode(EventView(event, isCoarse: event.isCoarse(for: user), at: now)),
            rsvpStatus: event.rsvpStatus(of: user) ?? RSVPStatus(rsvp: nil)
        )
    }

    /// The event's JSON, followed by the user's RSVP status if it is known.
    var encoded: EncodedJSON {
        guard let rsvpStatus, let end = self.json.last else { return EncodedJSON(bytes: self.json) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(self.json.count + 48)
        bytes.append(contentsOf: self.json.dropLast())
        bytes.append(json: #","rsvp":"#)
        bytes.append(contentsOf: WireEncoder.encode(Nullable(wrappedValue: rsvpStatus.rsvp)))
        bytes.append(json: #","waitingPlace":"#)
        bytes.append(contentsOf: WireEncoder.encode(Nullable(wrappedValue: rsvpStatus.waitingPlace)))
        bytes.append(end)
        return EncodedJSON(bytes: bytes)
    }

    /// The frame with a user's view of an event.
    package var frame: [UInt8] { Frame.encode("event", ["event": self.encoded]) }
}

extension EventPush {
    /// The maximum size of a frame's events in bytes.
    ///
    /// A frame contains at least one event.
    private static let frameBytes = 49_152

    /// The frames of the update, in order.
    ///
    /// Removed events are in the first one.
    package var frames: [[UInt8]] {
        var frames: [[UInt8]] = []
        var put: [EncodedJSON] = []
        var bytes = 0
        func close() {
            let gone = frames.isEmpty ? self.gone : []
            let fields: FieldList = [
                "watch": String(self.subscription), "put": put, "gone": gone, "more": self.more,
            ]
            frames.append(Frame.encode("events", fields))
            put = []
            bytes = 0
        }
        for shown in self.put {
            let event = shown.encoded
            if !put.isEmpty, bytes + event.bytes.count > Self.frameBytes { close() }
            put.append(event)
            bytes += event.bytes.count
        }
        close()
        return frames
    }
}

import MusterCore
import MusterWire

/// A place of a group.
struct GroupPlaceView: Encodable, Equatable, Sendable {
    /// The members whom the user notifies.
    enum Receivers: Encodable, Equatable, Sendable {
        case nobody
        case everybody
        case members([UserID])

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .nobody: try container.encode("nobody")
            case .everybody: try container.encode("everybody")
            case .members(let members): try container.encode(members)
            }
        }
    }

    /// A member inside.
    struct Present: Encodable, Equatable, Sendable {
        let user: UserID
        let since: Timestamp
    }

    private let id: GroupPlaceID
    private let group: GroupID
    private let name: String
    private let icon: GroupPlace.Icon
    @Degrees private var lat: Double
    @Degrees private var lon: Double
    private let radius: Double
    @Nullable private var by: UserID?
    private let revision: Int64
    /// The viewer's choice; nil, and not encoded, in a frame for all members.
    private let notify: Receivers?
    private let muted: Bool?
    private let here: [Present]?

    /// Creates the view for all members.
    init(_ place: GroupPlace) { self.init(place, sight: nil) }

    /// Creates the view of one member.
    init(_ sight: GroupPlaceSight) { self.init(sight.place, sight: sight) }

    private init(_ place: GroupPlace, sight: GroupPlaceSight?) {
        self.id = place.id
        self.group = place.group
        self.name = place.name
        self.icon = place.icon
        self.lat = place.coordinate.latitude
        self.lon = place.coordinate.longitude
        self.radius = place.radius
        self.by = place.by
        self.revision = place.revision
        self.notify = sight.map { sight in
            guard let consent = place.consent(of: sight.viewer) else { return .nobody }
            if consent.everybody { return .everybody }
            return consent.receivers.isEmpty ? .nobody : .members(consent.receivers.sorted())
        }
        self.muted = sight.map { place.muted.contains($0.viewer) }
        self.here = sight?.here.map { Present(user: $0.user, since: $0.since) }
    }
}

/// The current place.
struct GroupPlaceAnswer: Encodable, Equatable, Sendable {
    private let place: GroupPlaceView

    /// Creates the answer.
    init(_ sight: GroupPlaceSight) { self.place = GroupPlaceView(sight) }
}

/// The places of a group.
struct GroupPlacesAnswer: Encodable, Equatable, Sendable {
    private let places: [GroupPlaceView]

    /// Creates the answer.
    init(_ places: [GroupPlaceSight]) { self.places = places.map { GroupPlaceView($0) } }
}

extension LiveMessage {
    /// Creates the frame that shows a place to a group.
    static func groupPlace(_ place: GroupPlace) -> LiveMessage {
        .frame(Frame.encode("group_place", ["place": GroupPlaceView(place)]))
    }

    /// Creates the frame that removes a place from a group.
    static func groupPlaceGone(_ place: GroupPlaceID, from group: GroupID) -> LiveMessage {
        .frame(Frame.encode("group_place_gone", ["group": "\(group)", "place": "\(place)"]))
    }
}

extension FrameError {
    /// Creates the conflict error for a place that changed since the client read it.
    static func groupPlaceConflict(_ sight: GroupPlaceSight) -> FrameError {
        FrameError(
            .conflict,
            message: "The place has changed. Show its current state and send the revision of that.",
            conflict: ConflictState("place", GroupPlaceView(sight))
        )
    }
}

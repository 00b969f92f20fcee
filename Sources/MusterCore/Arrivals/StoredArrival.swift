/// The state of a person at a place, as storage keeps it.
package struct StoredArrival: Sendable, Equatable {
    /// A proof as an object that operators can read.
    struct Proof: Sendable, Equatable, Codable {
        var kind: String
        var lat: Double
        var lon: Double
        var accuracy: Float
        var at: StoredMoment
        var due: StoredMoment
        var isSeconded: Bool
        var isApart: Bool
    }

    /// What storage keeps besides the state itself.
    package struct Details: Sendable, Equatable, Codable {
        /// The time of the last fix that was applied.
        var applied: StoredMoment
        /// Whether the person is inside as far as it was notified; absent if it equals the state.
        var told: Bool?
        var proof: Proof?
    }

    package var user: UserID
    package var place: GroupPlaceID
    /// Whether the person is inside; nil if it is unknown.
    package var isInside: Bool?
    package var since: Timestamp
    /// The rest of the state.
    package var details: Details

    /// Creates a state.
    package init(user: UserID, place: GroupPlaceID, isInside: Bool?, since: Timestamp, details: Details) {
        self.user = user
        self.place = place
        self.isInside = isInside
        self.since = since
        self.details = details
    }
}

extension ArrivalStanding.State {
    /// Whether the person is inside; nil if it is unknown.
    var isInside: Bool? { self == .unknown ? nil : self == .inside }

    init(isInside: Bool?) { self = isInside.map { $0 ? .inside : .outside } ?? .unknown }
}

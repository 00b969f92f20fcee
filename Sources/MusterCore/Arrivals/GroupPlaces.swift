/// The places of a loaded group.
struct GroupPlaces: Sendable {
    /// A notified change, for glances.
    struct Told: Sendable {
        var user: UserID
        var place: GroupPlaceID
        var hasArrived: Bool
        var at: Timestamp
    }

    /// The time in milliseconds for which glances show a change.
    static let glanceAge: Int64 = 12 * 3_600_000
    /// The maximum number of changes that are kept for glances.
    static let glanceCapacity = 100

    /// The places, by id.
    private(set) var places: [GroupPlace]
    /// Their circles.
    private(set) var ground: ArrivalGround
    /// Whether the stored states were read, so that changes may be decided.
    var isRestored: Bool
    /// The last change of each member at each place, oldest first.
    private(set) var told: [Told] = []

    /// Creates the places of a group.
    init(_ places: [GroupPlace], of group: GroupID, isRestored: Bool) {
        self.places = places.sorted { $0.id < $1.id }
        self.ground = ArrivalGround(group: group, circles: places.map(\.circle))
        self.isRestored = isRestored
    }

    /// A place; nil if there is none of that id.
    subscript(place: GroupPlaceID) -> GroupPlace? { self.places.first { $0.id == place } }

    /// Replaces the places.
    mutating func replace(with places: [GroupPlace]) {
        self.places = places.sorted { $0.id < $1.id }
        let circles = self.places.map(\.circle)
        if circles != self.ground.circles { self.ground = ArrivalGround(group: self.ground.group, circles: circles) }
        self.told = self.told.filter { self[$0.place]?.consent(of: $0.user) != nil }
    }

    /// The places that a member tells, as bits by index.
    func mask(of user: UserID) -> UInt32 {
        var mask: UInt32 = 0
        for (index, place) in self.places.enumerated() {
            guard let consent = place.consent(of: user), consent.everybody || !consent.receivers.isEmpty
            else { continue }
            mask |= 1 << UInt32(index)
        }
        return mask
    }

    /// Records a notified change.
    mutating func note(_ event: ArrivalEvent, of user: UserID, at now: Timestamp) {
        self.told.removeAll { $0.user == user && $0.place == event.place || now - $0.at > Self.glanceAge }
        if self.told.count >= Self.glanceCapacity { self.told.removeFirst() }
        self.told.append(Told(user: user, place: event.place, hasArrived: event.hasArrived, at: event.since))
    }

    /// Forgets the changes of a member.
    mutating func forget(_ user: UserID) { self.told.removeAll { $0.user == user } }
}

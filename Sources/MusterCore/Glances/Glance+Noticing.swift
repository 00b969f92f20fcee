// A wearable gets only changes that a person would notice, compared with the glance sent last. So a slow drift is sent
// once it amounts to a step, and an oscillation within a step is never sent.
//
// | what | is noticeable when |
// |---|---|
// | the first glance | always |
// | a group | it is added, removed or renamed |
// | the number together | it changes, or the number of members does |
// | `you` | it changes between `in` and `out` |
// | the place | it appears, disappears, is renamed, or moves by 100 m or more |
// | a distance, to a place or a spot | it appears, disappears, or changes by at least 10 % and at least 100 m |
// | the list of spots | a spot is added or removed, in any order |
// | likes and dislikes of a spot | they change by a tenth, and at least by one |
// | arrivals and departures | one is added, removed or replaced |
// | notifications | one is added or removed |
//
// Changes of the glance's time, of the order of its spots, and all smaller changes are not noticeable.

extension Glance {
    /// The minimum noticeable change of a distance, in metres.
    static let distanceStep = 100.0
    /// The minimum noticeable change of a distance, relative to its old value.
    static let distanceShare = 0.1
    /// The divisor for the minimum noticeable change of a vote count: a tenth.
    static let voteShare = 10

    /// Whether a person would notice the change from the last glance; nil when there is none.
    func isNoticeable(from last: Glance?) -> Bool {
        guard let last else { return true }
        return self.notifications.map(\.number) != last.notifications.map(\.number)
            || self.places != last.places
            || Self.differ(self.groups, last.groups, by: \.id) { $0.isNoticeable(from: $1) }
            || Self.differ(self.spots, last.spots, by: \.text.spot) { $0.isNoticeable(from: $1) }
    }

    /// Whether items were added or removed, or one of them changed noticeably.
    private static func differ<Item, ID: Hashable>(
        _ items: [Item],
        _ last: [Item],
        by id: (Item) -> ID,
        _ isNoticeable: (Item, Item) -> Bool
    ) -> Bool {
        guard items.count == last.count else { return true }
        let known = Dictionary(last.map { (id($0), $0) }) { first, _ in first }
        return items.contains { item in known[id(item)].map { isNoticeable(item, $0) } ?? true }
    }

    /// Whether a distance differs by a step from its last value.
    static func isStep(_ metres: Double?, from last: Double?) -> Bool {
        guard let metres, let last else { return (metres == nil) != (last == nil) }
        return abs(metres - last) >= max(Self.distanceStep, last * Self.distanceShare)
    }

    /// Whether a vote count differs by a step from its last value.
    static func isStep(votes: Int, from last: Int) -> Bool { abs(votes - last) >= max(1, last / Self.voteShare) }
}

extension Glance.Group {
    fileprivate func isNoticeable(from last: Self) -> Bool {
        self.name != last.name || self.together != last.together || self.of != last.of || self.you != last.you
            || self.hasMoved(from: last.place) || Glance.isStep(self.distance, from: last.distance)
    }

    private func hasMoved(from last: GatheringPlace?) -> Bool {
        guard let place, let last else { return (self.place == nil) != (last == nil) }
        let metres = Coordinate(latitude: place.lat, longitude: place.lon)
            .distance(to: Coordinate(latitude: last.lat, longitude: last.lon))
        return place.name != last.name || metres >= Glance.distanceStep
    }
}

extension Glance.Spot {
    fileprivate func isNoticeable(from last: Self) -> Bool {
        self.text.comment != last.text.comment || Glance.isStep(self.distance, from: last.distance)
            || Glance.isStep(votes: self.text.likes, from: last.text.likes)
            || Glance.isStep(votes: self.text.dislikes, from: last.text.dislikes)
    }
}

// A watch is told only what a person would notice, compared with the glance that it was sent last; so what creeps is noticed
// as soon as it has gone a step from there, and what goes to and fro within a step never is.
//
// | what | is noticed when |
// |---|---|
// | the first glance | always |
// | a group | it comes, goes, or is called otherwise |
// | who is together | another number of people are, of another number of members |
// | you | in becomes out, or out in |
// | the place | it comes or goes, is called otherwise, or is 100 m or more from where it was |
// | a distance, to a place or a spot | it comes or goes, or is otherwise by 10 %, and by 100 m or more |
// | the list of spots | one comes or goes, in whatever order |
// | likes and dislikes of a spot | otherwise by a tenth, and at least by one |
// | notifications | one comes or goes |
//
// The time of a glance, the order of its spots and a smaller change of anything are not.

extension Glance {
    /// The least change of a distance that is noticed, in metres.
    package static let distanceStep = 100.0
    /// The least change of a distance that is noticed, of what it was.
    package static let distanceShare = 0.1
    /// A tenth of its votes.
    package static let voteShare = 10

    /// Whether a person would notice a change from what they were shown last; nil when that is nothing.
    package func isNoticeable(from last: Glance?) -> Bool {
        guard let last else { return true }
        return self.notifications.map(\.number) != last.notifications.map(\.number)
            || Self.differ(self.groups, last.groups, by: \.id) { $0.isNoticeable(from: $1) }
            || Self.differ(self.spots, last.spots, by: \.text.spot) { $0.isNoticeable(from: $1) }
    }

    /// Whether there are others than before, or one of them is noticeably otherwise.
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

    /// Whether a distance is a step from what it was.
    static func isStep(_ metres: Double?, from last: Double?) -> Bool {
        guard let metres, let last else { return (metres == nil) != (last == nil) }
        return abs(metres - last) >= max(Self.distanceStep, last * Self.distanceShare)
    }

    /// Whether a count of votes is a step from what it was.
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

extension World {
    /// Adds places, except those that were deleted while the addition was under way.
    mutating func add(_ places: [NamedPlace]) {
        let places = places.filter { !self.recentEnds.contains(.spot($0.spot)) }
        for place in places { self.spots.insert(place) }
        self.markGlances(near: places)
    }

    /// Removes places, and notifies the sessions that were sent them.
    mutating func delete(_ spots: [SpotID]) {
        for spot in spots {
            self.recentEnds.insert(.spot(spot), at: self.now)
            self.spots.remove(spot)
            self.forgetVotes(on: spot)
            self.send(self.sentSpots.sessions(of: spot), .spotGone(spot))
            self.sentSpots.remove(spot)
            self.markGlances(without: spot)
        }
    }
}

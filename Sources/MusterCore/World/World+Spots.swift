extension World {
    /// Learns of places, but for those that were deleted while that was on its way.
    mutating func add(_ places: [NamedPlace]) {
        for place in places where !self.recentEnds.contains(.spot(place.spot)) { self.spots.insert(place) }
    }

    /// Forgets places.
    mutating func delete(_ spots: [SpotID]) {
        for spot in spots {
            self.recentEnds.insert(.spot(spot), at: self.now)
            self.spots.remove(spot)
        }
    }
}

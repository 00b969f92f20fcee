// The place of a gathering is a median. For an odd number of members, it is the latitude of one member and the
// longitude of one, often the same: their exact position. While they share `live` the roster shows that anyway. But the
// place stays in the roster's gathering, in its frames and in the table after a member pauses, chooses `approximate` or
// leaves. And `paused` hides a position from gatherings and history too. So when a participant withdraws:
//
// - with two or more of C left, the place is computed again from them, who all still share their exact position;
// - with fewer, no members are left to define it (a single one would be revealed by it, and the gathering is about to
//   end). The place is snapped to the 0.01° grid, which is the precision of `approximate`, and loses its name, which
//   would be more precise than the grid.
//
// This is not a move: the state stays the same. Positions that were sent while sharing was live cannot be recalled.

extension GatheringMachine {
    /// Records that a participant withdrew their position, so that the place must be replaced.
    mutating func noteWithdrawal(of user: UserID) {
        guard case .gathered(let gathering) = self.phase, gathering.participants.contains(user) else { return }
        self.mustReplacePlace = true
    }

    /// Replaces the place in a status if a participant withdrew.
    mutating func replacePlace(in status: inout GatheringStatus, of gathering: Gathering) {
        guard self.mustReplacePlace else { return }
        self.mustReplacePlace = false
        let rest = self.cluster & gathering.together
        if rest.count >= 2, let place = self.median(of: rest) {
            status.place = self.named(place)
        } else {
            let place = Coordinate(latitude: status.place.lat, longitude: status.place.lon).snappedToGrid
            status.place = GatheringPlace(lat: place.latitude, lon: place.longitude)
        }
    }

    /// The median of the positions of some members.
    func median(of members: MemberSet) -> Coordinate? {
        Coordinate.median(of: members.compactMap { self.position(of: $0)?.coordinate })
    }

    /// The members whose positions define the current place: the usable ones, or those with a recent fix if fewer than
    /// two are usable.
    func witnesses(of members: MemberSet) -> MemberSet {
        let usable = members & self.usable
        guard usable.count < 2 else { return usable }
        var recent = MemberSet()
        for slot in members {
            if let at = self.position(of: slot)?.at, self.instant - at <= Freshness.recentAge { recent.insert(slot) }
        }
        return recent
    }

    /// The current place of some members, with its name and the time of the oldest position; nil if none has a recent
    /// fix.
    func whereabouts(of members: MemberSet) -> GatheringPlace? {
        let witnesses = self.witnesses(of: members)
        guard let place = self.median(of: witnesses) else { return nil }
        var named = self.named(place)
        named.at = witnesses.compactMap { self.position(of: $0)?.at }.min()
        return named
    }

    /// Whether at least two of the members have a recent fix.
    func areCompany(_ members: MemberSet) -> Bool { members.isCompany(at: self.instant) { self.position(of: $0) } }

    /// A place with the name of the nearest spot, if there is one within R.
    func named(_ place: Coordinate) -> GatheringPlace {
        let spot = self.spots.nearest(to: place, within: self.settings.radius)
        return GatheringPlace(lat: place.latitude, lon: place.longitude, name: spot?.name)
    }
}

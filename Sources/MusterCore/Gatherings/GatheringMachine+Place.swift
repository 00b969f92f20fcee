// The place of a gathering is a median, and the median of an odd number is the latitude of one member and the longitude of
// one, often the same: their exact position. That tells nobody more than the roster while they share `live`. But the place
// stays, in the roster's gathering, in its frames and in the table, when they pause, choose `approximate` or leave, and
// `paused` hides a position from gatherings and history too. So when one who took part withdraws:
//
// - with two or more of C left, the place is found anew from them, who are all still shown as they are;
// - with fewer, nobody is there to say where it is (one alone would be found by it, and the gathering is about to end):
//   the place is kept on the 0.01° grid, which is what `approximate` shows of anybody, and loses its name, which would
//   tell a place on the grid more exactly.
//
// It is no move: the state stays what it was. Positions that were taken while sharing was live, and sent, cannot be unsent.

extension GatheringMachine {
    /// Notes that a member withdrew their position, for the place to be told without it.
    mutating func noteWithdrawal(of user: UserID) {
        guard case .gathered(let gathering) = self.phase, gathering.participants.contains(user) else { return }
        self.mustReplacePlace = true
    }

    /// Tells the place without those who withdrew, when somebody did.
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

    /// The median of the places of some members.
    func median(of members: MemberSet) -> Coordinate? {
        Coordinate.median(of: members.compactMap { self.position(of: $0)?.coordinate })
    }

    /// Those of some members who say where all of them are: the usable ones, or those heard of lately when fewer than two are.
    func witnesses(of members: MemberSet) -> MemberSet {
        let usable = members & self.usable
        guard usable.count < 2 else { return usable }
        var recent = MemberSet()
        for slot in members {
            if let at = self.position(of: slot)?.at, self.instant - at <= Freshness.recentAge { recent.insert(slot) }
        }
        return recent
    }

    /// Where some members are now, with its name and how old that is; nil when none of them was heard of lately.
    func whereabouts(of members: MemberSet) -> GatheringPlace? {
        let witnesses = self.witnesses(of: members)
        guard let place = self.median(of: witnesses) else { return nil }
        var named = self.named(place)
        named.at = witnesses.compactMap { self.position(of: $0)?.at }.min()
        return named
    }

    /// Whether some members can be missed by somebody: two of them were heard of lately.
    func areCompany(_ members: MemberSet) -> Bool { members.isCompany(at: self.instant) { self.position(of: $0) } }

    /// A place with its name, if it has one.
    func named(_ place: Coordinate) -> GatheringPlace {
        let spot = self.spots.nearest(to: place, within: self.settings.radius)
        return GatheringPlace(lat: place.latitude, lon: place.longitude, name: spot?.name)
    }
}

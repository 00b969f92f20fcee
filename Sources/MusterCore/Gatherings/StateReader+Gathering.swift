extension StateReader {
    mutating func place(of count: Int) throws(StateDamage) -> Int {
        let place = try self.integer()
        guard 0..<Int64(count) ~= place else { throw StateDamage() }
        return Int(place)
    }

    mutating func coordinate() throws(StateDamage) -> Coordinate {
        let (latitude, longitude) = (try self.double(), try self.double())
        guard let place = Coordinate(validating: latitude, longitude) else { throw StateDamage() }
        return place
    }

    mutating func linkState(version: UInt8) throws(StateDamage) -> LinkState {
        switch try self.byte() {
        case 0: .apart
        case 1: .linked
        case 2:
            .closing(
                since: try self.moment(),
                lower: min(try self.byte(), 2),
                higher: min(try self.byte(), 2),
                isSettled: version >= 2 ? try self.flag() : false
            )
        case 3:
            .opening(
                since: try self.moment(),
                fixes: min(try self.byte(), 2),
                isLower: version >= 3 ? try self.flag() : true
            )
        default: throw StateDamage()
        }
    }

    mutating func users() throws(StateDamage) -> [UserID] {
        try self.list { reader throws(StateDamage) in try reader.identifier() }
    }

    mutating func status() throws(StateDamage) -> GatheringStatus {
        GatheringStatus(
            gathering: try self.identifier(),
            state: try self.flag() ? .moved : .together,
            since: try self.moment(),
            place: GatheringPlace(
                lat: try self.double(),
                lon: try self.double(),
                name: try self.optional { reader throws(StateDamage) in try reader.text() }
            ),
            together: try self.users(),
            absent: try self.users()
        )
    }
}

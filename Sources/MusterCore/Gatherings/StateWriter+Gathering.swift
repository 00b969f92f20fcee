extension StateWriter {
    mutating func write(_ state: LinkState) {
        switch state {
        case .apart: self.write(UInt8(0))
        case .linked: self.write(UInt8(1))
        case .closing(let since, let lower, let higher, let isSettled):
            self.write(UInt8(2))
            self.write(since)
            self.write(lower)
            self.write(higher)
            self.write(isSettled)
        case .opening(let since, let fixes, let isLower):
            self.write(UInt8(3))
            self.write(since)
            self.write(fixes)
            self.write(isLower)
        }
    }

    mutating func write(_ coordinate: Coordinate) {
        self.write(coordinate.latitude)
        self.write(coordinate.longitude)
    }

    mutating func write(_ status: GatheringStatus) {
        self.write(status.gathering)
        self.write(status.state == .moved)
        self.write(status.since)
        self.write(status.place.lat)
        self.write(status.place.lon)
        self.write(status.place.name) { $0.write($1) }
        self.write(list: status.together) { $0.write($1) }
        self.write(list: status.absent) { $0.write($1) }
    }
}

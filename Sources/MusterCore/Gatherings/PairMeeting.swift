/// Where two members were when they were last within R of each other, while they are not.
struct PairMeeting: Sendable, Equatable {
    // Latitude and longitude of the lower, then of the higher; a Float is exact to 2 m, where R is 20 m at least.
    private let places: SIMD4<Float>

    /// Notes where both are, within R of each other.
    init(lower: Coordinate, higher: Coordinate) {
        self.places = SIMD4(
            Float(lower.latitude),
            Float(lower.longitude),
            Float(higher.latitude),
            Float(higher.longitude)
        )
    }

    /// Where the one with the lower slot was.
    var lower: Coordinate { Coordinate(latitude: Double(self.places[0]), longitude: Double(self.places[1])) }
    /// Where the other was.
    var higher: Coordinate { Coordinate(latitude: Double(self.places[2]), longitude: Double(self.places[3])) }
}

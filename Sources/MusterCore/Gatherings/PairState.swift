/// Two members of a group, by their slots.
struct MemberPair: Sendable, Equatable, Comparable {
    let lower: UInt8
    let higher: UInt8

    /// The pair of two different slots, in whatever order.
    init(_ one: Int, _ other: Int) {
        self.lower = UInt8(min(one, other))
        self.higher = UInt8(max(one, other))
    }

    /// Its place among all pairs: those of slot 1, of slot 2, …, so that a new slot adds its pairs at the end.
    var index: Int { Int(self.higher) * (Int(self.higher) - 1) / 2 + Int(self.lower) }

    static func < (left: Self, right: Self) -> Bool { (left.lower, left.higher) < (right.lower, right.higher) }
}

/// How two members stand to each other, and where each of them was when they were last within R.
struct PairState: Sendable {
    /// Apart, linked, or on the way.
    var link = LinkState.apart
    /// Whether the graph has the pair in its list of those that are on the way.
    var isListed = false
    // Latitude and longitude of the lower, then of the higher; a Float is exact to 2 m, where R is 20 m at least.
    private var places = SIMD4<Float>(repeating: .nan)

    /// Notes where both are, within R of each other.
    mutating func meet(lower: Coordinate, higher: Coordinate) {
        self.places = SIMD4(
            Float(lower.latitude),
            Float(lower.longitude),
            Float(higher.latitude),
            Float(higher.longitude)
        )
    }

    /// Forgets both.
    mutating func forget() {
        self.link = .apart
        self.places = SIMD4(repeating: .nan)
    }

    /// Where one of them was when they were last within R; nil when they never were.
    func place(ofLower isLower: Bool) -> Coordinate? {
        let (latitude, longitude) = isLower ? (self.places[0], self.places[1]) : (self.places[2], self.places[3])
        return latitude.isNaN ? nil : Coordinate(latitude: Double(latitude), longitude: Double(longitude))
    }
}

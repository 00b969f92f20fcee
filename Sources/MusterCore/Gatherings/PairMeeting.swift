/// Where two members were when they were last within R of each other, and when.
struct PairMeeting: Sendable, Equatable {
    // Most pairs that ever met have one, so it takes 20 bytes: a Float is exact to 2 m, where R is 20 m at least.
    private let lowerLatitude: Float
    private let lowerLongitude: Float
    private let higherLatitude: Float
    private let higherLongitude: Float
    private let seconds: UInt32

    /// Notes where both are, within R of each other.
    init(lower: Coordinate, higher: Coordinate, at: Timestamp) {
        self.lowerLatitude = Float(lower.latitude)
        self.lowerLongitude = Float(lower.longitude)
        self.higherLatitude = Float(higher.latitude)
        self.higherLongitude = Float(higher.longitude)
        self.seconds = UInt32(clamping: at.milliseconds / 1000)
    }

    /// Where the one with the lower slot was.
    var lower: Coordinate {
        Coordinate(latitude: Double(self.lowerLatitude), longitude: Double(self.lowerLongitude))
    }
    /// Where the other was.
    var higher: Coordinate {
        Coordinate(latitude: Double(self.higherLatitude), longitude: Double(self.higherLongitude))
    }
    /// When, to the second.
    var at: Timestamp { Timestamp(milliseconds: Int64(self.seconds) * 1000) }
}

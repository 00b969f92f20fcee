/// Where two members were when they were last within R of each other, and when.
struct PairMeeting: Sendable, Equatable {
    // Most pairs that ever met have one, so it takes 24 bytes: a Float is exact to 2 m, where R is 20 m at least.
    private let lowerLatitude: Float
    private let lowerLongitude: Float
    private let higherLatitude: Float
    private let higherLongitude: Float
    private let seconds: UInt32
    private let secondsAtLower: UInt16
    private let secondsAtHigher: UInt16

    /// Notes where both are, within R of each other, and for how many seconds both had stayed about the one place and the other.
    init(lower: Coordinate, higher: Coordinate, at: Timestamp, stayed: (atLower: Int64, atHigher: Int64)) {
        self.lowerLatitude = Float(lower.latitude)
        self.lowerLongitude = Float(lower.longitude)
        self.higherLatitude = Float(higher.latitude)
        self.higherLongitude = Float(higher.longitude)
        self.seconds = UInt32(clamping: at.milliseconds / 1000)
        self.secondsAtLower = UInt16(clamping: stayed.atLower)
        self.secondsAtHigher = UInt16(clamping: stayed.atHigher)
    }

    /// For how many seconds both had stayed about where the one with the lower slot was, and about where the other was.
    var stayed: (atLower: Int64, atHigher: Int64) { (Int64(self.secondsAtLower), Int64(self.secondsAtHigher)) }

    /// Where the one with the lower slot was.
    var lower: Coordinate {
        Coordinate(latitude: Double(self.lowerLatitude), longitude: Double(self.lowerLongitude))
    }
    /// Where the other was.
    var higher: Coordinate {
        Coordinate(latitude: Double(self.higherLatitude), longitude: Double(self.higherLongitude))
    }
    /// Whether it was in the second of a moment, or later.
    func isSince(_ moment: Timestamp) -> Bool { Int64(self.seconds) >= moment.milliseconds / 1000 }

    /// When, to the second.
    var at: Timestamp { Timestamp(milliseconds: Int64(self.seconds) * 1000) }
}

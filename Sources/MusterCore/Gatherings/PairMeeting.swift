/// The positions of two members when they were last within R of each other, and the time.
struct PairMeeting: Sendable, Equatable {
    // Most pairs that ever met have one, so it takes 24 bytes. A Float is exact to 2 m, and R is at least 20 m.
    private let lowerLatitude: Float
    private let lowerLongitude: Float
    private let higherLatitude: Float
    private let higherLongitude: Float
    private let seconds: UInt32
    private let secondsAtLower: UInt16
    private let secondsAtHigher: UInt16

    /// Creates a meeting from both positions, and the seconds that both members had stayed near each of them.
    init(lower: Coordinate, higher: Coordinate, at: Timestamp, stayed: (atLower: Int64, atHigher: Int64)) {
        self.lowerLatitude = Float(lower.latitude)
        self.lowerLongitude = Float(lower.longitude)
        self.higherLatitude = Float(higher.latitude)
        self.higherLongitude = Float(higher.longitude)
        self.seconds = UInt32(clamping: at.milliseconds / 1000)
        self.secondsAtLower = UInt16(clamping: stayed.atLower)
        self.secondsAtHigher = UInt16(clamping: stayed.atHigher)
    }

    /// The seconds that both had stayed near the position of the member with the lower slot, and near the other
    /// position.
    var stayed: (atLower: Int64, atHigher: Int64) { (Int64(self.secondsAtLower), Int64(self.secondsAtHigher)) }

    /// The position of the member with the lower slot.
    var lower: Coordinate {
        Coordinate(latitude: Double(self.lowerLatitude), longitude: Double(self.lowerLongitude))
    }
    /// The position of the member with the higher slot.
    var higher: Coordinate {
        Coordinate(latitude: Double(self.higherLatitude), longitude: Double(self.higherLongitude))
    }
    /// Whether the meeting was in the second of a moment, or later.
    func isSince(_ moment: Timestamp) -> Bool { Int64(self.seconds) >= moment.milliseconds / 1000 }

    /// The time, to the second.
    var at: Timestamp { Timestamp(milliseconds: Int64(self.seconds) * 1000) }
}

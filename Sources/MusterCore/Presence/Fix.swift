/// One reading of a device's position, as its client sent it and the decoder found it well-formed.
package struct Fix: Sendable, Equatable, Codable {
    /// Why the client sent it.
    package enum Trigger: String, Sendable, Codable, CaseIterable {
        case move
        case significant
        case manual
        case ping
        case answer
    }

    /// The client's own number for the fix, ≥ 1, rising strictly per device.
    package var sequence: Int64
    /// When the position was taken, by the device's clock; nil means "now".
    @Packed package var at: Timestamp?
    /// Where.
    package var coordinate: Coordinate
    /// The radius in metres that the device believes in; nil when it did not say.
    @Packed package var accuracy: Float?
    /// Metres above the ellipsoid.
    @Packed package var altitude: Float?
    /// Metres per second.
    @Packed package var speed: Float?
    /// Degrees clockwise from true north.
    @Packed package var course: Float?
    /// The charge of the battery, 0…1.
    @Packed package var battery: Float?
    /// Why it was sent.
    package var trigger: Trigger?
    /// The fields that were sent and could not be right, which are unknown therefore.
    package var dropped: FixDetails = []
    /// The request that it answers, with `trigger` `answer`.
    @Packed package var answer: LocateID?

    /// Creates a fix; everything but number and place may be unknown.
    package init(
        sequence: Int64,
        at: Timestamp? = nil,
        coordinate: Coordinate,
        accuracy: Float? = nil,
        altitude: Float? = nil,
        speed: Float? = nil,
        course: Float? = nil,
        battery: Float? = nil,
        trigger: Trigger? = nil,
        answer: LocateID? = nil,
        dropped: FixDetails = []
    ) {
        self.sequence = sequence
        self.at = at
        self.coordinate = coordinate
        self.accuracy = accuracy
        self.altitude = altitude
        self.speed = speed
        self.course = course
        self.battery = battery
        self.trigger = trigger
        self.answer = answer
        self.dropped = dropped
    }
}

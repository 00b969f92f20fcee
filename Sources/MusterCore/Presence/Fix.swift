/// One reading of a device's position, as the client sent it and after the decoder validated its form.
package struct Fix: Sendable, Equatable {
    /// The client's reason for sending it.
    package enum Trigger: String, Sendable, CaseIterable {
        case move
        case significant
        case manual
        case ping
        case answer
    }

    /// The client's own number for the fix, ≥ 1, strictly rising per device.
    package var sequence: Int64
    /// The time at which the position was taken, by the device's clock; nil means "now".
    @Packed package var at: Timestamp?
    /// The position.
    package var coordinate: Coordinate
    /// The accuracy radius in metres that the device reports; nil when absent.
    @Packed package var accuracy: Float?
    /// Metres above the ellipsoid.
    @Packed package var altitude: Float?
    /// Metres per second.
    @Packed package var speed: Float?
    /// Degrees clockwise from true north.
    @Packed package var course: Float?
    /// The charge of the battery, 0…1.
    @Packed package var battery: Float?
    /// The reason for sending it.
    package var trigger: Trigger?
    /// The fields that were sent with invalid values and are therefore unknown.
    package var dropped: FixDetails = []
    /// The locate request that it answers, when `trigger` is `answer`.
    @Packed package var answer: LocateID?

    /// Creates a fix; everything except number and position may be unknown.
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

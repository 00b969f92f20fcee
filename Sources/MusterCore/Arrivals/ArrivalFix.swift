/// A report of a person's position as the arrival rule reads it.
package struct ArrivalFix: Sendable, Equatable {
    /// The verdict of the fix gate, as far as it matters here.
    package enum Standing: UInt8, Sendable {
        /// It proves something, and may cause a notification.
        case timely
        /// It proves something, but causes no notification by itself.
        case late
        /// It proves nothing, but the phone is not silent.
        case refused
    }

    /// The position.
    package var coordinate: Coordinate
    /// The time at which it was taken, corrected by the gate.
    package var at: Timestamp
    /// The device that took it.
    package var device: DeviceID
    /// Its arrival, or `at` if it arrived at most `ArrivalRule.lag` later: its order of arrival does not matter then.
    package var due: Timestamp
    /// The accuracy radius in metres; 0 if the device did not report it.
    package var accuracy: Float
    /// The verdict.
    package var standing: Standing
    /// Whether the device claims not to have moved.
    package var isPing: Bool

    /// Creates a fix.
    package init(
        device: DeviceID,
        at: Timestamp,
        receivedAt: Timestamp,
        coordinate: Coordinate,
        accuracy: Float,
        standing: Standing,
        isPing: Bool
    ) {
        self.coordinate = coordinate
        self.at = at
        self.device = device
        self.due = receivedAt - at <= ArrivalRule.lag ? at : receivedAt
        self.accuracy = accuracy
        self.standing = standing
        self.isPing = isPing
    }

    /// Whether another fix may have been taken at the same point.
    func isNear(_ other: Self) -> Bool { self.point.isNear(other.point) }

    /// The position and its accuracy.
    var point: ArrivalPoint { ArrivalPoint(coordinate: self.coordinate, accuracy: self.accuracy) }
}

/// A position and its accuracy.
struct ArrivalPoint: Sendable, Equatable {
    /// The distance in metres, beyond the larger accuracy, within which two fixes are near each other.
    static let nearness = 20.0

    var coordinate: Coordinate
    var accuracy: Float

    /// Whether another position may be the same point.
    func isNear(_ other: Self) -> Bool {
        let limit = Self.nearness + Double(max(self.accuracy, other.accuracy))
        return self.coordinate.isWithin(limit, of: other.coordinate)
    }
}

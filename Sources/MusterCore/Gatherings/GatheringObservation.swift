/// A position that the fix gate accepted for decisions about gatherings.
package struct GatheringObservation: Sendable, Equatable {
    // The coordinate comes first, at the same offset as in other types: a vector load right after partial stores is
    // slow.
    /// The position.
    package var coordinate: Coordinate
    /// The device that took it.
    package var device: DeviceID
    /// The device's sequence number of the fix.
    package var sequence: Int64
    /// The time at which it was taken, corrected by the gate.
    package var at: Timestamp
    /// The accuracy radius in metres; 0 if the device did not report it.
    package var accuracy: Double
    /// Whether the member stayed in place, which keeps the position usable for longer.
    package var isStationary: Bool

    /// Creates an observation.
    package init(
        device: DeviceID,
        sequence: Int64,
        at: Timestamp,
        coordinate: Coordinate,
        accuracy: Double,
        isStationary: Bool
    ) {
        self.device = device
        self.sequence = sequence
        self.at = at
        self.coordinate = coordinate
        self.accuracy = accuracy
        self.isStationary = isStationary
    }
}

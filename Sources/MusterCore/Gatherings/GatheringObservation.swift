/// A position that the fix gate found good enough to decide about gatherings.
package struct GatheringObservation: Sendable, Equatable {
    // First, where it lies as it lies in memory elsewhere: what was just written in parts is slow to be read as a whole.
    /// Where.
    package var coordinate: Coordinate
    /// The device that took it.
    package var device: DeviceID
    /// The device's number for it.
    package var sequence: Int64
    /// When it was taken, as the gate corrected it.
    package var at: Timestamp
    /// Its radius in metres; 0 when the device did not say.
    package var accuracy: Double
    /// Whether the person stayed where they were, which keeps it usable for longer.
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

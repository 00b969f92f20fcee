/// The position of a device's last movement, from which its next movement is measured.
package struct DeviceAnchor: Sendable, Equatable {
    /// The position.
    package var coordinate: Coordinate
    /// The accuracy radius in metres that the device reported.
    package var accuracy: Float
    /// The time of the movement; nil when the device has not moved since its first known position.
    @Packed package var movedAt: Timestamp?

    /// Creates an anchor.
    package init(coordinate: Coordinate, accuracy: Float, movedAt: Timestamp?) {
        self.coordinate = coordinate
        self.accuracy = accuracy
        self.movedAt = movedAt
    }
}

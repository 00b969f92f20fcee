/// Where a device was when it had moved last, from which its next movement is measured.
package struct DeviceAnchor: Sendable, Equatable, Codable {
    /// Where.
    package var coordinate: Coordinate
    /// The radius in metres that the device believed in.
    package var accuracy: Float
    /// When it had moved there; nil when it was first known there, and has not moved since.
    @Packed package var movedAt: Timestamp?

    /// Creates an anchor.
    package init(coordinate: Coordinate, accuracy: Float, movedAt: Timestamp?) {
        self.coordinate = coordinate
        self.accuracy = accuracy
        self.movedAt = movedAt
    }
}

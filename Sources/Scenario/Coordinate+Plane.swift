import Foundation
package import MusterCore

// Within a few kilometres a plane is a sufficient approximation. A degree of latitude is 111,320 m, a degree of
// longitude that times the cosine of the latitude.

extension Coordinate {
    private static let metresPerDegree = 111_320.0

    /// The point at the given distances in metres.
    package func moved(east: Double, north: Double) -> Coordinate {
        let shrink = cos(self.latitude * .pi / 180)
        return Coordinate(
            latitude: self.latitude + north / Self.metresPerDegree,
            longitude: self.longitude + east / (Self.metresPerDegree * shrink)
        )
    }

    /// The offset to another point, in metres.
    package func offset(to other: Coordinate) -> (east: Double, north: Double) {
        let shrink = cos(self.latitude * .pi / 180)
        return (
            (other.longitude - self.longitude) * Self.metresPerDegree * shrink,
            (other.latitude - self.latitude) * Self.metresPerDegree
        )
    }

    /// The distance to another point, in metres.
    package func metres(to other: Coordinate) -> Double {
        let offset = self.offset(to: other)
        return (offset.east * offset.east + offset.north * offset.north).squareRoot()
    }

    /// The direction of an offset, in degrees clockwise from north, from 0 up to 360.
    package static func bearing(east: Double, north: Double) -> Double {
        let degrees = atan2(east, north) * 180 / .pi
        return degrees < 0 ? degrees + 360 : degrees
    }
}

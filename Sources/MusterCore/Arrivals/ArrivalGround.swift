import MusterMath

/// The subject of a `GroupPlaceID`.
package enum GroupPlaceSubject {}

/// A place of a group.
package typealias GroupPlaceID = Identifier<GroupPlaceSubject>

/// The places of one group as the arrival rule sees them.
///
/// All members of the group refer to one instance, so a place that is far from a member takes no memory for it.
package final class ArrivalGround: Sendable {
    /// A circle.
    package struct Circle: Sendable, Equatable {
        /// The centre.
        package var centre: Coordinate
        /// The radius in metres.
        package var radius: Double
        /// The place.
        package var place: GroupPlaceID
        /// The differences in degrees beyond which a fix is clear, whatever its accuracy.
        private let north: Double
        private let east: Double

        /// Creates a circle.
        package init(place: GroupPlaceID, centre: Coordinate, radius: Double) {
            self.centre = centre
            self.radius = radius
            self.place = place
            // The gate refuses an accuracy above its limit; the last metre is far above any rounding error.
            let metres = radius + ArrivalRule.clearance + Double(FixGate.accuracyLimit) + 1
            self.north = metres / Coordinate.metresPerDegree
            let parallel = cosine(min(abs(centre.latitude) + self.north, 90) * .pi / 180)
            // Near a pole every longitude is close.
            self.east = parallel > 0.01 ? self.north / parallel : 360
        }

        /// Whether a coordinate is so far away that it is clear.
        @inline(__always)
        func isFar(_ coordinate: Coordinate) -> Bool {
            abs(coordinate.latitude - self.centre.latitude) > self.north
                || coordinate.longitudeDifference(to: self.centre) > self.east
        }
    }

    /// The maximum number of places of a group.
    package static let capacity = 30

    /// The group.
    package let group: GroupID
    /// The circles, by id.
    package let circles: [Circle]
    /// The rivals of each circle as bits: circles that overlap it, neither of the two within the other.
    let rivals: [UInt32]

    /// Creates the ground of a group.
    package init(group: GroupID, circles: [Circle]) {
        precondition(circles.count <= Self.capacity, "a group has at most 30 places")
        let circles = circles.sorted { $0.place < $1.place }
        self.group = group
        self.circles = circles
        self.rivals = circles.map { circle in
            circles.indices.reduce(0) { bits, other in
                let distance = circle.centre.distance(to: circles[other].centre)
                let small = min(circle.radius, circles[other].radius)
                let large = max(circle.radius, circles[other].radius)
                let isRival =
                    circle.place != circles[other].place && distance < small + large && distance + small > large
                return isRival ? bits | 1 << UInt32(other) : bits
            }
        }
    }

    /// The index of a place; nil if the group has no such place.
    package func index(of place: GroupPlaceID) -> Int? { self.circles.firstIndex { $0.place == place } }
}

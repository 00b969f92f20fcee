/// A part of the world that a session subscribes to.
package enum Area: Sendable, Equatable {
    /// Within a number of metres of a user, wherever they go.
    case around(UserID, radius: Double)
    /// Within a number of metres of a point.
    case circle(Coordinate, radius: Double)
    /// From `south` to `north`, and eastwards from `west` to `east`; crosses the date line if `west` is the greater.
    case box(south: Double, west: Double, north: Double, east: Double)
    /// The whole world.
    case everywhere

    /// The user that the area follows; nil if it is fixed.
    package var followed: UserID? {
        switch self {
        case .around(let user, _): user
        case .circle, .box, .everywhere: nil
        }
    }

    /// Whether the area is a circle.
    var isCircle: Bool {
        switch self {
        case .around, .circle: true
        case .box, .everywhere: false
        }
    }

    /// Whether a point lies in the area; `center` is its centre if it follows a user.
    package func contains(_ point: Coordinate, around center: Coordinate) -> Bool {
        switch self {
        case .around(_, let radius), .circle(_, let radius): center.isWithin(radius, of: point)
        case .box(let south, let west, let north, let east):
            (south...north).contains(point.latitude)
                && (west <= east
                    ? (west...east).contains(point.longitude) : point.longitude >= west || point.longitude <= east)
        case .everywhere: true
        }
    }

    /// The centre of a fixed area; nil if it follows a user.
    var middle: Coordinate? {
        switch self {
        case .around: return nil
        case .everywhere: return Coordinate(latitude: 0, longitude: 0)
        case .circle(let center, _): return center
        case .box(let south, let west, let north, _):
            let longitude = west + self.width / 2
            return Coordinate(
                latitude: (south + north) / 2,
                longitude: longitude > 180 ? longitude - 360 : longitude
            )
        }
    }

    /// The radius in metres of a circle around the centre that contains the area.
    var reach: Double {
        switch self {
        case .around(_, let radius), .circle(_, let radius): return radius
        case .box(let south, let west, let north, let east):
            // For a box that spans less than half of the parallels, the corners are farthest from the centre: along a
            // meridian, the cosine of the distance is a sine wave without a minimum there.
            guard self.width < 180, let middle else { return .pi * Coordinate.earthRadius }
            let corners = [(south, west), (south, east), (north, west), (north, east)]
            let distances = corners.map { Coordinate(latitude: $0.0, longitude: $0.1).distance(to: middle) }
            return (distances.max() ?? 0) * (1 + 1e-9) + 1e-3
        case .everywhere: return .pi * Coordinate.earthRadius
        }
    }

    /// The degrees from `west` to `east` of a box.
    private var width: Double {
        guard case .box(_, let west, _, let east) = self else { return 0 }
        return west <= east ? east - west : east - west + 360
    }
}

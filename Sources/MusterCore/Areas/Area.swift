/// A part of the world in which somebody wants to know of what happens.
package enum Area: Sendable, Equatable, Codable {
    /// Within so many metres of a person, wherever they go.
    case around(UserID, radius: Double)
    /// Within so many metres of a point.
    case circle(Coordinate, radius: Double)
    /// From `south` to `north`, and eastwards from `west` to `east`; across the date line where `west` is the greater.
    case box(south: Double, west: Double, north: Double, east: Double)
    /// All of it.
    case everywhere

    /// Whom the area follows; nil when it stays.
    package var followed: UserID? {
        switch self {
        case .around(let user, _): user
        case .circle, .box, .everywhere: nil
        }
    }

    /// Whether it is all that is within so many metres of its middle.
    var isCircle: Bool {
        switch self {
        case .around, .circle: true
        case .box, .everywhere: false
        }
    }

    /// Whether a point lies in the area, which is around `center` when it follows somebody.
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

    /// The middle of an area that stays; nil when it follows somebody.
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

    /// The radius in metres of a circle around its middle that holds it.
    var reach: Double {
        switch self {
        case .around(_, let radius), .circle(_, let radius): return radius
        case .box(let south, let west, let north, let east):
            // Of a box that spans less than half of the parallels, corners are the farthest from the middle: along a meridian
            // the cosine of the distance is a sine wave without a trough there.
            guard self.width < 180, let middle else { return .pi * Coordinate.earthRadius }
            let corners = [(south, west), (south, east), (north, west), (north, east)]
            let distances = corners.map { Coordinate(latitude: $0.0, longitude: $0.1).distance(to: middle) }
            return (distances.max() ?? 0) * (1 + 1e-9) + 1e-3
        case .everywhere: return .pi * Coordinate.earthRadius
        }
    }

    /// Degrees from `west` to `east` of a box.
    private var width: Double {
        guard case .box(_, let west, _, let east) = self else { return 0 }
        return west <= east ? east - west : east - west + 360
    }
}

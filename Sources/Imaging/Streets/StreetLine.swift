import ImagingWire
import MusterMath

/// A line of a picture, with the distance of each point from its start.
struct StreetLine {
    /// The most that points of a straight section are off, in pixels.
    private static let mostBend = 2.5

    private let points: [Pixel]
    private let distances: [Double]

    /// Measures a line of at least one point.
    init(_ points: [Pixel]) {
        self.points = points
        var (distances, reached) = ([0.0], 0.0)
        for (one, other) in zip(points, points.dropFirst()) {
            reached += one.distanceSquared(to: other).squareRoot()
            distances.append(reached)
        }
        self.distances = distances
    }

    /// The length in pixels.
    var length: Double { self.distances[self.distances.count - 1] }

    /// Returns the middle and the angle of a section of this length around a distance from the start, so that text on it
    /// is upright; nil when the line is too short or bends there.
    func straight(_ length: Double, around distance: Double) -> (middle: Pixel, angle: Double)? {
        guard self.length >= length else { return nil }
        let start = min(max(distance - length / 2, 0), self.length - length)
        let (first, last) = (self.point(at: start), self.point(at: start + length))
        let (east, south) = (last.x - first.x, last.y - first.y)
        for share in stride(from: 0.125, to: 1, by: 0.125) {
            let point = self.point(at: start + length * share)
            let chord = Pixel(x: first.x + east * share, y: first.y + south * share)
            guard point.distanceSquared(to: chord) <= Self.mostBend * Self.mostBend else { return nil }
        }
        let middle = Pixel(x: (first.x + last.x) / 2, y: (first.y + last.y) / 2)
        return (middle, east < 0 ? arcTangent(-south, -east) : arcTangent(south, east))
    }

    private func point(at distance: Double) -> Pixel {
        guard let above = self.distances.firstIndex(where: { $0 > distance }), above > 0 else {
            return distance <= 0 ? self.points[0] : self.points[self.points.count - 1]
        }
        let share = (distance - self.distances[above - 1]) / (self.distances[above] - self.distances[above - 1])
        let (one, other) = (self.points[above - 1], self.points[above])
        return Pixel(x: one.x + (other.x - one.x) * share, y: one.y + (other.y - one.y) * share)
    }
}

import Glibc
import MusterCore
import Scenario

/// Points in 2,000 cities of Zipf-distributed size, log-normally distributed around each city's centre.
struct TilesCrowd {
    private struct City {
        let middle: MercatorPoint
        /// The median distance from the centre, in map units.
        let spread: Double
    }

    private static let cities = 2000
    private static let circumference = 40_075_016.7

    private var random: SeededGenerator
    private var cities: [City] = []
    /// The cumulative weights of the cities.
    private var shares: [Double] = []
    /// The positions of the points; the point with id i + 1 is at index i.
    private(set) var places: [MercatorPoint] = []

    /// Creates the given number of random points.
    init(points: Int, seed: UInt64) {
        self.random = SeededGenerator(seed: seed)
        var sum = 0.0
        for rank in 1...Self.cities {
            let coordinate = Coordinate(
                latitude: .random(in: -55...65, using: &self.random),
                longitude: .random(in: -180...180, using: &self.random)
            )
            let metres = 5000 * exp(0.5 * self.normal())
            self.cities.append(
                City(middle: MercatorPoint(coordinate), spread: metres * Self.steps(at: coordinate.latitude))
            )
            sum += 1 / Double(rank)
            self.shares.append(sum)
        }
        self.places.reserveCapacity(points)
        for _ in 0..<points { self.places.append(self.draw()) }
    }

    /// Map units per metre at a latitude.
    private static func steps(at latitude: Double) -> Double {
        4_294_967_296 / (Self.circumference * cos(latitude * .pi / 180))
    }

    /// A normally distributed random number (Box and Muller, 1958).
    private mutating func normal() -> Double {
        let radius = sqrt(-2 * log(Double.random(in: Double.ulpOfOne...1, using: &self.random)))
        return radius * cos(.random(in: 0..<(2 * .pi), using: &self.random))
    }

    private mutating func draw() -> MercatorPoint {
        let share = Double.random(in: 0..<(self.shares.last ?? 0), using: &self.random)
        var (low, high) = (0, self.shares.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if self.shares[middle] < share { low = middle + 1 } else { high = middle }
        }
        let city = self.cities[low]
        return self.place(from: city.middle, city.spread * exp(self.normal()))
    }

    private mutating func place(from start: MercatorPoint, _ distance: Double) -> MercatorPoint {
        let course = Double.random(in: 0..<(2 * .pi), using: &self.random)
        return MercatorPoint(
            x: UInt32(truncatingIfNeeded: Int64(Double(start.x) + distance * cos(course))),
            y: UInt32(clamping: Int64(Double(start.y) + distance * sin(course)))
        )
    }

    /// Moves random points by 10 to 50 m, and returns their ids and new positions.
    mutating func moves(_ count: Int) -> [(id: Int64, place: MercatorPoint)] {
        (0..<count).map { _ in
            let index = Int.random(in: self.places.indices, using: &self.random)
            let metres = Double.random(in: 10...50, using: &self.random)
            let old = self.places[index]
            self.places[index] = self.place(from: old, metres * Self.steps(at: old.coordinate.latitude))
            return (Int64(index + 1), self.places[index])
        }
    }

    /// The tiles of a zoom level that contain points, row by row.
    func tiles(zoom: Int) -> [TileAddress] {
        Set(self.places.map { $0.tile(zoom: zoom) }).sorted { $0.packed < $1.packed }
    }

    /// The tiles of viewports with 8 × 8 tiles: up to 67 tiles of each zoom level from 0 to 14.
    mutating func subscribedTiles() -> [TileAddress] {
        var tiles: Set<TileAddress> = []
        for zoom in 0...14 {
            let side = min(8, 1 << zoom)
            var left = min(67, 1 << (2 * zoom))
            while left > 0 {
                let middle = self.draw().tile(zoom: zoom)
                let last = 1 << zoom - side
                let (x, y) = (min(last, max(0, middle.x - side / 2)), min(last, max(0, middle.y - side / 2)))
                for place in 0..<side * side where left > 0 {
                    let tile = TileAddress(zoom: zoom, x: x + place % side, y: y + place / side)
                    if let tile, tiles.insert(tile).inserted { left -= 1 }
                }
            }
        }
        return Array(tiles)
    }
}

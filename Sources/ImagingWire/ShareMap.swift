package import MusterCore
import MusterMath

/// The section of the Mercator map that a share picture shows, and the projection of places to pixels.
///
/// All people are at least `margin` pixels from the edges. The longitudes are cut at the largest gap between people, so
/// that people on both sides of the date line are near each other.
package struct ShareMap: Sendable {
    /// The width of a picture in pixels.
    package static let width = 1200
    /// The height of a picture in pixels.
    package static let height = 630

    /// The rectangle of the picture.
    package static let picture = Box(x: 0, y: 0, width: Double(Self.width), height: Double(Self.height))

    private static let margin = 110.0
    private static let narrowest = 400.0
    /// The outline of land is accurate to a few kilometres.
    ///
    /// On a smaller section it could draw streets into the sea.
    private static let narrowestWithLand = 200_000.0
    private static let side = 0x1p32
    private static let circumference = Coordinate.earthRadius * 2 * .pi

    /// The Mercator x coordinate of the westernmost person.
    private let start: UInt32
    /// The centre of the picture in units of the map's side: east of `start`, and south of the northern edge.
    private let middle: (x: Double, y: Double)
    /// The map's side in pixels.
    private let scale: Double
    /// The latitude of the picture's centre.
    private let latitude: Double

    /// Creates a map that shows all of these places.
    ///
    /// There must be at least one.
    package init(showing places: [SharePicture.Place]) {
        let start = Self.afterLargestGap(places.map { MercatorPoint($0.coordinate).x })
        var (west, east, north, south) = (1.0, 0.0, 1.0, 0.0)
        for place in places {
            let reach = place.reach
            let x = Self.part(MercatorPoint(place.coordinate).x &- start)
            west = min(west, x - reach / 360)
            east = max(east, x + reach / 360)
            for latitude in [place.coordinate.latitude - reach, place.coordinate.latitude + reach] {
                let y = Self.southwards(latitude)
                north = min(north, y)
                south = max(south, y)
            }
        }
        self.start = start
        self.middle = ((west + east) / 2, (north + south) / 2)
        self.latitude =
            MercatorPoint(x: 0, y: UInt32(min(self.middle.y * Self.side, Self.side - 1))).coordinate.latitude
        self.scale = min(
            (Self.picture.width - 2 * Self.margin) / (east - west),
            (Self.picture.height - 2 * Self.margin) / (south - north),
            Self.picture.width * Self.circumference * cosine(self.latitude * .pi / 180) / Self.narrowest
        )
    }

    /// Returns the x coordinate with the widest gap to its west, around the whole earth.
    private static func afterLargestGap(_ columns: [UInt32]) -> UInt32 {
        let columns = columns.sorted()
        guard var previous = columns.last else { return 0 }
        var best: (column: UInt32, gap: UInt32) = (columns[0], 0)
        for column in columns {
            if column &- previous > best.gap { best = (column, column &- previous) }
            previous = column
        }
        return best.column
    }

    private static func part(_ number: UInt32) -> Double { Double(number) / self.side }

    /// Returns the distance from the map's northern edge in units of its side.
    package static func southwards(_ latitude: Double) -> Double {
        self.part(MercatorPoint(Coordinate(latitude: min(max(latitude, -90), 90), longitude: 0)).y)
    }

    /// Whether the picture shows land instead of a grid.
    package var hasLand: Bool { Self.picture.width * self.metresPerPixel >= Self.narrowestWithLand }

    /// The metres of a pixel in the centre of the picture.
    package var metresPerPixel: Double { self.metresPerPixel(at: self.latitude) }

    /// Returns the metres of a pixel at a latitude; at the poles, the value at the map's edge.
    package func metresPerPixel(at latitude: Double) -> Double {
        max(cosine(latitude * .pi / 180), 0.086) * Self.circumference / self.scale
    }

    /// Returns the pixel of a coordinate.
    package func pixel(of coordinate: Coordinate) -> Pixel {
        let point = MercatorPoint(coordinate)
        return Pixel(
            x: self.pixels(eastwards: Self.part(point.x &- self.start)),
            y: self.pixels(southwards: Self.part(point.y))
        )
    }

    /// Returns the rectangle of a grid cell with this centre.
    package func cell(around centre: Coordinate) -> Box {
        let reach = SharePicture.Place.halfCell
        let width = 2 * reach / 360 * self.scale
        let top = self.pixels(southwards: Self.southwards(centre.latitude + reach))
        let bottom = self.pixels(southwards: Self.southwards(centre.latitude - reach))
        return Box(x: self.pixel(of: centre).x - width / 2, y: top, width: width, height: bottom - top)
    }

    /// The rectangle of one world, which may be smaller than the picture.
    package var world: Box {
        Box(
            x: Self.picture.width / 2 - self.scale / 2,
            y: self.pixels(southwards: 0),
            width: self.scale,
            height: self.scale
        )
    }

    /// The visible part of the world.
    ///
    /// The whole world may be much larger, even beyond the range of cairo's numbers.
    package var shownWorld: Box { self.world.intersection(with: Self.picture) ?? Self.picture }

    /// Returns the pixel of a point in units of the map's side.
    ///
    /// `copy` shifts it by whole turns around the earth.
    package func pixel(x: Double, y: Double, copy: Double) -> Pixel {
        Pixel(x: self.pixels(eastwards: x - Self.part(self.start) + copy), y: self.pixels(southwards: y))
    }

    /// Returns the distance of a pixel column from the map's western edge in units of its side.
    ///
    /// It may be outside of 0 to 1.
    func eastwards(_ pixels: Double) -> Double {
        self.middle.x + (pixels - Self.picture.width / 2) / self.scale + Self.part(self.start)
    }

    private func pixels(eastwards x: Double) -> Double { Self.picture.width / 2 + (x - self.middle.x) * self.scale }

    private func pixels(southwards y: Double) -> Double { Self.picture.height / 2 + (y - self.middle.y) * self.scale }
}

extension SharePicture.Place {
    /// Half of the side of a grid cell, in degrees.
    static let halfCell = 0.005

    /// The point, or the centre of the cell.
    package var coordinate: Coordinate {
        switch self {
        case .exact(let latitude, let longitude, _), .cell(let latitude, let longitude):
            Coordinate(latitude: latitude, longitude: longitude)
        }
    }

    /// Whether only the cell is known.
    package var isCell: Bool {
        switch self {
        case .exact: false
        case .cell: true
        }
    }

    /// The distance in degrees around the coordinate that must be on the picture.
    fileprivate var reach: Double { self.isCell ? Self.halfCell : 0 }
}

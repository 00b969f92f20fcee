package import MusterCore
import MusterMath

/// Which part of the Mercator map a share picture shows, and where on the picture a place is.
///
/// Everybody is at least `margin` pixels from the edges. Longitudes are cut at the largest gap between people, so that those on
/// both sides of the date line are near each other.
package struct ShareMap: Sendable {
    /// Pixels of a picture from left to right.
    package static let width = 1200
    /// Pixels of a picture from top to bottom.
    package static let height = 630

    /// The whole picture.
    package static let picture = Box(x: 0, y: 0, width: Double(Self.width), height: Double(Self.height))

    private static let margin = 110.0
    private static let narrowest = 400.0
    /// The outline of land is true to some kilometres: on a smaller map it would put streets into the sea.
    private static let narrowestWithLand = 200_000.0
    private static let side = 0x1p32
    private static let circumference = Coordinate.earthRadius * 2 * .pi

    /// The column of the westernmost person.
    private let start: UInt32
    /// The middle of the picture in parts of the map's side, eastwards of `start` and southwards of its northern edge.
    private let middle: (x: Double, y: Double)
    /// Pixels of the map's whole side.
    private let scale: Double
    /// The latitude in the middle of the picture.
    private let latitude: Double

    /// The map that shows these places, of which there is at least one.
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

    /// The column that has the widest gap west of it, all around the earth.
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

    /// Parts of the map's side from its northern edge.
    package static func southwards(_ latitude: Double) -> Double {
        self.part(MercatorPoint(Coordinate(latitude: min(max(latitude, -90), 90), longitude: 0)).y)
    }

    /// Whether land is drawn, rather than a grid.
    package var hasLand: Bool { Self.picture.width * self.metresPerPixel >= Self.narrowestWithLand }

    /// Metres of a pixel in the middle of the picture.
    package var metresPerPixel: Double { self.metresPerPixel(at: self.latitude) }

    /// Metres of a pixel at a latitude; at the poles, those at the map's edge.
    package func metresPerPixel(at latitude: Double) -> Double {
        max(cosine(latitude * .pi / 180), 0.086) * Self.circumference / self.scale
    }

    /// Where somebody at a place is drawn.
    package func pixel(of coordinate: Coordinate) -> Pixel {
        let point = MercatorPoint(coordinate)
        return Pixel(
            x: self.pixels(eastwards: Self.part(point.x &- self.start)),
            y: self.pixels(southwards: Self.part(point.y))
        )
    }

    /// The rectangle of a cell of the grid with this centre.
    package func cell(around centre: Coordinate) -> Box {
        let reach = SharePicture.Place.halfCell
        let width = 2 * reach / 360 * self.scale
        let top = self.pixels(southwards: Self.southwards(centre.latitude + reach))
        let bottom = self.pixels(southwards: Self.southwards(centre.latitude - reach))
        return Box(x: self.pixel(of: centre).x - width / 2, y: top, width: width, height: bottom - top)
    }

    /// The one world that is shown, which may be smaller than the picture.
    package var world: Box {
        Box(
            x: Self.picture.width / 2 - self.scale / 2,
            y: self.pixels(southwards: 0),
            width: self.scale,
            height: self.scale
        )
    }

    /// What the picture shows of the world, which may be much larger: than cairo's numbers, too.
    package var shownWorld: Box { self.world.intersection(with: Self.picture) ?? Self.picture }

    /// Where parts of the map's side, counted from its edges, are drawn; `copy` says how many times around the earth.
    package func pixel(x: Double, y: Double, copy: Double) -> Pixel {
        Pixel(x: self.pixels(eastwards: x - Self.part(self.start) + copy), y: self.pixels(southwards: y))
    }

    /// Parts of the map's side from its western edge to a column of pixels, which may be beyond an edge.
    func eastwards(_ pixels: Double) -> Double {
        self.middle.x + (pixels - Self.picture.width / 2) / self.scale + Self.part(self.start)
    }

    private func pixels(eastwards x: Double) -> Double { Self.picture.width / 2 + (x - self.middle.x) * self.scale }

    private func pixels(southwards y: Double) -> Double { Self.picture.height / 2 + (y - self.middle.y) * self.scale }
}

extension SharePicture.Place {
    /// Degrees from the centre of a cell of the grid to its sides.
    static let halfCell = 0.005

    /// The point, or the cell's centre.
    package var coordinate: Coordinate {
        switch self {
        case .exact(let latitude, let longitude, _), .cell(let latitude, let longitude):
            Coordinate(latitude: latitude, longitude: longitude)
        }
    }

    /// Whether it is only known to be in a cell.
    package var isCell: Bool {
        switch self {
        case .exact: false
        case .cell: true
        }
    }

    /// Degrees around the coordinate that must be on the picture.
    fileprivate var reach: Double { self.isCell ? Self.halfCell : 0 }
}

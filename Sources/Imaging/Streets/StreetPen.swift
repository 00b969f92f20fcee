import ImagingWire

/// The place of a tile on a picture.
struct StreetSquare {
    /// The tile in whole pixels.
    let box: Box
    /// Its corner.
    let corner: Pixel
    /// The pixels of a tile's unit.
    let scale: Double

    /// Returns the pixel of a point of the tile.
    func pixel(of point: SIMD2<Double>) -> Pixel {
        Pixel(x: self.corner.x + point.x * self.scale, y: self.corner.y + point.y * self.scale)
    }
}

/// Fills and strokes the parts of a tile's features that are on the picture, all of one call as one path.
struct StreetPen {
    /// The distance around the picture within which parts are drawn: more than half of any line's width.
    private static let margin = 24.0

    private let square: StreetSquare
    /// The corners of the drawn section, in units of the tile.
    private let least: SIMD2<Double>
    private let greatest: SIMD2<Double>

    /// Creates the pen of a tile.
    init(_ square: StreetSquare) {
        self.square = square
        let seen = square.box.intersection(with: ShareMap.picture) ?? square.box
        let corner = SIMD2(square.corner.x, square.corner.y)
        self.least = (SIMD2(seen.x, seen.y) - Self.margin - corner) / square.scale
        self.greatest = (SIMD2(seen.x + seen.width, seen.y + seen.height) + Self.margin - corner) / square.scale
    }

    /// Fills areas.
    ///
    /// Holes wind the other way, so areas that overlap have none.
    func fill(_ areas: [VectorTile.Feature], _ colour: UInt32, on canvas: borrowing Canvas) {
        guard self.trace(areas, on: canvas) else { return }
        canvas.ink(colour)
        canvas.fillByWinding()
    }

    /// Strokes lines.
    func stroke(
        _ lines: [VectorTile.Feature],
        _ colour: UInt32,
        width: Double,
        dash: [Double] = [],
        opacity: Double = 1,
        hasRoundEnds: Bool = false,
        on canvas: borrowing Canvas
    ) {
        guard width > 0, self.trace(lines, on: canvas) else { return }
        canvas.ink(colour, opacity: opacity)
        canvas.strokeRounded(width: width, dash: dash, hasRoundEnds: hasRoundEnds)
    }

    /// Adds the parts to the path; false when none is on the picture.
    private func trace(_ features: [VectorTile.Feature], on canvas: borrowing Canvas) -> Bool {
        var isEmpty = true
        for feature in features {
            for part in feature.parts where self.isSeen(part) {
                isEmpty = false
                canvas.addLine(part.points.lazy.map { self.square.pixel(of: $0) }, isClosed: part.isClosed)
            }
        }
        return !isEmpty
    }

    private func isSeen(_ part: VectorTile.Part) -> Bool {
        var (least, greatest) = (part.points[0], part.points[0])
        for point in part.points {
            least = pointwiseMin(least, point)
            greatest = pointwiseMax(greatest, point)
        }
        return least.x < self.greatest.x && least.y < self.greatest.y && greatest.x > self.least.x
            && greatest.y > self.least.y
    }
}

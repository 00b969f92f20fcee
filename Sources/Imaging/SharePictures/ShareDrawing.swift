import ImagingWire
import MusterCore

// A share picture from back to front: land or a grid; tiles or streets, if any; cells and accuracy circles; lines from
// the subject; badges; in the corners the title, the north arrow, the scale and the attribution; labels; and names of
// the map where there is space left.

/// The drawing of a share picture.
///
/// The same input gives the same bytes.
struct ShareDrawing: ~Copyable {
    /// The colours of everything except people, 0xRRGGBB.
    enum Ink {
        static let land: UInt32 = 0xF3F0E7
        static let sea: UInt32 = 0xCFE0E8
        static let grid: UInt32 = 0xE0DACB
        static let beyond: UInt32 = 0xE4E7EA
        static let paper: UInt32 = 0xFFFFFF
        static let words: UInt32 = 0x1B222C
        static let quiet: UInt32 = 0x565F6E
    }

    let picture: SharePicture
    let map: ShareMap
    let clusters: [BadgeCluster]
    /// The pictures of tiles that were decoded successfully.
    let tiles: [DecodedTile]
    /// The tiles of streets that were decoded successfully.
    let streets: [(place: TileAddress, tile: VectorTile)]
    let canvas = Canvas(width: ShareMap.width, height: ShareMap.height)

    /// Computes the layout of a picture.
    init(_ picture: SharePicture) {
        let map = ShareMap(showing: picture.people.map(\.place))
        self.picture = picture
        self.map = map
        self.clusters = BadgeCluster.merging(picture.people.map { map.pixel(of: $0.place.coordinate) })
        let hasStreets = !picture.parts.isEmpty
        self.tiles = hasStreets ? [] : picture.tiles.compactMap { DecodedTile($0) }
        self.streets =
            !hasStreets
            ? []
            : picture.tiles.compactMap { tile in
                VectorTile(decoding: tile.file, layers: Self.streetLayers).map { (tile.place, $0) }
            }
    }

    /// Draws the picture.
    ///
    /// - Throws: when memory is short.
    func drawn() throws(ImagingRefusal) -> Picture {
        if self.map.hasLand { self.drawLand() } else { self.drawGrid() }
        self.drawTiles()
        self.drawStreets()
        for person in self.picture.people { self.drawSurroundings(of: person) }
        self.drawLines()
        for cluster in self.clusters { self.drawBadges(of: cluster) }
        let furniture = self.drawFurniture()
        self.drawStreetNames(beside: self.drawLabels(beside: furniture))
        return try self.canvas.png()
    }

    // MARK: Map

    private func drawLand() {
        let map = self.map
        self.canvas.ink(Ink.beyond)
        self.canvas.paint()
        self.canvas.add(self.map.world)
        self.canvas.withinPath {
            self.canvas.ink(Ink.sea)
            self.canvas.paint()
            self.canvas.ink(Ink.land)
            for ring in LandOutline.whole.rings {
                for copy in [-1.0, 0, 1] where self.isSeen(ring, copy: copy) {
                    self.canvas.addLine(
                        ring.points.lazy.map { map.pixel(x: $0.x, y: $0.y, copy: copy) },
                        isClosed: true
                    )
                }
            }
            self.canvas.fill()
        }
    }

    private func isSeen(_ ring: LandOutline.Ring, copy: Double) -> Bool {
        let corner = self.map.pixel(x: ring.least.x, y: ring.least.y, copy: copy)
        let opposite = self.map.pixel(x: ring.greatest.x, y: ring.greatest.y, copy: copy)
        return opposite.x >= 0 && corner.x <= ShareMap.picture.width && opposite.y >= 0
            && corner.y <= ShareMap.picture.height
    }

    /// Draws a grid at multiples of a round distance from the middle.
    private func drawGrid() {
        self.canvas.ink(Ink.land)
        self.canvas.paint()
        self.canvas.ink(Ink.grid)
        let step = ShareTexts.roundLength(atMost: 200 * self.map.metresPerPixel) / self.map.metresPerPixel
        let (width, height) = (ShareMap.picture.width, ShareMap.picture.height)
        for number in 0...Int(width / 2 / step) {
            for side in [-1.0, 1] {
                let away = side * Double(number) * step
                let (x, y) = (width / 2 + away, height / 2 + away)
                self.canvas.addLine([Pixel(x: x, y: 0), Pixel(x: x, y: height)])
                if (0...height).contains(y) { self.canvas.addLine([Pixel(x: 0, y: y), Pixel(x: width, y: y)]) }
            }
        }
        self.canvas.stroke(width: 1)
    }

    // MARK: People

    /// Draws the accuracy of a person's position.
    private func drawSurroundings(of person: SharePicture.Person) {
        let coordinate = person.place.coordinate
        switch person.place {
        case .exact(_, _, let accuracy):
            let radius = accuracy / self.map.metresPerPixel(at: coordinate.latitude)
            self.canvas.addCircle(around: self.map.pixel(of: coordinate), radius: radius)
        case .cell:
            self.canvas.add(self.map.cell(around: coordinate))
        }
        self.canvas.ink(person.colour, opacity: 0.12)
        self.canvas.fillAndKeep()
        self.canvas.ink(person.colour, opacity: 0.5)
        self.canvas.stroke(width: 1.5, dash: person.place.isCell ? [6, 4] : [])
    }

    /// Draws lines from the subject to each other cluster.
    private func drawLines() {
        guard let about = self.picture.about, let start = self.clusters.first(where: { $0.members.contains(about) })
        else { return }
        for cluster in self.clusters where cluster != start { self.canvas.addLine([start.middle, cluster.middle]) }
        self.canvas.ink(Ink.words, opacity: 0.55)
        self.canvas.stroke(width: 2, dash: [7, 5])
    }
}

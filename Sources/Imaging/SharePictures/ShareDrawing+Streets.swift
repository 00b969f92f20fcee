import ImagingWire

// The order of the drawing is that of the page (`public/app/streets/paint.js`): areas, water, squares, buildings, then
// tunnels, streets on the ground and bridges. Edges of one level come before all of its fills, so that streets join.

extension ShareDrawing {
    /// The layers of a tile that are drawn.
    static let streetLayers: Set = [
        "land", "sites", "ocean", "water_polygons", "water_lines", "pier_polygons", "street_polygons", "buildings",
        "streets", "boundaries", "street_labels", "place_labels",
    ]
    /// The zoom from which on the ground beyond the parts of the street map is drawn in a colour of its own.
    private static let nearZoom = 11.0
    /// The zooms from which on buildings, their edges, paths, and the sleepers of rails are drawn.
    private static let (buildings, buildingEdges, paths, sleepers) = (14.5, 16.0, 15.0, 15.5)
    private static let tunnelOpacity = 0.35
    /// The largest side of a tile in pixels; beyond it, cairo's numbers end.
    private static let largestSide = 16_384.0

    /// The zoom of the streets, as on the page.
    var streetZoom: Double { self.map.zoom }

    /// Draws the streets, a little faded on white, so that badges and lines stand out.
    func drawStreets() {
        guard !self.streets.isEmpty else { return }
        if self.streetZoom >= Self.nearZoom {
            self.canvas.ink(Self.faded(.beyond))
            self.canvas.paint()
        }
        self.canvas.add(self.map.shownWorld)
        self.canvas.withinPath {
            for copy in [-1.0, 0, 1] { self.drawParts(copy) }
            self.eachSeenTile { tile, square in
                self.canvas.add(square.box)
                self.canvas.withinPath { self.draw(tile, StreetPen(square)) }
            }
        }
    }

    /// Calls a function for each tile that is on the picture.
    func eachSeenTile(_ body: (VectorTile, StreetSquare) -> Void) {
        for (place, tile) in self.streets {
            for copy in [-1.0, 0, 1] {
                let box = self.map.box(of: place, copy: copy)
                let (corner, side) = self.map.square(of: place, copy: copy)
                guard box.overlap(with: ShareMap.picture) > 0, side <= Self.largestSide else { continue }
                body(tile, StreetSquare(box: box, corner: corner, scale: side / VectorTile.extent))
            }
        }
    }

    /// Returns a colour as it is seen at the opacity of tiles on white.
    static func faded(_ colour: StreetStyle.Colour) -> UInt32 {
        [16, 8, 0].reduce(0) { sum, shift in
            let part = Double(colour.rgb >> shift & 0xFF)
            return sum | UInt32((255 + (part - 255) * self.tileOpacity).rounded()) << UInt32(shift)
        }
    }

    private func drawParts(_ copy: Double) {
        // A little more than the picture, so that the edge of a larger part is not seen.
        let view = Box(
            x: -2,
            y: -2,
            width: ShareMap.picture.width + 4,
            height: ShareMap.picture.height + 4
        )
        for part in self.picture.parts {
            guard let box = self.map.box(of: part, copy: copy).intersection(with: view) else { continue }
            self.canvas.add(box)
            self.canvas.ink(Self.faded(.land))
            self.canvas.fillAndKeep()
            self.canvas.ink(Self.faded(.streetEdge))
            self.canvas.stroke(width: 1)
        }
    }

    private func draw(_ tile: VectorTile, _ pen: StreetPen) {
        let zoom = self.streetZoom
        let areas = Dictionary(grouping: tile["land"] + tile["sites"]) { $0.text("kind") ?? "" }
        for (kind, colour) in StreetStyle.areas { pen.fill(areas[kind] ?? [], Self.faded(colour), on: self.canvas) }
        pen.fill(tile["ocean"], Self.faded(.water), on: self.canvas)
        pen.fill(tile["water_polygons"], Self.faded(.water), on: self.canvas)
        for (kind, lines) in Self.byKind(tile["water_lines"].filter({ !$0.isSet("tunnel") })) {
            pen.stroke(lines, Self.faded(.water), width: StreetStyle.width(kind, zoom), on: self.canvas)
        }
        pen.fill(tile["pier_polygons"], Self.faded(.pier), on: self.canvas)
        pen.fill(tile["street_polygons"], Self.faded(.square), on: self.canvas)
        if zoom >= Self.buildings {
            pen.fill(tile["buildings"], Self.faded(.building), on: self.canvas)
            if zoom >= Self.buildingEdges {
                pen.stroke(tile["buildings"], Self.faded(.buildingEdge), width: zoom >= 17 ? 1 : 0.6, on: self.canvas)
            }
        }
        let levels = Dictionary(grouping: tile["streets"]) { $0.isSet("tunnel") ? 0 : $0.isSet("bridge") ? 2 : 1 }
        for level in 0...2 { self.drawLevel(Self.byKind(levels[level] ?? []), level, pen) }
        pen.stroke(tile["boundaries"], Self.faded(.border), width: 1, dash: [6, 3, 2, 3], on: self.canvas)
    }

    /// Draws the streets of a level: 0 for tunnels, 1 for the ground, 2 for bridges.
    private func drawLevel(_ kinds: [(kind: String, lines: [VectorTile.Feature])], _ level: Int, _ pen: StreetPen) {
        let zoom = self.streetZoom
        let lines = Dictionary(uniqueKeysWithValues: kinds.map { ($0.kind, $0.lines) })
        let opacity = level == 0 ? Self.tunnelOpacity : 1
        if zoom >= Self.paths {
            for (kind, dash) in [("path", [2.2, 1.6]), ("track", [4, 1.5])] {
                let width = StreetStyle.width(kind, zoom)
                let dash = dash.map { $0 * width }
                pen.stroke(
                    lines[kind] ?? [],
                    Self.faded(.path),
                    width: width,
                    dash: dash,
                    opacity: opacity,
                    on: self.canvas
                )
            }
        }
        let roads = StreetStyle.roads.filter { lines[$0] != nil }
        for kind in roads where level > 0 {
            let width = StreetStyle.width(kind, zoom)
            guard let edge = StreetStyle.roadColours(kind, zoom).edge, width > 1.2 else { continue }
            // A round cap of an edge would show beyond a bridge's ends.
            let whole = width + 2 * StreetStyle.edgeWidth(zoom)
            pen.stroke(lines[kind] ?? [], Self.faded(edge), width: whole, hasRoundEnds: level == 1, on: self.canvas)
        }
        for kind in roads {
            let fill = Self.faded(StreetStyle.roadColours(kind, zoom).fill)
            let width = StreetStyle.width(kind, zoom)
            pen.stroke(lines[kind] ?? [], fill, width: width, opacity: opacity, hasRoundEnds: true, on: self.canvas)
        }
        let (rail, width) = (Self.faded(.rail), StreetStyle.width("rail", zoom))
        pen.stroke(lines["tram"] ?? [], rail, width: width * 0.6, opacity: opacity, on: self.canvas)
        pen.stroke(lines["rail"] ?? [], rail, width: width, opacity: opacity, on: self.canvas)
        if zoom >= Self.sleepers {
            pen.stroke(
                lines["rail"] ?? [],
                rail,
                width: width * 3,
                dash: [0.8 * width, 5 * width],
                opacity: opacity,
                on: self.canvas
            )
        }
    }

    /// Groups lines by the kind that they are drawn as, in the order of the kinds' names.
    private static func byKind(_ lines: [VectorTile.Feature]) -> [(kind: String, lines: [VectorTile.Feature])] {
        let kinds = Dictionary(grouping: lines) { line in
            let kind = line.text("kind") ?? ""
            return line.isSet("rail") ? (kind == "tram" ? "tram" : "rail") : StreetStyle.drawnKind(kind)
        }
        return kinds.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

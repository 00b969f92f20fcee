import MusterMath

/// The design of the streets on share pictures: the light theme of the page's map (`public/app/streets/style.js`).
///
/// `Tests/Fixtures/streets.json` has the same tables; tests hold both designs against it. All zooms are those of a map
/// whose world is 256 px wide at zoom 0.
enum StreetStyle {
    /// The colours, 0xRRGGBB, by the names of the page.
    enum Colour: String, CaseIterable {
        case beyond, land, built, industrial, farmland, campus, park, forest, grass, pitch, cemetery, beach, rock
        case glacier, wetland, water
        case building, buildingEdge, square, pier
        case street, streetEdge, middle, middleEdge, major, majorEdge, motorway, motorwayEdge, path, rail, border
        case text, textMajor, place, halo

        /// The colour, 0xRRGGBB.
        var rgb: UInt32 {
            switch self {
            case .beyond: 0xE9E7E1
            case .land: 0xF4F2EC
            case .built: 0xEFECE4
            case .industrial: 0xEBE8E1
            case .farmland: 0xF2F0E2
            case .campus: 0xF0EBE3
            case .park: 0xD9EAD0
            case .forest: 0xCFE3C6
            case .grass: 0xE2EED8
            case .pitch: 0xCBE3C4
            case .cemetery: 0xDBE6D4
            case .beach: 0xF3EBD0
            case .rock: 0xE6E3DC
            case .glacier: 0xEEF5F8
            case .wetland: 0xDBE8DC
            case .water: 0xB9D9EA
            case .building: 0xE5E0D6
            case .buildingEdge: 0xD6D0C3
            case .square: 0xF8F7F3
            case .pier: 0xEFECE4
            case .street: 0xFFFFFF
            case .streetEdge: 0xD9D4C8
            case .middle: 0xFFFAEA
            case .middleEdge: 0xDCCFAE
            case .major: 0xFCECC0
            case .majorEdge: 0xDFCB94
            case .motorway: 0xF9DC9C
            case .motorwayEdge: 0xDDB968
            case .path: 0xC9B99C
            case .rail: 0xBDB9B1
            case .border: 0xA99FB5
            case .text: 0x565C66
            case .textMajor: 0x474D57
            case .place: 0x2B323C
            case .halo: 0xFFFFFF
            }
        }
    }

    /// The width of the outline of letters.
    static let haloWidth = 3.0

    // MARK: Lines

    private static let widthZooms = [10.0, 12, 14, 16, 18]
    private static let widths: [String: [Double]] = [
        "motorway": [1.4, 2.4, 4.4, 9, 24],
        "trunk": [1, 2, 4, 9, 24],
        "primary": [0.7, 1.6, 3.6, 9, 24],
        "secondary": [0, 1.1, 2.8, 8, 22],
        "tertiary": [0, 0.8, 2.2, 7, 20],
        "residential": [0, 0.5, 1.3, 5.5, 17],
        "living_street": [0, 0.4, 1.1, 5, 15],
        "pedestrian": [0, 0.4, 1.1, 4.5, 13],
        "service": [0, 0, 0.5, 2.4, 8],
        "track": [0, 0, 0.5, 1.3, 2.6],
        "path": [0, 0, 0.4, 1.1, 2.2],
        "rail": [0.4, 0.6, 0.8, 1.3, 2.4],
        "river": [0.8, 1.2, 2, 4, 9],
        "stream": [0, 0, 0.8, 1.4, 3],
    ]
    /// The factor between the widths of neighbouring zooms below the first of `widthZooms`.
    private static let shrinking = 0.8

    /// Returns the width of a line; 0 when it is not drawn.
    ///
    /// Widths grow geometrically between two zooms. From a width of 0, a line appears halfway, with 0.6 of the next
    /// width.
    static func width(_ kind: String, _ zoom: Double) -> Double {
        guard let widths = self.widths[kind] else { return 0 }
        let last = self.widthZooms.count - 1
        func power(_ base: Double, _ exponent: Double) -> Double { exponential(naturalLogarithm(base) * exponent) }
        if zoom <= self.widthZooms[0] { return widths[0] * power(self.shrinking, self.widthZooms[0] - zoom) }
        guard let above = self.widthZooms.firstIndex(where: { $0 > zoom }) else {
            return widths[last] * powerOfTwo(zoom - self.widthZooms[last])
        }
        let (low, high) = (widths[above - 1], widths[above])
        let start = self.widthZooms[above - 1]
        let share = (zoom - start) / (self.widthZooms[above] - start)
        if low == 0 { return share < 0.5 ? 0 : high * 0.6 }
        return low * power(high / low, share)
    }

    /// The kinds of roads with edges, from the lowest to the highest in the drawing.
    static let roads = [
        "service", "pedestrian", "living_street", "residential", "tertiary", "secondary", "primary", "trunk",
        "motorway",
    ]

    /// The kinds that are drawn as another kind.
    static let same = [
        "unclassified": "residential", "road": "residential", "busway": "service", "footway": "path",
        "cycleway": "path", "bridleway": "path", "steps": "path", "canal": "river", "ditch": "stream",
        "drain": "stream",
    ]

    /// Returns the kind whose width, colours and names a kind has.
    static func drawnKind(_ kind: String) -> String { self.same[kind] ?? kind }

    private static let roadColours: [String: (fill: Colour, edge: Colour)] = [
        "motorway": (.motorway, .motorwayEdge), "trunk": (.major, .majorEdge), "primary": (.major, .majorEdge),
        "secondary": (.middle, .middleEdge),
    ]
    /// The zoom from which on streets have their own colour, and edges.
    private static let coloured = 14.0
    /// The kinds that have their own colour at every zoom, and edges one zoom earlier.
    private static let early: Set = ["primary", "trunk", "motorway"]

    /// Returns the colours of a road; `edge` is nil where it has none.
    static func roadColours(_ kind: String, _ zoom: Double) -> (fill: Colour, edge: Colour?) {
        let (fill, edge) = self.roadColours[kind] ?? (.street, .streetEdge)
        let isEarly = self.early.contains(kind)
        return (
            zoom < self.coloured && !isEarly ? .streetEdge : fill,
            zoom >= (isEarly ? self.coloured - 1 : self.coloured) ? edge : nil
        )
    }

    /// Returns the width of a road's edge on either side.
    static func edgeWidth(_ zoom: Double) -> Double { min(1.2, max(0.5, 0.5 + (zoom - 13) * 0.2)) }

    // MARK: Areas

    /// The areas in the order of their drawing.
    static let areas: [(kind: String, colour: Colour)] = [
        ("residential", .built), ("commercial", .built), ("retail", .built), ("industrial", .industrial),
        ("farmland", .farmland), ("campus", .campus), ("grass", .grass), ("forest", .forest), ("park", .park),
        ("cemetery", .cemetery), ("wetland", .wetland), ("beach", .beach), ("rock", .rock), ("glacier", .glacier),
        ("pitch", .pitch),
    ]

    // MARK: Names

    /// A rule for the names of a kind.
    struct NameRule {
        /// The zoom of the first name.
        let from: Double
        /// The size of the text in pixels.
        let size: Double
        /// The rank; the higher one wins.
        let rank: Double
        /// The zoom of the last name.
        var to = Double.infinity
    }

    /// The names of the main streets, the only ones on a picture.
    static let streetNames = [
        "motorway": NameRule(from: 13, size: 11.5, rank: 72),
        "trunk": NameRule(from: 13, size: 11.5, rank: 70),
        "primary": NameRule(from: 14, size: 11.5, rank: 68),
        "secondary": NameRule(from: 14.5, size: 11.5, rank: 64),
    ]

    /// The names of places.
    static let placeNames = [
        "city": NameRule(from: 3, size: 16, rank: 100, to: 14),
        "town": NameRule(from: 7, size: 14, rank: 98, to: 14.9),
        "suburb": NameRule(from: 11.5, size: 13, rank: 96, to: 16.4),
        "quarter": NameRule(from: 13, size: 12, rank: 94, to: 16.9),
        "village": NameRule(from: 11, size: 13, rank: 92, to: 16.4),
        "island": NameRule(from: 12, size: 12, rank: 90, to: 16.9),
        "hamlet": NameRule(from: 13, size: 11.5, rank: 88, to: 17.9),
        "neighbourhood": NameRule(from: 14, size: 11.5, rank: 86, to: 17.4),
    ]
}

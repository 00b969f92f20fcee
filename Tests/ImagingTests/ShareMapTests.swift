import ImagingWire
import MusterTestSupport
import Testing

@testable import Imaging
@testable import MusterCore

/// Evenly distributed numbers between 0 and 1, in independent sequences.
private enum Even {
    /// One number of a sequence: a multiple of an irrational number, without its integer part.
    static func part(_ number: Int, _ sequence: Int) -> Double {
        let product = Double(number + 1) * [2.0, 3, 5, 7][sequence].squareRoot()
        return product - product.rounded(.down)
    }
}

@Suite("The map of a share picture")
struct ShareMapTests {
    private static func place(_ latitude: Double, _ longitude: Double) -> SharePicture.Place {
        .exact(latitude: latitude, longitude: longitude, accuracy: 5)
    }

    private static func pixels(_ places: [SharePicture.Place]) -> [Pixel] {
        let map = ShareMap(showing: places)
        return places.map { map.pixel(of: $0.coordinate) }
    }

    @Test("everybody is within the margin, wherever on the earth they are", arguments: [0.0001, 0.01, 1, 60])
    func margin(spread: Double) {
        for round in 0..<500 {
            let middle = (latitude: 180 * Even.part(round, 0) - 90, longitude: 360 * Even.part(round, 1) - 180)
            let places = (0...round % 8).map { person -> SharePicture.Place in
                let latitude = middle.latitude + 2 * spread * (Even.part(8 * round + person, 2) - 0.5)
                let longitude = middle.longitude + 6 * spread * (Even.part(8 * round + person, 3) - 0.5)
                return Self.place(min(max(latitude, -90), 90), longitude - 360 * (longitude / 360).rounded())
            }
            for pixel in Self.pixels(places) {
                #expect((109.9...1090.1).contains(pixel.x) && (109.9...520.1).contains(pixel.y), "\(places)")
            }
        }
    }

    @Test("who is at 179.9° east is left of who is at 179.9° west, twenty kilometres away")
    func dateLine() {
        let places = [Self.place(-17, -179.9), Self.place(-17, 179.9)]
        let pixels = Self.pixels(places)
        #expect(abs(pixels[0].x - 1090) < 0.1 && abs(pixels[1].x - 110) < 0.1)
        let width = ShareMap(showing: places).metresPerPixel * 980
        #expect((21_000...21_400).contains(width))
        // Even with a third person on the other side of the earth, the gap is the largest empty range.
        let three = Self.pixels(places + [Self.place(0, 90)])
        #expect(three[2].x < three[1].x && three[1].x < three[0].x)
    }

    @Test("a picture is at least 400 m wide, and shows one world at most")
    func bounds() {
        let alone = ShareMap(showing: [Self.place(60, 25)])
        #expect(abs(alone.metresPerPixel * 1200 - 400) < 0.01)
        #expect(alone.pixel(of: Coordinate(latitude: 60, longitude: 25)) == Pixel(x: 600, y: 315))
        let poles = ShareMap(showing: [Self.place(90, 0), Self.place(-90, 120)])
        #expect(abs(poles.world.y - 110) < 0.1 && abs(poles.world.height - 410) < 0.1)
    }

    @Test("all of a cell is within the margin, in its size")
    func cells() {
        let map = ShareMap(showing: [.cell(latitude: 60.17, longitude: 24.94)])
        let cell = map.cell(around: Coordinate(latitude: 60.17, longitude: 24.94))
        #expect(abs(cell.y - 110) < 0.5 && abs(cell.height - 410) < 1)
        #expect(abs(cell.height * map.metresPerPixel - 1112) < 3)
        #expect(abs(cell.width * map.metresPerPixel - 553) < 3)
    }

    @Test("land is drawn from 200 km on")
    func land() {
        func hasLand(_ kilometres: Double) -> Bool {
            // The people are at the margins of the picture.
            let degrees = kilometres * 980 / 1200 / 111.195
            return ShareMap(showing: [Self.place(0, 0), Self.place(0, degrees)]).hasLand
        }
        #expect(!hasLand(199))
        #expect(hasLand(201))
    }
}

@Suite("The tiles that a share picture lies on")
struct ShareMapTilesTests {
    private static func map(_ places: (latitude: Double, longitude: Double)...) -> ShareMap {
        ShareMap(showing: places.map { .exact(latitude: $0.latitude, longitude: $0.longitude, accuracy: 5) })
    }

    /// The tiles of a zoom, computed pixel by pixel.
    private static func tiles(of map: ShareMap, at zoom: Int) -> Set<TileAddress> {
        let (world, count) = (map.world, Double(1 << zoom))
        let origin = map.pixel(x: 0, y: 0, copy: 0)
        let columns = Set(
            (0..<1200).map { Double($0) + 0.5 }.filter { $0 >= world.x && $0 < world.x + world.width }
                .map { pixel in
                    let part = (pixel - origin.x) / world.width
                    return Int(((part - part.rounded(.down)) * count).rounded(.down))
                }
        )
        let rows = Set(
            (0..<630).map { Double($0) + 0.5 }.filter { $0 >= world.y && $0 < world.y + world.height }
                .map { Int((($0 - origin.y) / world.height * count).rounded(.down)) }
        )
        return Set(rows.flatMap { row in columns.compactMap { TileAddress(zoom: zoom, x: $0, y: row) } })
    }

    @Test(
        "are at most twelve, each once, cover every pixel of the world, and no more of a deeper zoom would do",
        arguments: [0, 0.0001, 0.01, 1, 60]
    )
    func cover(spread: Double) {
        for round in 0..<100 {
            let middle = (latitude: 180 * Even.part(round, 0) - 90, longitude: 360 * Even.part(round, 1) - 180)
            let places = (0...round % 8).map { person -> SharePicture.Place in
                let latitude = middle.latitude + 2 * spread * (Even.part(8 * round + person, 2) - 0.5)
                let longitude = middle.longitude + 6 * spread * (Even.part(8 * round + person, 3) - 0.5)
                return .exact(
                    latitude: min(max(latitude, -90), 90),
                    longitude: longitude - 360 * (longitude / 360).rounded(),
                    accuracy: 5
                )
            }
            let map = ShareMap(showing: places)
            let found = map.tiles
            guard let zoom = found.first?.zoom else {
                Issue.record("no tile for \(places)")
                continue
            }
            #expect(found.count <= 12 && Set(found).count == found.count, "\(places)")
            #expect(zoom <= 18)
            // The edge between two tiles may lie in the middle of a pixel; both tiles are correct there.
            let wanted = Self.tiles(of: map, at: zoom)
            #expect(wanted.isSubset(of: found), "\(places)")
            #expect(found.count <= wanted.count + 4, "\(places)")
            #expect(Self.tiles(of: map, at: zoom + 1).count > 8, "\(places)")
        }
    }

    @Test("of somebody alone show 400 m, with them among them")
    func alone() throws {
        let found = Self.map((0, 24)).tiles
        #expect(found.allSatisfy { $0.zoom == 18 })
        // 24° east of Greenwich, on the equator.
        let columns = (204.0 / 360) * Double(1 << 18)
        #expect(found.contains(try #require(TileAddress(zoom: 18, x: Int(columns), y: 1 << 17))))
    }

    @Test("on both sides of the date line are the last and the first columns")
    func dateLine() {
        let found = Self.map((-17, 179.9), (-17, -179.9)).tiles
        let last = (1 << (found.first?.zoom ?? 0)) - 1
        #expect(Set(found.map(\.x)).isSuperset(of: [0, last]))
        #expect(found.first?.x ?? 0 > last / 2, "it begins in the west of the line")
        #expect(found.count <= 12)
    }

    @Test("at the poles end where the map does")
    func poles() {
        let north = Self.map((90, 10)).tiles
        #expect(north.map(\.y).min() == 0 && !north.isEmpty)
        let south = Self.map((-90, 10)).tiles
        #expect(south.map(\.y).max() == (1 << (south.first?.zoom ?? 0)) - 1)
    }

    @Test("of the whole earth are there once")
    func world() {
        let found = Self.map((90, 0), (-90, 120)).tiles
        #expect(found.count == 4 && found.allSatisfy { $0.zoom == 1 })
        let wide = Self.map((10, -170), (0, -60), (0, 60), (20, 170)).tiles
        #expect(Set(wide).count == wide.count && wide.count <= 12)
    }

    @Test("lie on whole pixels, beside each other")
    func boxes() throws {
        let map = Self.map((60.1, 24.9), (60.2, 25))
        for tile in map.tiles {
            let box = map.box(of: tile, copy: 0)
            #expect(box.x == box.x.rounded() && box.width == box.width.rounded() && box.width > 256)
            guard let next = TileAddress(zoom: tile.zoom, x: tile.x + 1, y: tile.y) else { continue }
            #expect(map.box(of: next, copy: 0).x == box.x + box.width)
        }
    }

    @Test("are those that the map has, and files of their size")
    func limits() {
        #expect(TileAddress(zoom: 0, x: 0, y: 0) != nil)
        for (zoom, column, row) in [(0, 1, 0), (0, 0, 1), (3, 8, 0), (3, -1, 0), (-1, 0, 0)] {
            #expect(TileAddress(zoom: zoom, x: column, y: row) == nil)
        }
        #expect(SharePicture.Tile.isLikely(SamplePicture.png(256, 256)))
        for file in [SamplePicture.png(512, 512), SamplePicture.png(256, 255), Array("<html>".utf8), []] {
            #expect(!SharePicture.Tile.isLikely(file))
        }
    }
}

@Suite("People who are near each other on a share picture")
struct BadgeClusterTests {
    @Test("nobody is lost, and no two badges are nearer than 52 px")
    func spacing() {
        for round in 0..<50 {
            let places = (250 * round..<250 * (round + 1)).map { number in
                Pixel(x: (110 + 980 * Even.part(number, 0) / 5).rounded() * 5, y: 110 + 410 * Even.part(number, 1))
            }
            let clusters = BadgeCluster.merging(places)
            #expect(clusters.flatMap(\.members).sorted() == Array(0..<250))
            for (index, one) in clusters.enumerated() {
                for other in clusters[(index + 1)...] {
                    #expect(one.middle.distanceSquared(to: other.middle) >= 52 * 52)
                }
            }
        }
    }

    @Test("at 52 px there are two badges, and nearer there is one between them")
    func limit() {
        let first = Pixel(x: 100, y: 100)
        #expect(BadgeCluster.merging([first, Pixel(x: 152, y: 100)]).count == 2)
        let joined = [BadgeCluster(members: [0, 1], middle: Pixel(x: 125, y: 100))]
        #expect(BadgeCluster.merging([first, Pixel(x: 150, y: 100)]) == joined)
    }
}

@Suite("Words of a share picture")
struct ShareTextsTests {
    @Test(
        "ages and distances read as on the page, and as no more than is known",
        arguments: [
            (ShareTexts.age(0), "now"), (ShareTexts.age(59), "now"), (ShareTexts.age(60), "1 min ago"),
            (ShareTexts.age(3599), "59 min ago"), (ShareTexts.age(3600), "1 h ago"),
            (ShareTexts.age(172_800), "2 d ago"), (ShareTexts.distance(12.4, isCoarse: false), "12 m"),
            (ShareTexts.distance(54.9, isCoarse: false), "50 m"), (ShareTexts.distance(994, isCoarse: false), "990 m"),
            (ShareTexts.distance(995, isCoarse: false), "1.0 km"),
            (ShareTexts.distance(9949, isCoarse: false), "9.9 km"),
            (ShareTexts.distance(12_499, isCoarse: false), "12 km"),
            (ShareTexts.distance(999, isCoarse: true), "< 1 km"), (ShareTexts.distance(1499, isCoarse: true), "1 km"),
            (ShareTexts.distance(1500, isCoarse: true), "2 km"), (ShareTexts.length(500), "500 m"),
            (ShareTexts.length(2000), "2 km"), (ShareTexts.time(1_795_489_851_000), "2026-11-24 03:10 UTC"),
        ]
    )
    func words(found: String, wanted: String) { #expect(found == wanted) }

    @Test("a round length is 1, 2 or 5, with zeros", arguments: [(1.0, 1.0), (4.9, 2), (5, 5), (99, 50), (100, 100)])
    func roundLengths(most: Double, wanted: Double) { #expect(ShareTexts.roundLength(atMost: most) == wanted) }
}

import Glibc
import ImagingWire
import MusterTestSupport
import Testing

@testable import Imaging
@testable import MusterCore

@Suite("What a share picture looks like")
struct ShareDrawingTests {
    private static let isStarted = PictureMaker.start() && PictureMaker.canMake(.share)
    private static let ada = SampleShare.person("Ada Lovelace", 0, at: 60.17, 24.92)
    private static let ben = SampleShare.person("Ben", 1, at: 60.17, 24.938)
    private static let cem = SampleShare.person("Cem", 2, at: 60.17, 24.929)

    private func made(_ operation: ImagingOperation, of bytes: [UInt8]) throws -> [Picture] {
        try #require(Self.isStarted, "libvips, or a font of scripts/setup, is missing")
        return try bytes.withUnsafeBytes { bytes in
            try Result { () throws(ImagingRefusal) in try PictureMaker.make(operation, of: bytes) }.get()
        }
    }

    private func drawn(_ picture: SharePicture) throws -> Picture {
        let pictures = try self.made(.share, of: picture.encoded)
        try #require(pictures.count == 1)
        return pictures[0]
    }

    /// The colours of a picture at these places, 0xRRGGBB.
    private func colours(of picture: SharePicture, at places: [Pixel]) throws -> [UInt32] {
        try self.drawn(picture).bytes.withUnsafeBytes { bytes in
            let image = try DecodedImage(decoding: bytes, side: ShareMap.width, fit: .within)
            return places.map { place in
                image.color(x: Int(place.x), y: Int(place.y)).reduce(0) { $0 << 8 | UInt32($1) }
            }
        }
    }

    @Test("a picture is a PNG of 1200×630, and the same people make the same bytes")
    func repeats() throws {
        let picture = SampleShare.crowd(SampleShare.names)
        let first = try self.drawn(picture)
        #expect([first.width, first.height] == [1200, 630])
        #expect(first.bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        #expect(try self.drawn(picture) == first)
    }

    @Test("people have their colour where they are, and nothing is where nobody is")
    func places() throws {
        // Above the letters of the badges, and at the centre, where a third badge would be.
        let places = [Pixel(x: 110, y: 297), Pixel(x: 1090, y: 297), Pixel(x: 604, y: 297)]
        let two = SampleShare.picture([Self.ada, Self.ben])
        let three = SampleShare.picture([Self.ada, Self.ben, Self.cem])
        let land = ShareDrawing.Ink.land
        #expect(try self.colours(of: two, at: places) == [Badge.colours[0], Badge.colours[1], land])
        #expect(try self.colours(of: three, at: places) == Array(Badge.colours[0..<3]))
    }

    @Test("on both sides of the date line people are near each other")
    func dateLine() throws {
        let east = SampleShare.person("East", 3, at: -17, 179.9)
        let west = SampleShare.person("West", 4, at: -17, -179.9)
        let places = [Pixel(x: 110, y: 297), Pixel(x: 1090, y: 297)]
        let found = try self.colours(of: SampleShare.picture([west, east], about: 0), at: places)
        #expect(found == [Badge.colours[3], Badge.colours[4]])
    }

    @Test("on a large map sea is sea and land is land, and on a small one there is no sea")
    func land() throws {
        let london = SampleShare.person("Ada", at: 51.5, 0)
        let large = SampleShare.picture([london, SampleShare.person("Zoë", at: 40.7, -74)])
        let map = ShareMap(showing: large.people.map(\.place))
        let atlantic = map.pixel(of: Coordinate(latitude: 46, longitude: -30))
        let quebec = map.pixel(of: Coordinate(latitude: 52, longitude: -72))
        let found = try self.colours(of: large, at: [atlantic, quebec])
        #expect(found == [ShareDrawing.Ink.sea, ShareDrawing.Ink.land])

        let small = SampleShare.picture([
            SampleShare.person(at: 46, -30), SampleShare.person("Zoë", at: 46, -30.01),
        ])
        #expect(try self.colours(of: small, at: [Pixel(x: 620, y: 150)]) == [ShareDrawing.Ink.land])
    }

    @Test("a cell and a circle of accuracy are seen, each in the colour of who is there")
    func surroundings() throws {
        var coarse = Self.ada
        coarse.place = .cell(latitude: 60.17, longitude: 24.92)
        let cell = ShareMap(showing: [coarse.place]).cell(around: coarse.place.coordinate)
        let (inside, outside) = (Pixel(x: cell.x + 20, y: cell.y + 40), Pixel(x: cell.x - 20, y: cell.y + 40))
        let found = try self.colours(of: SampleShare.picture([coarse]), at: [inside, outside])
        #expect(found[0] != ShareDrawing.Ink.land && found[0] >> 16 > found[0] & 0xFF, "\(found[0]) is not reddish")
        #expect(found[1] == ShareDrawing.Ink.land)

        // 50 m are 150 px on the smallest map.
        let exact = SampleShare.person(at: 60.17, 24.92, accuracy: 50)
        let places = [Pixel(x: 650, y: 240), Pixel(x: 650, y: 140)]
        let circle = try self.colours(of: SampleShare.picture([exact]), at: places)
        #expect(circle[0] != ShareDrawing.Ink.land)
        #expect(circle[1] == ShareDrawing.Ink.land)
    }

    @Test("without names, nothing of a name is on the picture; with names, it is")
    func initialsAlone() throws {
        func drawn(_ name: String, isNamed: Bool) throws -> Picture {
            var person = Self.ada
            person.name = name
            return try self.drawn(SampleShare.picture([person, Self.ben], about: 1, isNamed: isNamed))
        }
        #expect(try drawn("Ada", isNamed: false) == drawn("Alan", isNamed: false))
        #expect(try drawn("Ada", isNamed: true) != drawn("Alan", isNamed: true))
    }

    @Test("a face is drawn as a circle, and one that cannot be decoded is drawn as initials")
    func faces() throws {
        func picture(_ face: [UInt8]) -> SharePicture {
            var person = Self.ada
            person.face = face
            return SampleShare.picture([person, Self.ben])
        }
        let blue = SamplePicture.png(96, 96, (30, 40, 200))
        let places = [Pixel(x: 110, y: 297), Pixel(x: 110, y: 315), Pixel(x: 93, y: 298)]
        let found = try self.colours(of: picture(blue), at: places)
        #expect(Array(found[0...1]) == [0x1E28C8, 0x1E28C8])
        #expect(found[2] != 0x1E28C8, "a corner of the square is not seen")

        let initials = try self.drawn(picture([]))
        let jpeg = try self.made(.face, of: blue)[1].bytes
        let photo = try self.made(.photo, of: SamplePicture.png(600, 600))[0].bytes
        #expect(try self.drawn(picture(jpeg)) != initials)
        let table: [(name: String, bytes: [UInt8])] = [
            ("text", Array("Hello, I am a photo.".utf8)),
            ("SVG", Array(#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>"#.utf8)),
            ("GIF", SamplePicture.gif(frames: 3)), ("three bytes of a JPEG", [0xFF, 0xD8, 0xFF]),
            ("half a JPEG", Array(jpeg.prefix(jpeg.count / 2))), ("half a PNG", Array(blue.prefix(blue.count / 2))),
            ("half a WebP", Array(SamplePicture.webp.prefix(70))), ("a bomb", SamplePicture.bomb(50_000, 50_000)),
            ("pixels that are not there", SamplePicture.bomb(4000, 3000)), ("a line", SamplePicture.png(1, 400)),
            ("a photo", photo),
        ]
        for row in table { #expect(try self.drawn(picture(row.bytes)) == initials, "\(row.name)") }
    }

    /// The picture with map tiles, each with the bytes that `file` returns.
    private func onTiles(_ picture: SharePicture, _ file: (_ number: Int) -> [UInt8]) -> SharePicture {
        var picture = picture
        let tiles = ShareMap(showing: picture.people.map(\.place)).tiles
        picture.tiles = tiles.enumerated().map { SharePicture.Tile($1, file: file($0)) }
        picture.tileAttribution = "© Somebody"
        return picture
    }

    /// The visible colour of a tile of this colour.
    private func faded(_ colour: SamplePicture.Color) -> UInt32 {
        [colour.0, colour.1, colour.2]
            .reduce(0) { sum, part in
                sum << 8 | UInt32((255 + (Double(part) - 255) * ShareDrawing.tileOpacity).rounded())
            }
    }

    private func isNear(_ one: UInt32, _ other: UInt32) -> Bool {
        [16, 8, 0].allSatisfy { abs(Int(one >> $0 & 0xFF) - Int(other >> $0 & 0xFF)) <= 2 }
    }

    @Test("tiles are seen beneath everybody, a little faded, each in its place, instead of the grid")
    func tiles() throws {
        let picture = SampleShare.picture([Self.ada, Self.ben])
        let map = ShareMap(showing: picture.people.map(\.place))
        let colours: [SamplePicture.Color] = (0..<12).map { (UInt8(20 * $0), UInt8(240 - 20 * $0), 90) }
        let shown = self.onTiles(picture) { SamplePicture.png(256, 256, colours[$0]) }
        // The centre of the visible part of each tile.
        let middles = shown.tiles.map { tile in
            let box = map.box(of: tile.place, copy: 0)
            let (right, bottom) = (min(1200, box.x + box.width), min(630, box.y + box.height))
            return Pixel(x: (max(0, box.x) + right) / 2, y: (max(0, box.y) + bottom) / 2)
        }
        let found = try self.colours(of: shown, at: middles)
        // Some centres are covered by the title, the scale or a badge.
        let seen = zip(found, colours).filter { self.isNear($0, self.faded($1)) }
        #expect(seen.count >= shown.tiles.count - 4, "\(found)")
        // Along a line without badges, including the seams of tiles.
        let line = stride(from: 200.0, to: 1100, by: 1).map { Pixel(x: $0, y: 200) }
        for colour in try self.colours(of: shown, at: line) {
            #expect(colours.contains { self.isNear(colour, self.faded($0)) }, "\(colour)")
        }
        // The badges have their own colours.
        let badges = [Pixel(x: 110, y: 297), Pixel(x: 1090, y: 297)]
        #expect(try self.colours(of: shown, at: badges) == Array(Badge.colours[0..<2]))
    }

    @Test("a tile that cannot be decoded leaves its place as it is without, and the others where they are")
    func brokenTiles() throws {
        let blue: SamplePicture.Color = (30, 40, 200)
        let tile = SamplePicture.png(256, 256, blue)
        var picture = SampleShare.picture([Self.ada, Self.ben])
        let plain = try self.drawn(picture)
        let map = ShareMap(showing: picture.people.map(\.place))
        // A point without badges and text.
        let spot = Pixel(x: 640, y: 160)
        func isIn(_ tile: TileAddress, _ place: Pixel) -> Bool {
            map.box(of: tile, copy: 0).overlap(with: Box(around: place, width: 2, height: 2)) > 0
        }
        let number = try #require(map.tiles.firstIndex { isIn($0, spot) })
        let elsewhere = try #require(
            [Pixel(x: 300, y: 160), Pixel(x: 900, y: 160), Pixel(x: 300, y: 450), Pixel(x: 900, y: 450)]
                .first { !isIn(map.tiles[number], $0) }
        )
        let table: [(name: String, bytes: [UInt8])] = [
            ("nothing", []), ("HTML", Array("<html>Please log in</html>".utf8)),
            ("half", Array(tile.prefix(tile.count / 2))),
            ("a head", Array(tile.prefix(33))), ("another size", SamplePicture.png(256, 255, blue)),
            ("a bomb", SamplePicture.bomb(50_000, 50_000)), ("pixels that are not there", SamplePicture.bomb(256, 256)),
            ("a JPEG", try self.made(.face, of: tile)[0].bytes), ("a WebP", SamplePicture.webp),
        ]
        for row in table {
            let one = self.onTiles(picture) { $0 == number ? row.bytes : tile }
            let found = try self.colours(of: one, at: [spot, elsewhere])
            #expect(found[0] == (try self.colours(of: picture, at: [spot])[0]), "\(row.name)")
            #expect(self.isNear(found[1], self.faded(blue)), "\(row.name)")
            // If no tile can be drawn, the bytes equal those of the picture without tiles.
            let none = self.onTiles(picture) { _ in row.bytes }
            #expect(try self.drawn(none) == plain, "\(row.name)")
        }
        picture.tileAttribution = "© Somebody"
        #expect(try self.drawn(picture) == plain, "whose tiles are not there is not named")
    }

    @Test("who has made the tiles is named instead of who has made the rest of the map")
    func tileAttribution() throws {
        var picture = SampleShare.picture([Self.ada, Self.ben])
        let tiled = self.onTiles(picture) { _ in SamplePicture.png(256, 256) }
        var other = tiled
        other.tileAttribution = "© Somebody else"
        picture.attribution = "Nobody"
        let same = self.onTiles(picture) { _ in SamplePicture.png(256, 256) }
        #expect(try self.drawn(tiled) != self.drawn(other))
        #expect(try self.drawn(tiled) == self.drawn(same))
    }

    @Test("tiles are drawn on both sides of the date line, and not beyond the one world")
    func tilesAround() throws {
        let green: SamplePicture.Color = (40, 200, 60)
        let tile = SamplePicture.png(256, 256, green)
        let date = SampleShare.picture([
            SampleShare.person("West", at: -17, -179.9), SampleShare.person("East", at: -17, 179.9),
        ])
        let places = [Pixel(x: 300, y: 200), Pixel(x: 900, y: 200), Pixel(x: 300, y: 480), Pixel(x: 900, y: 480)]
        for colour in try self.colours(of: self.onTiles(date) { _ in tile }, at: places) {
            #expect(self.isNear(colour, self.faded(green)))
        }
        // 410 px of the world at the centre; its longitudes begin in the middle of a tile.
        let earth = SampleShare.picture([SampleShare.person(at: 90, 0), SampleShare.person("Zoë", at: -90, 120)])
        let inside = [Pixel(x: 440, y: 300), Pixel(x: 480, y: 420), Pixel(x: 760, y: 300), Pixel(x: 700, y: 420)]
        let beyond = [Pixel(x: 380, y: 300), Pixel(x: 820, y: 300), Pixel(x: 790, y: 104), Pixel(x: 420, y: 526)]
        let found = try self.colours(of: self.onTiles(earth) { _ in tile }, at: inside + beyond)
        for colour in found.prefix(4) { #expect(self.isNear(colour, self.faded(green))) }
        #expect(Array(found.dropFirst(4)) == Array(repeating: ShareDrawing.Ink.beyond, count: 4))
    }

    @Test("no name is a row of boxes", arguments: SampleShare.names)
    func scripts(name: String) throws {
        try #require(Self.isStarted)
        #expect(PictureMaker.unknownLetters(in: name) == 0)
        #expect(PictureMaker.unknownLetters(in: Badge.initials(of: name)) == 0)
        #expect(PictureMaker.unknownLetters(in: "\u{10FFFD}") == 1, "a letter of no font is counted")
    }

    @Test("250 people are drawn, all over the earth, in a town, and in one place")
    func crowds() throws {
        for spread in [0, 0.05, 80] {
            let people = (0..<250).map { number in
                // Points of a spiral, both close together and far apart.
                let turn = Double(number) * 2.4
                let away = Double(number) / 250 * spread
                return SampleShare.person("Name \(number)", number, at: away * sin(turn), 2 * away * cos(turn))
            }
            #expect(try self.drawn(SampleShare.picture(people, about: 100)).bytes.count > 10_000)
        }
    }

    @Test("what is no message is refused, and leaves nothing behind")
    func refusals() throws {
        let whole = SampleShare.picture([Self.ada]).encoded
        for bytes in [[], Array(whole.dropLast()), whole + [0], SampleShare.crowd([]).encoded] {
            #expect(throws: ImagingRefusal.damaged) { try self.made(.share, of: bytes) }
        }
        _ = try self.drawn(SampleShare.picture([Self.ada]))
    }

    @Test("a picture of twenty people with faces takes at most 150 ms")
    func speed() throws {
        let face = SamplePicture.png(96, 96) { x, y in (UInt8(2 * x), UInt8(2 * y), 90) }
        let picture = SampleShare.crowd((0..<20).map { "Name \($0)" }, face: face)
        func seconds() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
        let times = try (0..<5).map { _ in
            let start = seconds()
            _ = try self.drawn(picture)
            return seconds() - start
        }
        #expect((times.min() ?? 1) < 0.15, "\(times)")
    }
}

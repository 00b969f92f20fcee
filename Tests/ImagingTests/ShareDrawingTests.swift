import Glibc
import ImagingWire
import MusterCore
import MusterTestSupport
import Testing

@testable import Imaging

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
        // Above their letters, and in the middle where the third one is or is not.
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
        var rough = Self.ada
        rough.place = .cell(latitude: 60.17, longitude: 24.92)
        let cell = ShareMap(showing: [rough.place]).cell(around: rough.place.coordinate)
        let (inside, outside) = (Pixel(x: cell.x + 20, y: cell.y + 40), Pixel(x: cell.x - 20, y: cell.y + 40))
        let found = try self.colours(of: SampleShare.picture([rough]), at: [inside, outside])
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
                // Points of a spiral: near each other, and far.
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

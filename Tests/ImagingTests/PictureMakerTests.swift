import ImagingWire
import MusterTestSupport
import Testing

@testable import Imaging

@Suite("What is made of a picture")
struct PictureMakerTests {
    private static let isStarted = PictureMaker.start()

    private func make(_ operation: ImagingOperation, of bytes: [UInt8]) throws(ImagingRefusal) -> [Picture] {
        guard Self.isStarted else { preconditionFailure("libvips cannot be started") }
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(ImagingRefusal) in try PictureMaker.make(operation, of: bytes) }
        }
        return try result.get()
    }

    private func refusal(of bytes: [UInt8], _ operation: ImagingOperation = .photo) -> ImagingRefusal? {
        do throws(ImagingRefusal) {
            _ = try self.make(operation, of: bytes)
            return nil
        } catch {
            return error
        }
    }

    /// The colours of a picture at these places.
    private func colors(of picture: Picture, at places: [(x: Int, y: Int)]) throws -> [[UInt8]] {
        try picture.bytes.withUnsafeBytes { bytes in
            let image = try DecodedImage(decoding: bytes, side: 1600, fit: .within)
            return places.map { image.color(x: $0.x, y: $0.y) }
        }
    }

    private func isLike(_ color: [UInt8], _ wanted: SamplePicture.Color, within tolerance: Int = 12) -> Bool {
        zip(color, [wanted.0, wanted.1, wanted.2]).allSatisfy { abs(Int($0) - Int($1)) <= tolerance }
    }

    @Test("a large photo is bounded to 1600 and 320 px, a small one stays as it is")
    func sizes() throws {
        func sizes(_ width: Int, _ height: Int) throws -> [[Int]] {
            try self.make(.photo, of: SamplePicture.png(width, height)).map { [$0.width, $0.height] }
        }
        #expect(try sizes(2000, 1000) == [[1600, 800], [320, 160]])
        #expect(try sizes(100, 2000) == [[80, 1600], [16, 320]])
        #expect(try sizes(300, 200) == [[300, 200], [300, 200]])
        #expect(try sizes(1, 1) == [[1, 1], [1, 1]])
    }

    @Test("a face is the middle of the picture, square, 512 and 96 px, however large the picture was")
    func faces() throws {
        for (width, height) in [(1200, 600), (30, 20), (512, 512)] {
            let faces = try self.make(
                .face,
                of: SamplePicture.png(width, height) { x, _ in
                    // Only the sides are green, and they are cropped.
                    abs(2 * x - width) > height + 2 ? (0, 255, 0) : SamplePicture.red
                }
            )
            #expect(faces.map { [$0.width, $0.height] } == [[512, 512], [96, 96]])
            for color in try self.colors(of: faces[1], at: [(0, 0), (95, 0), (48, 48), (0, 95), (95, 95)]) {
                #expect(self.isLike(color, SamplePicture.red, within: 40), "\(width)x\(height): \(color)")
            }
        }
        #expect(self.refusal(of: SamplePicture.png(1, 400), .face) == .tooNarrow)
    }

    /// The expected picture: a colour in each corner of 48×32 px.
    private static func corner(_ x: Int, _ y: Int) -> SamplePicture.Color {
        switch (x < 24, y < 16) {
        case (true, true): (200, 30, 40)
        case (false, true): (30, 160, 40)
        case (true, false): (30, 40, 200)
        case (false, false): (240, 240, 240)
        }
    }

    /// The upright position of a pixel of a picture stored in an orientation (Exif 2.32, 4.6.4).
    private static func upright(_ orientation: UInt16, _ x: Int, _ y: Int) -> (Int, Int) {
        switch orientation {
        case 2: (47 - x, y)
        case 3: (47 - x, 31 - y)
        case 4: (x, 31 - y)
        case 5: (y, x)
        case 6: (47 - y, x)
        case 7: (47 - y, 31 - x)
        case 8: (y, 31 - x)
        case _: (x, y)
        }
    }

    @Test("a phone's picture is turned upright, and says nothing of the phone or the place", arguments: 1...8)
    func orientation(_ orientation: UInt16) throws {
        let lies = orientation >= 5
        let stored = SamplePicture.png(lies ? 32 : 48, lies ? 48 : 32) { x, y in
            let (x, y) = Self.upright(orientation, x, y)
            return Self.corner(x, y)
        }
        let plain = try self.make(.photo, of: stored)[0]
        let phones = PhoneMetadata(orientation: orientation).added(to: plain.bytes)
        #expect(phones.contains(sequence: PhoneMetadata.maker.utf8))
        for picture in try self.make(.photo, of: phones) {
            #expect([picture.width, picture.height] == [48, 32])
            let places: [(x: Int, y: Int)] = [(6, 6), (41, 6), (6, 25), (41, 25)]
            for (color, place) in zip(try self.colors(of: picture, at: places), places) {
                let wanted = Self.corner(place.x, place.y)
                #expect(self.isLike(color, wanted, within: 25), "\(color) is not \(wanted)")
            }
            for trace in ["Exif", PhoneMetadata.maker, "http", "ICC_PROFILE"] {
                #expect(!picture.bytes.contains(sequence: trace.utf8), "\(trace) is still there")
            }
        }
    }

    @Test("CMYK, WebP, a phone's wide colours and what is transparent become a JPEG in sRGB")
    func conversions() throws {
        for bytes in [SamplePicture.cmyk, SamplePicture.webp, SamplePicture.png(16, 16)] {
            let picture = try self.make(.photo, of: bytes)[0]
            #expect(picture.bytes.starts(with: [0xFF, 0xD8, 0xFF]))
            let color = try self.colors(of: picture, at: [(8, 8)])[0]
            // CMYK cannot express a pure red.
            #expect(self.isLike(color, SamplePicture.red, within: 30), "\(color)")
        }
        let blue = try self.make(.photo, of: SamplePicture.displayP3)[0]
        #expect(self.isLike(try self.colors(of: blue, at: [(8, 8)])[0], SamplePicture.blue, within: 4))
        let clear = try self.make(.photo, of: SamplePicture.clear(16, 16))[0]
        #expect(self.isLike(try self.colors(of: clear, at: [(8, 8)])[0], (255, 255, 255)))
    }

    @Test("a JPEG that lacks only its end marker is whole, whatever a phone wrote instead of it")
    func missingEnd() throws {
        let colorful = SamplePicture.png(640, 480) { x, y in (UInt8(x & 0xFF), UInt8(y & 0xFF), 9) }
        let whole = try self.make(.photo, of: colorful)[0].bytes
        try #require(whole.suffix(2) == [0xFF, 0xD9])
        let wanted = try self.make(.photo, of: whole)
        for (name, end) in [("nothing", []), ("half of it", [0xFF]), ("zeros", [0, 0, 0, 0])] as [(String, [UInt8])] {
            for operation in [ImagingOperation.photo, .face] {
                let made = try self.make(operation, of: whole.dropLast(2) + end)
                #expect(made == (operation == .photo ? wanted : try self.make(.face, of: whole)), "\(name)")
            }
        }
    }

    @Test("a panorama, and a camera of 200 million pixels: what is shrunk while it is read is taken")
    func large() throws {
        func sizes(_ operation: ImagingOperation, _ width: Int, _ height: Int) throws -> [[Int]] {
            try self.make(operation, of: SamplePicture.grayJPEG(width, height)).map { [$0.width, $0.height] }
        }
        #expect(try sizes(.photo, 16_382, 3900) == [[1600, 381], [320, 76]])
        #expect(try sizes(.face, 16_382, 3900) == [[512, 512], [96, 96]])
        #expect(try sizes(.photo, 16_320, 12_240) == [[1600, 1200], [320, 240]])
    }

    @Test("what is no picture, or a damaged one, or too large a one is refused")
    func refusals() throws {
        let png = SamplePicture.png(64, 64)
        let colorful = SamplePicture.png(640, 640) { x, y in (UInt8(x & 0xFF), UInt8(y & 0xFF), 9) }
        let jpeg = try self.make(.photo, of: colorful)[0].bytes
        let table: [(name: String, bytes: [UInt8], refusal: ImagingRefusal?)] = [
            ("nothing", [], .notAPicture),
            ("text", Array("Hello, I am a photo.".utf8), .notAPicture),
            ("SVG", Array(#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>"#.utf8), .notAPicture),
            ("PDF", Array("%PDF-1.7\n1 0 obj".utf8), .notAPicture),
            ("GIF", SamplePicture.gif(frames: 300), .notAPicture),
            ("three bytes of a JPEG", [0xFF, 0xD8, 0xFF], .damaged),
            ("half a JPEG", Array(jpeg.prefix(jpeg.count / 2)), .damaged),
            ("half a PNG", Array(png.prefix(png.count / 2)), .damaged),
            ("half a WebP", Array(SamplePicture.webp.prefix(70)), .damaged),
            ("half a JPEG with an end", Array(jpeg.prefix(jpeg.count / 2)) + [0xFF, 0xD9], nil),
            ("half a JPEG behind which zeros follow", Array(jpeg.prefix(jpeg.count / 2)) + [0, 0, 0], .damaged),
            ("a JPEG of too many pixels", SamplePicture.grayJPEG(30_000, 30_000).prefix(1000) + [], .tooManyPixels),
            ("a bomb", SamplePicture.bomb(50_000, 50_000), .tooManyPixels),
            ("a bomb of 50 million and one pixels", SamplePicture.bomb(7072, 7071), .tooManyPixels),
            ("pixels that are not there", SamplePicture.bomb(4000, 3000), .damaged),
        ]
        for row in table {
            for operation in [ImagingOperation.photo, .face] {
                #expect(self.refusal(of: row.bytes, operation) == row.refusal, "\(row.name)")
            }
        }
        // The rejected file leaves no data behind.
        #expect(try self.make(.photo, of: png).count == 2)
    }
}

extension [UInt8] {
    fileprivate func contains(sequence: some Collection<UInt8>) -> Bool { self.firstRange(of: sequence) != nil }
}

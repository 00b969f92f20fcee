import Testing

@testable import ImagingWire
@testable import MusterCore

@Suite("What a child is told of a share picture")
struct SharePictureTests {
    private static let picture = {
        var picture = Self.plain
        picture.tileAttribution = "© Somebody"
        picture.tiles = [
            Self.tile(TileAddress(zoom: 20, x: (1 << 20) - 1, y: 5), [0x89, 0x50, 0x4E]),
            Self.tile(TileAddress(zoom: 0, x: 0, y: 0), []),
        ].compactMap { $0 }
        picture.parts = [SharePicture.Part(west: -180, south: -90, east: 7.5, north: 43.75)]
        return picture
    }()

    private static func tile(_ place: TileAddress?, _ file: [UInt8]) -> SharePicture.Tile? {
        place.map { SharePicture.Tile($0, file: file) }
    }

    private static let plain = SharePicture(
        title: "Sailing 🏴‍☠️",
        people: [
            SharePicture.Person(
                name: "Ada Lovelace",
                initials: "AL",
                colour: 0xB3261E,
                face: [0xFF, 0xD8, 0xFF],
                place: .exact(latitude: 60.17, longitude: -24.94, accuracy: 12.5),
                age: 40
            ),
            SharePicture.Person(
                name: "علي",
                initials: "ع",
                colour: 0xFFFFFF,
                place: .cell(latitude: -90, longitude: 180),
                age: 0
            ),
        ],
        about: 1,
        isNamed: true,
        madeAt: 1_800_000_000_123,
        attribution: "Natural Earth"
    )

    private func changed(_ change: (inout SharePicture) -> Void) -> SharePicture {
        var picture = Self.picture
        change(&picture)
        return picture
    }

    @Test("a picture arrives as it was, also with all that a picture may hold")
    func roundTrip() {
        let person = SharePicture.Person(
            name: String(repeating: "x", count: SharePicture.longestText),
            initials: String(repeating: "ß", count: SharePicture.longestText / 2),
            colour: 0,
            face: [UInt8](repeating: 7, count: SharePicture.longestFace),
            place: .exact(latitude: 90, longitude: -180, accuracy: SharePicture.worstAccuracy),
            age: Int(UInt32.max)
        )
        var full = SharePicture(
            title: person.name,
            people: Array(repeating: person, count: SharePicture.mostPeople),
            about: nil,
            isNamed: false,
            madeAt: 0,
            attribution: person.name
        )
        full.tileAttribution = person.name
        full.tiles = (0..<ShareMap.mostTiles)
            .compactMap { row in
                Self.tile(
                    TileAddress(zoom: 18, x: 7, y: row),
                    [UInt8](repeating: 9, count: SharePicture.longestTile)
                )
            }
        full.parts = Array(repeating: Self.picture.parts[0], count: SharePicture.mostParts)
        #expect(Self.picture.tiles.count == 2 && full.tiles.count == 12)
        for picture in [Self.plain, Self.picture, full] { #expect(SharePicture(decoding: picture.encoded) == picture) }
        #expect(ImagingRequest(.share, full.encoded).encoded.count - ImagingLength.count <= ImagingRequest.longest)
    }

    @Test("what is cut short, goes on, or is beyond a limit is refused")
    func refusals() {
        let whole = Self.picture.encoded
        for count in 0..<whole.count { #expect(SharePicture(decoding: Array(whole.prefix(count))) == nil) }
        #expect(SharePicture(decoding: whole + [0]) == nil)

        func moved(_ latitude: Double, _ longitude: Double, _ accuracy: Double) -> SharePicture {
            self.changed {
                $0.people[0].place = .exact(latitude: latitude, longitude: longitude, accuracy: accuracy)
            }
        }
        let tooLong = String(repeating: "x", count: SharePicture.longestText + 1)
        let table: [(name: String, picture: SharePicture)] = [
            (
                "nobody",
                self.changed {
                    $0.people = []
                    $0.about = nil
                }
            ),
            ("too many", self.changed { $0.people = Array(repeating: $0.people[0], count: 251) }),
            ("about somebody else", self.changed { $0.about = 2 }),
            ("a long title", self.changed { $0.title = tooLong }),
            ("a long attribution", self.changed { $0.attribution = tooLong }),
            ("a long name", self.changed { $0.people[0].name = tooLong }),
            ("long initials", self.changed { $0.people[0].initials = tooLong }),
            (
                "a large face",
                self.changed { $0.people[0].face = [UInt8](repeating: 0, count: SharePicture.longestFace + 1) }
            ),
            ("no colour", self.changed { $0.people[0].colour = 0x1000000 }),
            ("beyond the pole", moved(90.1, 0, 1)), ("beyond the earth", moved(0, -180.1, 1)),
            ("nowhere", moved(.nan, 0, 1)), ("far away", moved(0, .infinity, 1)),
            ("a negative accuracy", moved(0, 0, -1)), ("no accuracy", moved(0, 0, .nan)),
            (
                "too many tiles",
                self.changed { $0.tiles = Array(repeating: $0.tiles[1], count: ShareMap.mostTiles + 1) }
            ),
            (
                "too deep a tile",
                self.changed { $0.tiles = [Self.tile(TileAddress(zoom: 21, x: 0, y: 0), [])].compactMap { $0 } }
            ),
            (
                "a large tile",
                self.changed { $0.tiles[1].file = [UInt8](repeating: 0, count: SharePicture.longestTile + 1) }
            ),
            ("a long attribution of tiles", self.changed { $0.tileAttribution = tooLong }),
            (
                "too many parts",
                self.changed { $0.parts = Array(repeating: $0.parts[0], count: SharePicture.mostParts + 1) }
            ),
            ("a part beyond", self.changed { $0.parts[0].east = 180.1 }),
            ("a part without an inside", self.changed { $0.parts[0].north = -91 }),
            ("a cell beyond", self.changed { $0.people[1].place = .cell(latitude: 0, longitude: 181) }),
        ]
        for row in table { #expect(SharePicture(decoding: row.picture.encoded) == nil, "\(row.name)") }
    }

    @Test("a byte changed anywhere makes another picture or none, and no trap")
    func flipped() {
        let whole = Self.picture.encoded
        for index in whole.indices {
            for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] where whole[index] != value {
                var bytes = whole
                bytes[index] = value
                #expect(SharePicture(decoding: bytes) != Self.picture)
            }
        }
    }
}

// The input of a share picture. All numbers are big-endian; a text, a face and a file are a UInt32 length and the
// bytes.
//
//     picture   text title, text attribution, UInt64 ms since 1970, UInt8 whether it is named (0 or 1),
//               UInt32 index of `about` among the people, or 0xFFFFFFFF, UInt32 count, and of each person;
//               text attribution of the tiles, UInt8 count, and of each tile; UInt8 count, and of each part of the
//               street map; with parts, the tiles are vector tiles
//     person    text name, text initials, UInt32 colour, UInt32 age in s, UInt8 kind of place, its numbers, face
//     place     0 (exact):  Float64 latitude, longitude, accuracy in m
//               1 (cell):   Float64 latitude, longitude of the centre
//     tile      UInt8 zoom, UInt32 column, UInt32 row, file
//     part      Float64 west, south, east, north
//
// The child process rejects counts above their limits, and coordinates outside the ranges of latitude and longitude.

package import MusterCore

/// The input of a share picture: people of a group, at places visible to the requesting user, at one time.
///
/// A picture within the limits below fits into one `ImagingRequest`.
package struct SharePicture: Sendable, Equatable {
    /// A person on the picture.
    package struct Person: Sendable, Equatable {
        /// The display name; not drawn when the picture is not named.
        package var name: String
        /// The text drawn in place of a missing face, and in place of the name when the picture is not named.
        package var initials: String
        /// The colour behind the initials and around the face, 0xRRGGBB.
        package var colour: UInt32
        /// The face as a JPEG, drawn as a circle whether or not the picture is named; empty when there is none.
        package var face: [UInt8]
        /// The position, in the precision that the requesting user may see.
        package var place: Place
        /// The age of the position in seconds when the picture is made.
        package var age: Int

        /// Creates a person.
        package init(name: String, initials: String, colour: UInt32, face: [UInt8] = [], place: Place, age: Int) {
            self.name = name
            self.initials = initials
            self.colour = colour
            self.face = face
            self.place = place
            self.age = age
        }
    }

    /// A position in degrees of WGS 84.
    package enum Place: Sendable, Equatable {
        /// A point, with the accuracy in metres.
        case exact(latitude: Double, longitude: Double, accuracy: Double)
        /// A cell of the grid of 0.01°, by its centre.
        case cell(latitude: Double, longitude: Double)
    }

    /// A map tile behind the picture.
    package struct Tile: Sendable, Equatable {
        /// The side in pixels.
        package static let side = 256

        /// The address of the tile.
        package var place: TileAddress
        /// The file as the tile server sent it, which should be a PNG, or a vector tile that is not compressed.
        ///
        /// A tile that cannot be decoded is not drawn.
        package var file: [UInt8]

        /// Creates a tile.
        package init(_ place: TileAddress, file: [UInt8]) {
            self.place = place
            self.file = file
        }

        /// Returns whether a file begins like a PNG of a tile's size.
        ///
        /// Nothing is decoded.
        package static func isLikely(_ file: some Collection<UInt8>) -> Bool {
            let size: [UInt8] = [0, 0, 1, 0]
            return file.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
                && file.dropFirst(12).starts(with: "IHDR".utf8) && file.dropFirst(16).starts(with: size + size)
        }
    }

    /// A rectangle in degrees that the street map covers.
    package struct Part: Sendable, Equatable {
        package var west: Double
        package var south: Double
        package var east: Double
        package var north: Double

        /// Creates a rectangle from its sides.
        package init(west: Double, south: Double, east: Double, north: Double) {
            self.west = west
            self.south = south
            self.east = east
            self.north = north
        }
    }

    /// The maximum number of parts of the street map.
    package static let mostParts = 64
    /// The maximum number of people.
    package static let mostPeople = 250
    /// The maximum size of a text in bytes of UTF-8.
    package static let longestText = 1024
    /// The maximum size of a face in bytes; a face of 96 px takes about 3,000.
    package static let longestFace = 32_768
    /// The maximum size of a tile's file in bytes; most are below 50,000.
    package static let longestTile = 524_288
    /// The maximum accuracy radius in metres.
    package static let worstAccuracy = 100_000.0

    /// The group's name.
    package var title: String
    /// The people, 1…250.
    ///
    /// Badges of earlier people are drawn over those of later ones.
    package var people: [Person]
    /// The subject of the picture, as an index in `people`.
    ///
    /// Lines and distances go from the subject to all others.
    package var about: Int?
    /// Whether names are shown, instead of only initials.
    package var isNamed: Bool
    /// The time of the picture, in ms since 1970.
    package var madeAt: Int
    /// The attribution of the map, drawn in a corner.
    package var attribution: String
    /// The map tiles, at most `ShareMap.mostTiles`.
    ///
    /// Where a tile is missing, the land or the grid is visible.
    package var tiles: [Tile] = []
    /// The attribution of the map when a tile is drawn.
    package var tileAttribution = ""
    /// The parts of the street map, at most `mostParts`.
    ///
    /// With parts, `tiles` are vector tiles of streets; without them, they are pictures.
    package var parts: [Part] = []

    /// Creates a picture without tiles.
    package init(title: String, people: [Person], about: Int?, isNamed: Bool, madeAt: Int, attribution: String) {
        self.title = title
        self.people = people
        self.about = about
        self.isNamed = isNamed
        self.madeAt = madeAt
        self.attribution = attribution
    }
}

extension SharePicture {
    private static let nobody = UInt32.max

    /// The encoded picture, for an `ImagingRequest`.
    package var encoded: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(counted: self.title.utf8)
        bytes.append(counted: self.attribution.utf8)
        bytes.append(bigEndian: UInt64(clamping: self.madeAt))
        bytes.append(self.isNamed ? 1 : 0)
        bytes.append(bigEndian: self.about.map { UInt32(clamping: $0) } ?? Self.nobody)
        bytes.append(bigEndian: self.people.count)
        for person in self.people { person.append(to: &bytes) }
        bytes.append(counted: self.tileAttribution.utf8)
        bytes.append(UInt8(clamping: self.tiles.count))
        for tile in self.tiles { tile.append(to: &bytes) }
        bytes.append(UInt8(clamping: self.parts.count))
        for part in self.parts { part.append(to: &bytes) }
        return bytes
    }

    /// Decodes a picture; nil when it is invalid or exceeds a limit.
    package init?(decoding bytes: [UInt8]) {
        var rest = bytes[...]
        guard let title = rest.readText(), let attribution = rest.readText(),
            let madeAt = rest.readBigEndian(UInt64.self).flatMap({ Int(exactly: $0) }),
            let isNamed = rest.popFirst(), isNamed <= 1,
            let about = rest.readBigEndian(UInt32.self),
            let count = rest.readBigEndian(), (1...Self.mostPeople).contains(count),
            about == Self.nobody || about < count
        else { return nil }
        var people: [Person] = []
        for _ in 0..<count {
            guard let person = Person(readFrom: &rest) else { return nil }
            people.append(person)
        }
        guard let tileAttribution = rest.readText(),
            let tileCount = rest.popFirst(), tileCount <= ShareMap.mostTiles
        else { return nil }
        var tiles: [Tile] = []
        for _ in 0..<tileCount {
            guard let tile = Tile(readFrom: &rest) else { return nil }
            tiles.append(tile)
        }
        guard let partCount = rest.popFirst(), partCount <= Self.mostParts else { return nil }
        var parts: [Part] = []
        for _ in 0..<partCount {
            guard let part = Part(readFrom: &rest) else { return nil }
            parts.append(part)
        }
        guard rest.isEmpty else { return nil }
        self.init(
            title: title,
            people: people,
            about: about == Self.nobody ? nil : Int(about),
            isNamed: isNamed == 1,
            madeAt: madeAt,
            attribution: attribution
        )
        self.tiles = tiles
        self.tileAttribution = tileAttribution
        self.parts = parts
    }
}

extension SharePicture.Person {
    fileprivate func append(to bytes: inout [UInt8]) {
        bytes.append(counted: self.name.utf8)
        bytes.append(counted: self.initials.utf8)
        bytes.append(bigEndian: self.colour)
        bytes.append(bigEndian: UInt32(clamping: self.age))
        self.place.append(to: &bytes)
        bytes.append(counted: self.face)
    }

    fileprivate init?(readFrom rest: inout ArraySlice<UInt8>) {
        guard let name = rest.readText(), let initials = rest.readText(),
            let colour = rest.readBigEndian(UInt32.self), colour <= 0xFFFFFF,
            let age = rest.readBigEndian(),
            let place = SharePicture.Place(readFrom: &rest),
            let face = rest.readCounted(upTo: SharePicture.longestFace)
        else { return nil }
        self.init(name: name, initials: initials, colour: colour, face: Array(face), place: place, age: age)
    }
}

extension SharePicture.Tile {
    fileprivate func append(to bytes: inout [UInt8]) {
        bytes.append(UInt8(clamping: self.place.zoom))
        bytes.append(bigEndian: self.place.x)
        bytes.append(bigEndian: self.place.y)
        bytes.append(counted: self.file)
    }

    fileprivate init?(readFrom rest: inout ArraySlice<UInt8>) {
        guard let zoom = rest.popFirst(), let column = rest.readBigEndian(), let row = rest.readBigEndian(),
            zoom <= ShareMap.deepestZoom, let place = TileAddress(zoom: Int(zoom), x: column, y: row),
            let file = rest.readCounted(upTo: SharePicture.longestTile)
        else { return nil }
        self.init(place, file: Array(file))
    }
}

extension SharePicture.Part {
    fileprivate func append(to bytes: inout [UInt8]) {
        for number in [self.west, self.south, self.east, self.north] { bytes.append(bigEndian: number.bitPattern) }
    }

    fileprivate init?(readFrom rest: inout ArraySlice<UInt8>) {
        guard let west = rest.readNumber(in: Coordinate.longitudes),
            let south = rest.readNumber(in: Coordinate.latitudes),
            let east = rest.readNumber(in: west...180), let north = rest.readNumber(in: south...90)
        else { return nil }
        self.init(west: west, south: south, east: east, north: north)
    }
}

extension SharePicture.Place {
    private static let exactKind: UInt8 = 0
    private static let cellKind: UInt8 = 1

    fileprivate func append(to bytes: inout [UInt8]) {
        switch self {
        case .exact(let latitude, let longitude, let accuracy):
            bytes.append(Self.exactKind)
            for number in [latitude, longitude, accuracy] { bytes.append(bigEndian: number.bitPattern) }
        case .cell(let latitude, let longitude):
            bytes.append(Self.cellKind)
            for number in [latitude, longitude] { bytes.append(bigEndian: number.bitPattern) }
        }
    }

    fileprivate init?(readFrom rest: inout ArraySlice<UInt8>) {
        guard let kind = rest.popFirst(), kind <= Self.cellKind,
            let latitude = rest.readNumber(in: Coordinate.latitudes),
            let longitude = rest.readNumber(in: Coordinate.longitudes)
        else { return nil }
        guard kind == Self.exactKind else {
            self = .cell(latitude: latitude, longitude: longitude)
            return
        }
        guard let accuracy = rest.readNumber(in: 0...SharePicture.worstAccuracy) else { return nil }
        self = .exact(latitude: latitude, longitude: longitude, accuracy: accuracy)
    }
}

extension [UInt8] {
    fileprivate mutating func append(counted bytes: some Collection<UInt8>) {
        self.append(bigEndian: bytes.count)
        self += bytes
    }
}

extension ArraySlice<UInt8> {
    fileprivate mutating func readCounted(upTo most: Int) -> ArraySlice<UInt8>? {
        guard let count = self.readBigEndian(), count <= most else { return nil }
        return self.readBytes(count)
    }

    fileprivate mutating func readText() -> String? {
        self.readCounted(upTo: SharePicture.longestText).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// Reads a number and checks its range, which excludes NaN.
    fileprivate mutating func readNumber(in range: ClosedRange<Double>) -> Double? {
        guard let bits = self.readBigEndian(UInt64.self) else { return nil }
        let number = Double(bitPattern: bits)
        return range.contains(number) ? number : nil
    }
}

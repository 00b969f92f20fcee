// PMTiles 3 (https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md), all numbers little-endian:
//
//   0    "PMTiles", UInt8 3
//   8    UInt64 position and size of: root directory, metadata, leaf directories, tiles
//   72   UInt64 addressed tiles, entries, different contents
//   96   UInt8 clustered (0 or 1), compression of directories, compression of tiles, type of tiles, first and last zoom
//   102  Int32 west, south, east, north in 1e-7 degrees
//   118  UInt8 zoom, Int32 longitude, latitude of the centre
//
// The root directory is in the first 16,384 bytes. All other sections can be anywhere.

import MusterCore

/// The header of a PMTiles file.
struct PMTilesHeader: Sendable, Equatable {
    /// A part of the file.
    struct Section: Sendable, Equatable {
        var offset: UInt64 = 0
        var length: UInt64 = 0
    }

    /// The compression of directories or tiles.
    enum Compression: UInt8, Sendable {
        case unknown, none, gzip, brotli, zstd
    }

    /// The size of a header in bytes.
    static let size = 127
    /// The bytes at the start of a file that contain the header and the root directory.
    static let rootLimit = 16_384
    /// The type of Mapbox Vector Tiles.
    static let vectorType: UInt8 = 1

    var root = Section()
    var metadata = Section()
    var leaves = Section()
    var tiles = Section()
    /// The number of tiles, of entries in directories, and of different contents.
    var counts: (tiles: UInt64, entries: UInt64, contents: UInt64) = (0, 0, 0)
    var isClustered = true
    var directoryCompression = Compression.gzip
    var tileCompression = Compression.gzip
    var type = Self.vectorType
    var zooms: ClosedRange<Int> = 0...0
    var bounds = MapBounds(west: 0, south: 0, east: 0, north: 0)
    var centre: (zoom: Int, longitude: Double, latitude: Double) = (0, 0, 0)

    /// Creates the header of an empty file.
    init() {}

    /// Decodes a header; nil when the bytes are not the header of a PMTiles 3 file, or contradict themselves.
    init?(decoding bytes: [UInt8]) {
        guard bytes.count >= Self.size, bytes.starts(with: "PMTiles".utf8), bytes[7] == 3 else { return nil }
        func number(_ offset: Int) -> UInt64 { bytes.littleEndian(UInt64.self, at: offset) }
        func degrees(_ offset: Int) -> Double { Double(bytes.littleEndian(Int32.self, at: offset)) / 1e7 }
        func section(_ offset: Int) -> Section? {
            let section = Section(offset: number(offset), length: number(offset + 8))
            return section.offset.addingReportingOverflow(section.length).overflow ? nil : section
        }
        guard let root = section(8), let metadata = section(24), let leaves = section(40), let tiles = section(56),
            let directories = Compression(rawValue: bytes[97]), let compression = Compression(rawValue: bytes[98]),
            bytes[100] <= bytes[101], Int(bytes[101]) <= TileAddress.zooms.upperBound
        else { return nil }
        (self.root, self.metadata, self.leaves, self.tiles) = (root, metadata, leaves, tiles)
        self.counts = (number(72), number(80), number(88))
        self.isClustered = bytes[96] == 1
        (self.directoryCompression, self.tileCompression, self.type) = (directories, compression, bytes[99])
        self.zooms = Int(bytes[100])...Int(bytes[101])
        self.bounds = MapBounds(west: degrees(102), south: degrees(106), east: degrees(110), north: degrees(114))
        self.centre = (Int(bytes[118]), degrees(119), degrees(123))
    }

    /// The encoded header.
    var encoded: [UInt8] {
        var bytes = Array("PMTiles".utf8) + [3]
        for section in [self.root, self.metadata, self.leaves, self.tiles] {
            bytes.append(littleEndian: section.offset)
            bytes.append(littleEndian: section.length)
        }
        for count in [self.counts.tiles, self.counts.entries, self.counts.contents] {
            bytes.append(littleEndian: count)
        }
        bytes += [
            self.isClustered ? 1 : 0, self.directoryCompression.rawValue, self.tileCompression.rawValue, self.type,
            UInt8(self.zooms.lowerBound), UInt8(self.zooms.upperBound),
        ]
        func append(degrees: Double) { bytes.append(littleEndian: Int32((degrees * 1e7).rounded())) }
        for degrees in [self.bounds.west, self.bounds.south, self.bounds.east, self.bounds.north] {
            append(degrees: degrees)
        }
        bytes.append(UInt8(self.centre.zoom))
        append(degrees: self.centre.longitude)
        append(degrees: self.centre.latitude)
        return bytes
    }

    static func == (left: Self, right: Self) -> Bool { left.encoded == right.encoded }
}

/// A rectangle of the map in degrees.
package struct MapBounds: Sendable, Hashable {
    package var west: Double
    package var south: Double
    package var east: Double
    package var north: Double

    /// The rectangle around this one and another.
    func union(_ other: MapBounds) -> MapBounds {
        MapBounds(
            west: min(self.west, other.west),
            south: min(self.south, other.south),
            east: max(self.east, other.east),
            north: max(self.north, other.north)
        )
    }

    /// The area in square degrees, to compare parts.
    var size: Double { (self.east - self.west) * (self.north - self.south) }
}

extension [UInt8] {
    /// Appends an integer, lowest byte first.
    fileprivate mutating func append(littleEndian value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.littleEndian) { self += $0 }
    }

    /// Returns the integer at a position within the bytes.
    fileprivate func littleEndian<Value: FixedWidthInteger>(_ type: Value.Type, at offset: Int) -> Value {
        self.withUnsafeBytes { Value(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Value.self)) }
    }
}

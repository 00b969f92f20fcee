import Foundation

/// Files to upload: pictures built byte by byte, and files that are no pictures.
package enum SamplePicture {
    /// A colour: red, green and blue.
    package typealias Color = (UInt8, UInt8, UInt8)

    /// Pure red, as closely as JPEG encodes it.
    package static let red: Color = (200, 30, 40)

    // MARK: PNG (ISO/IEC 15948), its pixels stored and not compressed

    /// A PNG of this size.
    package static func png(_ width: Int, _ height: Int, color: (_ x: Int, _ y: Int) -> Color) -> [UInt8] {
        var rows: [UInt8] = []
        rows.reserveCapacity(height * (1 + 3 * width))
        for y in 0..<height {
            rows.append(0)
            for x in 0..<width {
                let (red, green, blue) = color(x, y)
                rows.append(red)
                rows.append(green)
                rows.append(blue)
            }
        }
        return self.png(width, height, depth: 8, colorType: 2, data: self.stored(rows))
    }

    /// A PNG of one colour.
    package static func png(_ width: Int, _ height: Int, _ color: Color = red) -> [UInt8] {
        self.png(width, height) { _, _ in color }
    }

    /// A fully transparent PNG.
    package static func clear(_ width: Int, _ height: Int) -> [UInt8] {
        let rows = [UInt8](repeating: 0, count: height * (1 + 4 * width))
        return self.png(width, height, depth: 8, colorType: 6, data: self.stored(rows))
    }

    /// A complete grey JPEG of any size, with one bit for each DC coefficient and each end of block (ITU-T T.81,
    /// F.1.2).
    package static func grayJPEG(_ width: Int, _ height: Int, marker: UInt8 = 0xC0) -> [UInt8] {
        func segment(_ marker: UInt8, _ data: [UInt8]) -> [UInt8] {
            [0xFF, marker, UInt8((data.count + 2) >> 8), UInt8((data.count + 2) & 0xFF)] + data
        }
        func two(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xFF)] }
        // One code, a single 0, for the only symbol.
        let codes: [UInt8] = [1] + [UInt8](repeating: 0, count: 15) + [0]
        let blocks = ((width + 7) / 8) * ((height + 7) / 8)
        return [0xFF, 0xD8]
            + segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
            + segment(marker, [8] + two(height) + two(width) + [1, 1, 0x11, 0])
            + segment(0xC4, [0x00] + codes) + segment(0xC4, [0x10] + codes)
            + segment(0xDA, [1, 1, 0x00, 0, 63, 0])
            + [UInt8](repeating: 0, count: (blocks + 3) / 4)
            + [0xFF, 0xD9]
    }

    /// A PNG of a few bytes that declares this size, in black and white.
    package static func bomb(_ width: Int, _ height: Int) -> [UInt8] {
        self.png(width, height, depth: 1, colorType: 0, data: self.stored([UInt8](repeating: 0, count: 64)))
    }

    private static func png(_ width: Int, _ height: Int, depth: UInt8, colorType: UInt8, data: [UInt8]) -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + self.chunk("IHDR", self.number(width) + self.number(height) + [depth, colorType, 0, 0, 0])
            + self.chunk("IDAT", data) + self.chunk("IEND", [])
    }

    private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + data
        return self.number(data.count) + body + self.number(Int(self.checksum(body)))
    }

    /// The bytes in zlib format (RFC 1950), in stored blocks (RFC 1951).
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        var start = 0
        repeat {
            let end = min(start + 65_535, bytes.count)
            let count = UInt16(end - start)
            stream.append(end == bytes.count ? 1 : 0)
            stream += [UInt8(count & 0xFF), UInt8(count >> 8), UInt8(~count & 0xFF), UInt8(~count >> 8)]
            stream += bytes[start..<end]
            start = end
        } while start < bytes.count
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return stream + self.number(Int(high << 16 | low))
    }

    private static let checksums: [UInt32] = (0..<256).map { number in
        (0..<8).reduce(UInt32(number)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { self.checksums[Int(($0 ^ UInt32($1)) & 0xFF)] ^ $0 >> 8 }
    }

    private static func number(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    // MARK: Others

    /// A red JPEG of 16×16 in CMYK, inverted as Adobe writes it, without a profile.
    package static let cmyk = decoded(
        """
        /9j/7gAOQWRvYmUAZAAAAAAA/9sAQwADAgIDAgIDAwMDBAMDBAUIBQUEBAUKBwcGCAwKDAwLCgsLDQ4SEA0OEQ4LCxAWEBETFBUVFQwPFxgW\
        FBgSFBUU/8AAFAgAEAAQBEMRAE0RAFkRAEsRAP/EAB8AAAEFAQEBAQEBAAAAAAAAAAABAgMEBQYHCAkKC//EALUQAAIBAwMCBAMFBQQEAAAB\
        fQECAwAEEQUSITFBBhNRYQcicRQygZGhCCNCscEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hp\
        anN0dXZ3eHl6g4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV1tfY2drh4uPk5ebn6Onq8fLz9PX29/j5\
        +v/aAA4EQwBNAFkASwAAPwD9Ta/LKvzcr7joooooooooooor/9k=
        """
    )

    /// The colour of `displayP3` in sRGB.
    package static let blue: Color = (30, 40, 200)

    /// A blue PNG of 16×16 in Display P3.
    ///
    /// Without its profile it would be another blue.
    package static let displayP3 = decoded(
        """
        iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAACZWlDQ1BpY2MAACiRY2BgepCTnFvMJMDAkJtXUhTk7qQQERmlwP6IgZlBhIGTgY9B\
        NjG5uMA32C2EAQiKE8uLk0uKchhQwLdrDIwg+rJuRmJeSnU+/+kHro5m9v4upqel2iQZ8APOlNTiZCD9AYjjkguKShgYGHmAbJ7ykgIQWwLIFikC\
        OgrI1gGx0yFsBxA7CcIOAasJCXIGsjOAuCIdiZ2ExIbaBQKsxQHGzsgOKUmtKAHRzs4GDKAwgIh+DgT7jVHsDEKs+T4Dg+1+EAsh5gXkbzRnYODa\
        ihDTsGBgEORiYDhRkVxaVAa1ZhsQyzBYMIQwFDD0MKxgOMLwkJGBUYnRjTGXcSrjQcYPTApMoUzdTEeYGZntmZuYj7HwsUSyLGf5yerDuoT1H1sM\
        2z52RfYu9i8cyRxXOT05D3PZc+3nduI+yRPC85C3hI+TbxG/A/8DgVZBXcFbQl3CdsLfRDaJFoqZif0VPyUxUzJPyk1aSYZZ5rnsBbm98usUlijO\
        U5qjPF9lqepGtQPqVzXeanFpa+sE6tbordK/ZyhmFGQ8xeSmmYp5scUxKwXrGpv7dq72GxwVnaa5CLj2uwt5zPbS8N7tG+j3LqA/yDT4QeiEcNdI\
        hqh9MS1xPgnSie+Tj6cuS+/MLMyOzw3M9yp0K/YqDSyPqyys7qhdVn+i8UOLXFtAR2fX0V7O/sCJ8yd/nuY9Y/VsvrkV858vil5ybXnYyttr0td9\
        39i/RWvbmZ0lexT3XT3Ye8TnuMDJW2dWn6+/FHPV9obKbaF7LA/+Pf7znPEVz1uZDyafA74V/5z959T//wDUytJGPF1SSAAAABZJREFUKJFjUNA4\
        QBJiGNUwqmH4agAAuq0IEPvt2L8AAAAASUVORK5CYII=
        """
    )

    /// A red WebP of 16×16.
    package static let webp = decoded(
        """
        UklGRhABAABXRUJQVlA4WAoAAAAIAAAADwAADwAAVlA4IDAAAADQAQCdASoQABAAAMASJaACdLoB+AADsAD++TbP/zsGxLteOf/7jy/ceX7j\
        y/9xQABFWElGugAAAEV4aWYAAElJKgAIAAAABgASAQMAAQAAAAEAAAAaAQUAAQAAAFYAAAAbAQUAAQAAAF4AAAAoAQMAAQAAAAIAAAATAgMA\
        AQAAAAEAAABphwQAAQAAAGYAAAAAAAAAOGMAAOgDAAA4YwAA6AMAAAYAAJAHAAQAAAAwMjEwAZEHAAQAAAABAgMAAKAHAAQAAAAwMTAwAaAD\
        AAEAAAD//wAAAqAEAAEAAAAQAAAAA6AEAAEAAAAQAAAAAAAAAA==
        """
    )

    /// A red GIF of 16×16 with this many frames.
    package static func gif(frames: Int) -> [UInt8] {
        let file = decoded(
            """
            R0lGODlhEAAQAIAAAEdwTMgeKCH/C05FVFNDQVBFMi4wAwEAAAAh+QQFAAAAACwAAAAAEAAQAAACDoyPqcvtD6OctNqLsz4FADs=
            """
        )
        // The header, colours and loop precede the frame; one byte after it ends the file.
        let frame = file[38..<(file.count - 1)]
        return Array(file[..<38]) + (0..<frames).flatMap { _ in frame } + [0x3B]
    }

    private static func decoded(_ text: String) -> [UInt8] { Data(base64Encoded: text).map { Array($0) } ?? [] }
}

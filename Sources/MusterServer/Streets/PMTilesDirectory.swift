// A directory is one sequence of varints: the number of entries, then of all entries the distance of the tile number
// from that of the entry before, then all runs, all sizes, and all positions. A position is stored as itself + 1, or as
// 0 when it follows the entry before. An entry with the run 0 is a leaf directory, whose tiles begin at its number.

/// An entry of a directory of a PMTiles file.
struct PMTilesEntry: Sendable, Equatable {
    /// The number of the first tile.
    var number: UInt64
    /// The number of consecutive tiles with this content; 0 for a leaf directory.
    var run: UInt64
    /// The position in the section of tiles or of leaf directories.
    var offset: UInt64
    /// The size in bytes.
    var length: UInt64
}

/// Directories of PMTiles files.
enum PMTilesDirectory {
    /// The maximum size of an inflated directory, in bytes.
    static let limit = 32 << 20

    /// Decodes a directory in ascending order; nil when it is damaged.
    static func decode(_ bytes: [UInt8]) -> [PMTilesEntry]? {
        var rest = bytes[...]
        // Each entry takes four bytes or more.
        guard let count = rest.readVarint(), count <= UInt64(bytes.count / 4) else { return nil }
        var entries: [PMTilesEntry] = []
        entries.reserveCapacity(Int(count))
        var number: UInt64 = 0
        for index in 0..<count {
            guard let step = rest.readVarint(), index == 0 || step > 0 else { return nil }
            let (sum, isTooLarge) = number.addingReportingOverflow(step)
            guard !isTooLarge else { return nil }
            number = sum
            entries.append(PMTilesEntry(number: number, run: 0, offset: 0, length: 0))
        }
        for index in entries.indices {
            guard let run = rest.readVarint(), run <= UInt64(UInt32.max) else { return nil }
            entries[index].run = run
        }
        for index in entries.indices {
            guard let length = rest.readVarint(), 1...UInt64(UInt32.max) ~= length else { return nil }
            entries[index].length = length
        }
        for index in entries.indices {
            guard let position = rest.readVarint(), position > 0 || index > 0 else { return nil }
            let offset = position > 0 ? position - 1 : entries[index - 1].offset + entries[index - 1].length
            guard offset <= UInt64(Int64.max) - UInt64(UInt32.max) else { return nil }
            entries[index].offset = offset
        }
        return rest.isEmpty ? entries : nil
    }

    /// Encodes a directory of entries in ascending order.
    static func encode(_ entries: some RandomAccessCollection<PMTilesEntry>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(varint: UInt64(entries.count))
        var number: UInt64 = 0
        for entry in entries {
            bytes.append(varint: entry.number - number)
            number = entry.number
        }
        for entry in entries { bytes.append(varint: entry.run) }
        for entry in entries { bytes.append(varint: entry.length) }
        var end: UInt64?
        for entry in entries {
            bytes.append(varint: entry.offset == end ? 0 : entry.offset + 1)
            end = entry.offset + entry.length
        }
        return bytes
    }

    /// Returns the entry that may contain a tile: the last one that does not begin after it.
    static func entry(for number: UInt64, in entries: [PMTilesEntry]) -> PMTilesEntry? {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].number <= number { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return nil }
        let entry = entries[low - 1]
        return entry.run == 0 || number - entry.number < entry.run ? entry : nil
    }
}

extension [UInt8] {
    fileprivate mutating func append(varint value: UInt64) {
        var value = value
        while value >= 0x80 {
            self.append(UInt8(truncatingIfNeeded: value) | 0x80)
            value >>= 7
        }
        self.append(UInt8(value))
    }
}

extension ArraySlice<UInt8> {
    fileprivate mutating func readVarint() -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard let byte = self.popFirst() else { return nil }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return shift == 63 && byte > 1 ? nil : value }
        }
        return nil
    }
}

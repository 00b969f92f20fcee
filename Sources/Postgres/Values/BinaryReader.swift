/// A cursor over bytes in network byte order.
struct BinaryReader {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// Reads the next integer; nil when too few bytes are left.
    mutating func read<Integer: FixedWidthInteger>(as _: Integer.Type = Integer.self) -> Integer? {
        self.read(count: MemoryLayout<Integer>.size)?.bigEndian()
    }

    /// Reads the next `count` bytes; nil when too few are left.
    mutating func read(count: Int) -> UnsafeRawBufferPointer? {
        guard count <= self.bytes.count - self.offset else { return nil }
        defer { self.offset += count }
        return UnsafeRawBufferPointer(rebasing: self.bytes[self.offset..<self.offset + count])
    }
}

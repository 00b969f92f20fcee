/// A cursor over bytes in network order.
struct BinaryReader {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// Takes the next integer, or nothing when too few bytes are left.
    mutating func read<Integer: FixedWidthInteger>(as _: Integer.Type = Integer.self) -> Integer? {
        self.read(count: MemoryLayout<Integer>.size)?.bigEndian()
    }

    /// Takes the next `count` bytes, or nothing when too few are left.
    mutating func read(count: Int) -> UnsafeRawBufferPointer? {
        guard count <= self.bytes.count - self.offset else { return nil }
        defer { self.offset += count }
        return UnsafeRawBufferPointer(rebasing: self.bytes[self.offset..<self.offset + count])
    }
}

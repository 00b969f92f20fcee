/// A growing buffer of values in network byte order.
struct BinaryBuffer: ~Copyable {
    private var storage: UnsafeMutableRawBufferPointer
    private(set) var count = 0

    init(capacity: Int = 1024) {
        self.storage = .allocate(byteCount: max(capacity, 64), alignment: 8)
    }

    deinit { self.storage.deallocate() }

    /// The appended bytes; valid until the next append.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: self.storage[..<self.count]) }

    mutating func removeAll() { self.count = 0 }

    /// Reserves a total capacity of `capacity` bytes.
    mutating func reserveCapacity(_ capacity: Int) { self.reserve(max(0, capacity - self.count)) }

    mutating func append<Integer: FixedWidthInteger>(_ value: Integer) {
        self.reserve(MemoryLayout<Integer>.size)
        self.storage.storeBytes(of: value.bigEndian, toByteOffset: self.count, as: Integer.self)
        self.count += MemoryLayout<Integer>.size
    }

    mutating func append(bytes: UnsafeRawBufferPointer) {
        guard !bytes.isEmpty else { return }
        self.reserve(bytes.count)
        UnsafeMutableRawBufferPointer(rebasing: self.storage[self.count...]).copyMemory(from: bytes)
        self.count += bytes.count
    }

    /// Called for each field, so the check is inlined and the rare growth is a separate function.
    @inline(__always)
    private mutating func reserve(_ extra: Int) {
        if self.count + extra > self.storage.count { self.grow(extra) }
    }

    @inline(never)
    private mutating func grow(_ extra: Int) {
        let grown = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(self.count + extra, self.storage.count * 2),
            alignment: 8
        )
        grown.copyMemory(from: self.bytes)
        self.storage.deallocate()
        self.storage = grown
    }
}

extension BinaryBuffer {
    /// Appends a value of fixed size after its length.
    mutating func appendField<Integer: FixedWidthInteger>(_ value: Integer) {
        self.append(Int32(MemoryLayout<Integer>.size))
        self.append(value)
    }

    /// Appends text without a length.
    mutating func append(utf8 value: String) {
        var value = value
        value.withUTF8 { self.append(bytes: UnsafeRawBufferPointer($0)) }
    }

    /// Appends bytes after their length.
    mutating func appendField(_ value: [UInt8]) {
        self.append(Int32(value.count))
        value.withUnsafeBytes { self.append(bytes: $0) }
    }

    /// Appends text after its length.
    mutating func appendField(_ value: String) {
        self.append(Int32(value.utf8.count))
        self.append(utf8: value)
    }

    /// Appends a `jsonb` after its length: the version of its format, 1, and the text.
    mutating func appendJSONField(_ value: String) {
        self.append(Int32(value.utf8.count + 1))
        self.append(UInt8(1))
        self.append(utf8: value)
    }
}

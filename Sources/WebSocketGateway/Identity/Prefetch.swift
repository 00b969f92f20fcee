import CMusterShims

/// Asks the processor for memory while it works on something else.
///
/// Of ten thousand connections each turn finds other ones, in memory that no cache holds: waiting for one line after the
/// other would take as long as all of the work on them. Nothing here counts a reference, which would wait for the very line.
enum Prefetch {
    private static let lineBytes = 64

    /// Asks for the first lines of an object.
    static func lines(of object: Unmanaged<some AnyObject>, count: Int) {
        self.lines(at: UnsafeRawPointer(object.toOpaque()), count)
    }

    /// Asks for the first lines of the object that a variable refers to.
    static func lines(of object: inout AnyObject?, count: Int) {
        withUnsafeBytes(of: &object) { self.lines(ofObjectAt: 0, in: $0, count: count) }
    }

    /// Asks for the first lines of one of the objects in an array.
    static func lines<Object: AnyObject>(of objects: [Object?], at index: Int, count: Int) {
        objects.withUnsafeBytes { self.lines(ofObjectAt: index, in: $0, count: count) }
    }

    /// Asks for the first lines of one of the objects in an array.
    static func lines<Object: AnyObject>(of objects: [Object], at index: Int, count: Int) {
        objects.withUnsafeBytes { self.lines(ofObjectAt: index, in: $0, count: count) }
    }

    /// Asks for an array of a hundred bytes or so.
    static func lines(of bytes: [UInt8]) {
        bytes.withUnsafeBytes { bytes in
            guard let address = bytes.baseAddress else { return }
            self.lines(at: address, 2)
        }
    }

    private static func lines(ofObjectAt index: Int, in references: UnsafeRawBufferPointer, count: Int) {
        let size = MemoryLayout<UnsafeRawPointer>.size
        guard let address = references.load(fromByteOffset: index * size, as: UnsafeRawPointer?.self) else { return }
        self.lines(at: address, count)
    }

    private static func lines(at address: UnsafeRawPointer, _ count: Int) {
        for line in 0..<count { muster_prefetch(address + line * self.lineBytes) }
    }
}

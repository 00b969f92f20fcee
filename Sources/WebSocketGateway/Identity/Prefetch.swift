import CMusterShims

/// Processor prefetches, which load memory while the thread does other work.
///
/// With ten thousand connections, each tick touches other ones, whose memory is in no cache. Waiting for one cache line
/// after the other would take as long as all other work on them. The functions here change no reference counts, because
/// that would wait for the same line.
enum Prefetch {
    private static let lineBytes = 64

    /// Prefetches the first cache lines of an object.
    static func lines(of object: Unmanaged<some AnyObject>, count: Int) {
        self.lines(at: UnsafeRawPointer(object.toOpaque()), count)
    }

    /// Prefetches the first cache lines of the object that a variable refers to.
    static func lines(of object: inout AnyObject?, count: Int) {
        withUnsafeBytes(of: &object) { self.lines(ofObjectAt: 0, in: $0, count: count) }
    }

    /// Prefetches the first cache lines of one of the objects in an array.
    static func lines<Object: AnyObject>(of objects: [Object?], at index: Int, count: Int) {
        objects.withUnsafeBytes { self.lines(ofObjectAt: index, in: $0, count: count) }
    }

    /// Prefetches the first cache lines of one of the objects in an array.
    static func lines<Object: AnyObject>(of objects: [Object], at index: Int, count: Int) {
        objects.withUnsafeBytes { self.lines(ofObjectAt: index, in: $0, count: count) }
    }

    /// Prefetches an array of about a hundred bytes.
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

import CLibPQ

/// An encoder of parameters into the arrays that libpq requires.
///
/// Its memory is reused for each call.
struct ParameterEncoder: ~Copyable {
    private static let null = -1

    private var buffer = BinaryBuffer(capacity: 4096)
    private var offsets: [Int] = []
    private var lengths: [Int32] = []
    private var formats: [Int32] = []
    private var pointers: [UnsafePointer<CChar>?] = []

    /// Encodes `parameters` and calls `body` with values, lengths and formats, which are valid during the call.
    mutating func withEncoded<R>(
        _ parameters: [PostgresValue],
        _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> R
    ) -> R {
        self.buffer.removeAll()
        self.offsets.removeAll(keepingCapacity: true)
        self.lengths.removeAll(keepingCapacity: true)
        self.formats.removeAll(keepingCapacity: true)
        self.pointers.removeAll(keepingCapacity: true)
        for parameter in parameters {
            let start = self.buffer.count
            let isNull = parameter == .null
            self.buffer.append(parameter)
            self.offsets.append(isNull ? Self.null : start)
            self.lengths.append(Int32(self.buffer.count - start))
            self.formats.append(1)
        }
        // After encoding, because the buffer moves while it grows. Its capacity is never zero, so an empty text has an
        // address too.
        let base = self.buffer.bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        for offset in self.offsets {
            self.pointers.append(offset == Self.null ? nil : base.map { $0 + offset })
        }
        return self.pointers.withUnsafeBufferPointer { pointers in
            self.lengths.withUnsafeBufferPointer { lengths in
                self.formats.withUnsafeBufferPointer { formats in
                    body(pointers.baseAddress, lengths.baseAddress, formats.baseAddress)
                }
            }
        }
    }
}

// The binary format of a one-dimensional array:
//
//   Int32 dimensions (0 when empty, else 1) · Int32 "has NULLs" flag · UInt32 type of the elements
//   then, when there is a dimension: Int32 number of elements · Int32 lower bound (1)
//   then each element: Int32 length (−1 for NULL) · bytes

/// A one-dimensional array, decoded from its binary format.
struct PostgresArray<Element: PostgresDecodable>: PostgresDecodable {
    let elements: [Element?]

    init?(binary bytes: UnsafeRawBufferPointer, type: PostgresType) {
        var reader = BinaryReader(bytes)
        guard let dimensions: Int32 = reader.read(), reader.read(as: Int32.self) != nil,
            let elementOID: UInt32 = reader.read()
        else { return nil }
        guard dimensions > 0 else {
            self.elements = []
            return
        }
        guard dimensions == 1, let count: Int32 = reader.read(), reader.read(as: Int32.self) != nil else { return nil }
        let elementType = PostgresType(oid: elementOID)
        var elements: [Element?] = []
        elements.reserveCapacity(Int(count))
        for _ in 0..<count {
            guard let length: Int32 = reader.read() else { return nil }
            if length < 0 {
                elements.append(nil)
            } else {
                guard let slice = reader.read(count: Int(length)), let value = Element(binary: slice, type: elementType)
                else { return nil }
                elements.append(value)
            }
        }
        self.elements = elements
    }
}

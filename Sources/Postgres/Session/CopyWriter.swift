// The binary COPY format (PostgreSQL manual, "COPY", "Binary Format"), all integers big-endian:
//
//   header   "PGCOPY\n\377\r\n\0" · Int32 flags (0) · Int32 length of the extension (0)      19 bytes
//   row      Int16 number of fields, then for each field: Int32 length (−1 for NULL) · bytes
//   trailer  Int16 −1
//
// The writer stores only rows. The session sends the constant header and trailer around them, so that any range of the
// rows can be copied again: a batch with a bad row is halved without being encoded again.
//
// Invariants
// - `starts[i]` is the offset of row i; the last row ends where the buffer ends.
// - Every row except an unfinished last one has exactly `columnCount` fields. The start and the end of a row check it.

/// An encoder of rows for a binary `COPY … FROM STDIN`, in a buffer that is reused for each batch.
///
/// In steady state, neither a row nor a batch allocates memory.
package struct CopyWriter: ~Copyable {
    /// The number of fields of each row.
    package let columnCount: Int
    private var buffer: BinaryBuffer
    private var starts: [Int] = []
    private var missingFields = 0
    /// The target when rows are reordered.
    ///
    /// The buffers are swapped afterwards.
    private var spare = BinaryBuffer()
    private var spareStarts: [Int] = []

    /// Creates a writer without rows.
    ///
    /// - Parameters:
    ///   - columnCount: the number of columns that the COPY statement lists.
    ///   - capacity: the initial capacity in bytes. It grows on demand and never shrinks.
    package init(columnCount: Int, capacity: Int = 64 * 1024) {
        precondition(columnCount > 0 && columnCount <= Int(Int16.max), "a row has between 1 and 32767 fields")
        self.columnCount = columnCount
        self.buffer = BinaryBuffer(capacity: capacity)
    }

    /// The number of rows.
    package var rowCount: Int { self.starts.count }

    /// The size of the rows in bytes.
    package var byteCount: Int { self.buffer.count }

    /// Removes all rows and keeps the memory.
    package mutating func removeAll() {
        self.buffer.removeAll()
        self.starts.removeAll(keepingCapacity: true)
        self.missingFields = 0
    }

    /// Starts the next row; `columnCount` appends must follow.
    package mutating func beginRow() {
        precondition(self.missingFields == 0, "a row of a COPY was left unfinished")
        self.starts.append(self.buffer.count)
        self.buffer.append(Int16(self.columnCount))
        self.missingFields = self.columnCount
    }

    /// Reorders the rows.
    ///
    /// - Parameter order: the index of each row once, in the new order.
    package mutating func arrange(by order: [Int]) {
        precondition(self.missingFields == 0, "the last row of a COPY was left unfinished")
        precondition(order.count == self.rowCount, "an order of rows names each row once")
        self.spare.removeAll()
        self.spare.reserveCapacity(self.byteCount)
        self.spareStarts.removeAll(keepingCapacity: true)
        let bytes = self.buffer.bytes
        for row in order {
            let end = row + 1 < self.starts.count ? self.starts[row + 1] : bytes.count
            self.spareStarts.append(self.spare.count)
            self.spare.append(bytes: UnsafeRawBufferPointer(rebasing: bytes[self.starts[row]..<end]))
        }
        swap(&self.buffer, &self.spare)
        swap(&self.starts, &self.spareStarts)
    }

    /// Appends NULL.
    package mutating func appendNull() {
        self.countField()
        self.buffer.append(Int32(-1))
    }

    /// Appends a `boolean`.
    package mutating func append(_ value: Bool) {
        self.countField()
        self.buffer.appendField(UInt8(value ? 1 : 0))
    }

    /// Appends a `smallint`.
    package mutating func append(_ value: Int16) {
        self.countField()
        self.buffer.appendField(value)
    }

    /// Appends an `integer`.
    package mutating func append(_ value: Int32) {
        self.countField()
        self.buffer.appendField(value)
    }

    /// Appends a `bigint`.
    package mutating func append(_ value: Int64) {
        self.countField()
        self.buffer.appendField(value)
    }

    /// Appends a `real`.
    package mutating func append(_ value: Float) {
        self.countField()
        self.buffer.appendField(value.bitPattern)
    }

    /// Appends a `double precision`.
    package mutating func append(_ value: Double) {
        self.countField()
        self.buffer.appendField(value.bitPattern)
    }

    /// Appends a `text`, `varchar` or enum.
    package mutating func append(_ value: String) {
        self.countField()
        self.buffer.appendField(value)
    }

    /// Appends a `bytea`, or a value that already has the binary form of its column.
    package mutating func append(bytes value: UnsafeRawBufferPointer) {
        self.countField()
        self.buffer.append(Int32(value.count))
        self.buffer.append(bytes: value)
    }

    /// Appends a `bytea`.
    package mutating func append(_ value: [UInt8]) {
        value.withUnsafeBytes { self.append(bytes: $0) }
    }

    /// Appends a `jsonb` from its text.
    package mutating func append(jsonb value: String) {
        self.countField()
        self.buffer.appendJSONField(value)
    }

    /// Appends a `timestamptz`.
    package mutating func append(unixMilliseconds value: Int64) {
        self.countField()
        self.buffer.appendField(PostgresMoment.wireMicroseconds(unixMilliseconds: value))
    }

    /// Calls `body` with the bytes of the rows in `range`.
    borrowing func withUnsafeRows<R, Failure: Error>(
        _ range: Range<Int>,
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> R
    ) throws(Failure) -> R {
        precondition(self.missingFields == 0, "the last row of a COPY was left unfinished")
        let start = range.lowerBound < self.rowCount ? self.starts[range.lowerBound] : self.byteCount
        let end = range.upperBound < self.rowCount ? self.starts[range.upperBound] : self.byteCount
        return try body(UnsafeRawBufferPointer(rebasing: self.buffer.bytes[start..<end]))
    }

    private mutating func countField() {
        precondition(self.missingFields > 0, "a row of a COPY got more fields than columns")
        self.missingFields -= 1
    }
}

extension CopyWriter {
    /// Appends a `boolean`, or NULL for `nil`.
    package mutating func append(_ value: Bool?) {
        if let value { self.append(value) } else { self.appendNull() }
    }

    /// Appends a `smallint`, or NULL for `nil`.
    package mutating func append(_ value: Int16?) {
        if let value { self.append(value) } else { self.appendNull() }
    }

    /// Appends an `integer`, or NULL for `nil`.
    package mutating func append(_ value: Int32?) {
        if let value { self.append(value) } else { self.appendNull() }
    }

    /// Appends a `bigint`, or NULL for `nil`.
    package mutating func append(_ value: Int64?) {
        if let value { self.append(value) } else { self.appendNull() }
    }

    /// Appends a `real`, or NULL for `nil`.
    package mutating func append(_ value: Float?) {
        if let value { self.append(value) } else { self.appendNull() }
    }

    /// Appends a `double precision`, or NULL for `nil`.
    package mutating func append(_ value: Double?) {
        if let value { self.append(value) } else { self.appendNull() }
    }

    /// Appends a `text`, or NULL for `nil`.
    package mutating func append(_ value: String?) {
        if let value { self.append(value) } else { self.appendNull() }
    }

    /// Appends a `timestamptz`, or NULL for `nil`.
    package mutating func append(unixMilliseconds value: Int64?) {
        if let value { self.append(unixMilliseconds: value) } else { self.appendNull() }
    }
}

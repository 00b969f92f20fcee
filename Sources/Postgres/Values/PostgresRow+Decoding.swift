extension PostgresRow {
    /// Returns the cell of a column.
    func cell(_ column: String) throws(PostgresError) -> PostgresResult.Cell {
        self.result.cells[self.index * self.result.columns.count + (try self.position(of: column))]
    }

    func decode<Value: PostgresDecodable>(_ column: String) throws(PostgresError) -> Value {
        guard let value: Value = try self.decodeOptional(column) else {
            throw self.mismatch(column, found: "NULL", wanted: "\(Value.self)")
        }
        return value
    }

    func decodeOptional<Value: PostgresDecodable>(_ column: String) throws(PostgresError) -> Value? {
        let position = try self.position(of: column)
        let cell = self.result.cells[self.index * self.result.columns.count + position]
        guard cell.length >= 0 else { return nil }
        let type = self.result.columns[position].type
        let value = self.result.bytes.withUnsafeBytes { bytes in
            Value(binary: UnsafeRawBufferPointer(rebasing: bytes[cell.offset..<cell.offset + cell.length]), type: type)
        }
        guard let value else {
            throw self.mismatch(column, found: "a value of type \(type.oid)", wanted: "\(Value.self)")
        }
        return value
    }

    func decodeArray<Element: PostgresDecodable>(_ column: String) throws(PostgresError) -> [Element?] {
        let array: PostgresArray<Element> = try self.decode(column)
        return array.elements
    }

    private func position(of column: String) throws(PostgresError) -> Int {
        guard let position = self.result.columns.firstIndex(where: { $0.name == column }) else {
            throw PostgresError(
                .decoding,
                message: "there is no column \"\(column)\" among \(self.result.columnNames.joined(separator: ", "))"
            )
        }
        return position
    }

    private func mismatch(_ column: String, found: String, wanted: String) -> PostgresError {
        PostgresError(.decoding, message: "column \"\(column)\" holds \(found), not \(wanted)")
    }
}

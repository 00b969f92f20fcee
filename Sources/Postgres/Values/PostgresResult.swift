/// The result of one statement: its rows, copied from the client library, in binary format.
package struct PostgresResult: Sendable {
    /// A column of the result.
    struct Column: Sendable {
        let name: String
        let type: PostgresType
    }

    /// The position of one cell in `bytes`; a length of −1 is NULL.
    struct Cell: Sendable {
        let offset: Int
        let length: Int
    }

    let columns: [Column]
    let cells: [Cell]
    let bytes: [UInt8]

    /// The server's command tag: `INSERT 0 1`, `COMMIT`, `ROLLBACK`.
    package let command: String
    /// The number of rows that the statement returned.
    package let rowCount: Int
    /// The number of rows that the statement inserted, updated, deleted, selected or copied.
    package let affectedRows: Int

    /// The names of the columns, in order.
    var columnNames: [String] { self.columns.map(\.name) }

    /// The only row, or `nil` when there is none.
    ///
    /// - Throws: `decoding` when there are several.
    package func onlyRow() throws(PostgresError) -> PostgresRow? {
        guard self.rowCount <= 1 else {
            throw PostgresError(.decoding, message: "expected at most one row, got \(self.rowCount)")
        }
        return self.first
    }
}

extension PostgresResult: RandomAccessCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { self.rowCount }
    package subscript(index: Int) -> PostgresRow {
        precondition(index >= 0 && index < self.rowCount, "a row was read past the end of its result")
        return PostgresRow(result: self, index: index)
    }
}

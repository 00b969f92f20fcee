import CLibPQ

/// The owner of one `PGresult *`, which frees it at the end of its scope.
struct ServerResult: ~Copyable {
    private let handle: OpaquePointer

    init(takingOwnershipOf handle: OpaquePointer) { self.handle = handle }

    deinit { PQclear(self.handle) }

    var status: ExecStatusType { PQresultStatus(self.handle) }

    /// Copies all rows.
    func copyOut() -> PostgresResult {
        let columnCount = PQnfields(self.handle)
        let rowCount = PQntuples(self.handle)
        let columns = (0..<columnCount).map { column in
            PostgresResult.Column(
                name: String(cString: PQfname(self.handle, column)),
                type: PostgresType(oid: PQftype(self.handle, column))
            )
        }
        var cells: [PostgresResult.Cell] = []
        cells.reserveCapacity(Int(rowCount) * Int(columnCount))
        var bytes: [UInt8] = []
        for row in 0..<rowCount {
            for column in 0..<columnCount {
                guard PQgetisnull(self.handle, row, column) == 0, let start = PQgetvalue(self.handle, row, column)
                else {
                    cells.append(PostgresResult.Cell(offset: bytes.count, length: -1))
                    continue
                }
                let length = Int(PQgetlength(self.handle, row, column))
                cells.append(PostgresResult.Cell(offset: bytes.count, length: length))
                bytes.append(contentsOf: UnsafeRawBufferPointer(start: start, count: length))
            }
        }
        return PostgresResult(
            columns: columns,
            cells: cells,
            bytes: bytes,
            command: String(cString: PQcmdStatus(self.handle)),
            rowCount: Int(rowCount),
            affectedRows: Int(String(cString: PQcmdTuples(self.handle))) ?? 0
        )
    }

    /// Returns the error in this result.
    ///
    /// Its code depends on whether the connection is still usable.
    func makeError() -> PostgresError {
        let sqlState = self.field(.sqlState)
        let severity = self.field(.severity)
        let code: PostgresError.Code
        if sqlState == "57014" {
            code = .timedOut
        } else if sqlState == nil || severity == "FATAL" || severity == "PANIC" {
            // Without an SQLSTATE, the error is from libpq, which has lost the connection or its protocol state.
            code = .connectionLost
        } else {
            code = .server
        }
        return PostgresError(
            code,
            message: self.field(.primaryMessage) ?? trimmed(PQresultErrorMessage(self.handle)),
            sqlState: sqlState,
            constraint: self.field(.constraint),
            detail: self.field(.detail)
        )
    }

    private func field(_ field: ErrorField) -> String? {
        PQresultErrorField(self.handle, Int32(field.rawValue)).map { String(cString: $0) }
    }
}

/// The fields of an error (`PG_DIAG_…`, character constants that Swift does not import).
private enum ErrorField: UInt8 {
    case sqlState = 0x43  // 'C'
    case detail = 0x44  // 'D'
    case primaryMessage = 0x4D  // 'M'
    case severity = 0x56  // 'V', not localized
    case constraint = 0x6E  // 'n'
}

/// Returns a message of libpq on one line, without the newline at its end.
func trimmed(_ message: UnsafePointer<CChar>?) -> String {
    guard let message else { return "" }
    return String(cString: message).split(separator: "\n").joined(separator: "; ")
}

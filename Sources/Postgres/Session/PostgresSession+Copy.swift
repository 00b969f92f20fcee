extension PostgresSession {
    /// Bytes of a COPY that are handed to the socket at a time.
    private static let pieceSize = 256 * 1024

    /// The header of a binary COPY: signature, flags, length of the extension.
    private static let header: [UInt8] = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00, 0, 0, 0, 0, 0, 0, 0, 0]

    /// The trailer of a binary COPY: a row of −1 fields.
    private static let trailer: [UInt8] = [0xFF, 0xFF]

    /// Copies rows into a table.
    ///
    /// - Parameters:
    ///   - sql: `COPY … FROM STDIN (FORMAT binary)`, or that behind `BEGIN;`.
    ///   - rows: the rows.
    ///   - range: which of them; all when `nil`.
    ///   - timeout: how long it may take, if not as long as the session says.
    /// - Returns: the number of rows that were copied.
    /// - Throws: `server` when the server rejects a row, and then no row is there.
    @discardableResult
    package func copyIn(
        _ sql: String,
        rows: borrowing CopyWriter,
        range: Range<Int>? = nil,
        timeout: Duration? = nil
    ) throws(PostgresError) -> Int {
        try self.copyIn(sql, rows: rows, range: range ?? 0..<rows.rowCount, until: self.makeDeadline(timeout))
    }

    /// Writes a batch in one transaction: `copy` (its rows, or a range of them), then `statements`, then COMMIT.
    ///
    /// Three round trips: `BEGIN; COPY`, the rows, and the statements with COMMIT as one pipeline. When the server
    /// rejects any of it, all of it is rolled back and the session can be used again.
    ///
    /// The server works while the client does: `statements` is evaluated when the rows are on their way, and
    /// `meanwhile` is called each time when there is nothing left but to wait, a quarter of a megabyte of rows apart.
    ///
    /// - Parameters:
    ///   - sql: `COPY … FROM STDIN (FORMAT binary)`; left out when there are no rows.
    ///   - rows: the rows.
    ///   - range: which of them; all when `nil`.
    ///   - statements: what else belongs to the batch.
    ///   - timeout: how long all of it may take, if not as long as the session says.
    ///   - meanwhile: what else there is to do; must be short, and must not use the session.
    /// - Returns: the results of `statements`.
    /// - Throws: `server` when nothing was written; `connectionLost` or `timedOut` when that is not known.
    @discardableResult
    package func writeBatch(
        copy sql: String,
        rows: borrowing CopyWriter,
        range: Range<Int>? = nil,
        then statements: @autoclosure () -> [PostgresStatement],
        timeout: Duration? = nil,
        meanwhile: () -> Void = {}
    ) throws(PostgresError) -> [PostgresResult] {
        let deadline = self.makeDeadline(timeout)
        let range = range ?? 0..<rows.rowCount
        do {
            let connection = try self.requireConnection()
            var pipeline: [PostgresStatement] = []
            if range.isEmpty {
                pipeline.append("BEGIN")
                pipeline += statements()
            } else {
                try self.sendCopy(
                    "BEGIN; \(sql)",
                    rows: rows,
                    range: range,
                    to: connection,
                    until: deadline,
                    meanwhile: meanwhile
                )
                pipeline = statements()
                meanwhile()
                _ = try self.finish(connection, until: deadline)
            }
            pipeline.append("COMMIT")
            connection.send(pipeline, id: self.makeExchangeID())
            meanwhile()
            let results = try self.finish(connection, until: deadline)
            return Array(results.dropFirst(range.isEmpty ? 1 : 0).dropLast())
        } catch {
            self.rollBack(until: deadline)
            throw error
        }
    }

    /// Ends a transaction that failed, so that the connection can be used again.
    private func rollBack(until deadline: Deadline) {
        guard let connection = try? self.requireConnection(), self.isInTransaction else { return }
        connection.send(["ROLLBACK"], id: self.makeExchangeID())
        // When this fails, the connection is closed and the server rolls back by itself.
        _ = try? self.finish(connection, until: deadline)
    }

    @discardableResult
    private func copyIn(
        _ sql: String,
        rows: borrowing CopyWriter,
        range: Range<Int>,
        until deadline: Deadline
    ) throws(PostgresError) -> Int {
        let connection = try self.requireConnection()
        try self.sendCopy(sql, rows: rows, range: range, to: connection, until: deadline, meanwhile: {})
        return try self.finish(connection, until: deadline).last?.affectedRows ?? 0
    }

    /// Starts a COPY and sends its rows; its outcome is still to be waited for.
    private func sendCopy(
        _ sql: String,
        rows: borrowing CopyWriter,
        range: Range<Int>,
        to connection: PostgresConnection,
        until deadline: Deadline,
        meanwhile: () -> Void
    ) throws(PostgresError) {
        connection.sendScript(sql, id: self.makeExchangeID())
        guard try self.wait(for: connection, until: deadline, orUntil: \.isCopyingIn) == nil else {
            throw PostgresError(.misuse, message: "the statement was no COPY … FROM STDIN")
        }
        Self.header.withUnsafeBytes { connection.sendCopyData($0) }
        try rows.withUnsafeRows(range) { bytes throws(PostgresError) in
            try self.send(bytes, to: connection, until: deadline, meanwhile: meanwhile)
        }
        Self.trailer.withUnsafeBytes { connection.sendCopyData($0) }
        connection.endCopy()
    }

    /// Sends bytes piece by piece, waiting for the socket to take each.
    private func send(
        _ bytes: UnsafeRawBufferPointer,
        to connection: PostgresConnection,
        until deadline: Deadline,
        meanwhile: () -> Void
    ) throws(PostgresError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            connection.sendCopyData(UnsafeRawBufferPointer(rebasing: rest.prefix(Self.pieceSize)))
            rest = rest.dropFirst(Self.pieceSize)
            // The last one leaves with the end of the COPY: the server is woken once for a small batch, not four times.
            guard !rest.isEmpty else { return }
            connection.flush()
            // The server has a full socket to read.
            if !connection.isFlushed { meanwhile() }
            guard try self.wait(for: connection, until: deadline, orUntil: \.isFlushed) == nil else {
                throw PostgresError(.misuse, message: "a COPY ended before its rows were sent")
            }
        }
    }
}

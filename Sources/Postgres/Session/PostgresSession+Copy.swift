extension PostgresSession {
    /// The size of a piece of a COPY that is passed to the socket at once, in bytes.
    private static let pieceSize = 256 * 1024

    /// The header of a binary COPY: signature, flags, length of the extension.
    private static let header: [UInt8] = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00, 0, 0, 0, 0, 0, 0, 0, 0]

    /// The trailer of a binary COPY: a row of −1 fields.
    private static let trailer: [UInt8] = [0xFF, 0xFF]

    /// Copies rows into a table.
    ///
    /// - Parameters:
    ///   - sql: `COPY … FROM STDIN (FORMAT binary)`, optionally after `BEGIN;`.
    ///   - rows: the rows.
    ///   - range: the rows to copy; all when `nil`.
    ///   - timeout: the time limit; the session's default when `nil`.
    /// - Returns: the number of copied rows.
    /// - Throws: `server` when the server rejects a row; then no row is stored.
    @discardableResult
    package func copyIn(
        _ sql: String,
        rows: borrowing CopyWriter,
        range: Range<Int>? = nil,
        timeout: Duration? = nil
    ) throws(PostgresError) -> Int {
        try self.copyIn(sql, rows: rows, range: range ?? 0..<rows.rowCount, until: self.makeDeadline(timeout))
    }

    /// Copies rows in PostgreSQL's text format into a table.
    ///
    /// - Parameters:
    ///   - sql: `COPY … FROM STDIN`.
    ///   - timeout: the time limit of the whole copy.
    ///   - next: returns the next bytes of the rows; nil after the last ones.
    /// - Returns: the number of copied rows.
    /// - Throws: the error of `next`, after which no row is stored; or a `PostgresError`.
    @discardableResult
    package func copyText(
        _ sql: String,
        timeout: Duration,
        from next: () throws -> [UInt8]?
    ) throws -> Int {
        let deadline = self.makeDeadline(timeout)
        let connection = try self.requireConnection()
        connection.sendScript(sql, id: self.makeExchangeID())
        guard try self.wait(for: connection, until: deadline, orUntil: \.isCopyingIn) == nil else {
            throw PostgresError(.misuse, message: "the statement is not a COPY … FROM STDIN")
        }
        do {
            while let bytes = try next() {
                bytes.withUnsafeBytes { connection.sendCopyData($0) }
                connection.flush()
                guard try self.wait(for: connection, until: deadline, orUntil: \.isFlushed) == nil else {
                    throw PostgresError(.misuse, message: "a COPY ended before its rows were sent")
                }
            }
        } catch {
            if connection.isCopyingIn {
                connection.endCopy(error: "the source of the rows failed")
                _ = try? self.finish(connection, until: deadline)
            }
            throw error
        }
        connection.endCopy()
        return try self.finish(connection, until: deadline).last?.affectedRows ?? 0
    }

    /// Writes a batch in one transaction: `copy` (its rows, or a range of them), then `statements`, then COMMIT.
    ///
    /// Three round trips: `BEGIN; COPY`, the rows, and the statements with COMMIT as one pipeline. When the server
    /// rejects any part, the whole batch is rolled back and the session remains usable.
    ///
    /// Client and server work concurrently: `statements` is evaluated when the rows have been sent, and `meanwhile` is
    /// called before each wait, about once for every quarter of a megabyte of rows.
    ///
    /// - Parameters:
    ///   - sql: `COPY … FROM STDIN (FORMAT binary)`; not sent when there are no rows.
    ///   - rows: the rows.
    ///   - range: the rows to copy; all when `nil`.
    ///   - statements: the other statements of the batch.
    ///   - timeout: the time limit of the whole batch; the session's default when `nil`.
    ///   - meanwhile: other work during waits; it must be short, and must not use the session.
    /// - Returns: the results of `statements`.
    /// - Throws: `server` when nothing was written; `connectionLost` or `timedOut` when the outcome is unknown.
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

    /// Rolls back a failed transaction, so that the connection remains usable.
    private func rollBack(until deadline: Deadline) {
        guard let connection = try? self.requireConnection(), self.isInTransaction else { return }
        connection.send(["ROLLBACK"], id: self.makeExchangeID())
        // When this fails, the connection is closed and the server rolls back.
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

    /// Starts a COPY and sends its rows.
    ///
    /// The caller waits for the outcome.
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
            throw PostgresError(.misuse, message: "the statement is not a COPY … FROM STDIN")
        }
        Self.header.withUnsafeBytes { connection.sendCopyData($0) }
        try rows.withUnsafeRows(range) { bytes throws(PostgresError) in
            try self.send(bytes, to: connection, until: deadline, meanwhile: meanwhile)
        }
        Self.trailer.withUnsafeBytes { connection.sendCopyData($0) }
        connection.endCopy()
    }

    /// Sends bytes in pieces, and waits until the socket has accepted each.
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
            // The last piece is sent with the end of the COPY, so that a small batch wakes the server once instead of
            // four times.
            guard !rest.isEmpty else { return }
            connection.flush()
            // The socket is full, so the server has work to do.
            if !connection.isFlushed { meanwhile() }
            guard try self.wait(for: connection, until: deadline, orUntil: \.isFlushed) == nil else {
                throw PostgresError(.misuse, message: "a COPY ended before its rows were sent")
            }
        }
    }
}

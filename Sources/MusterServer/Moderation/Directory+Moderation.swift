package import MusterCore
import MusterWire
import Postgres

extension Directory {
    /// Reports by users, oldest first: open ones or all stored ones.
    ///
    /// - Throws: `unavailable`.
    package func reports(all: Bool) async throws -> [FiledReport] {
        let result = try await self.query(FiledReport.selection(all: all))
        return try result.map { row in try FiledReport(row) }
    }

    /// Closes reports without further action; all of them, or none.
    ///
    /// - Throws: `notFound` and `conflict`, which name a missing or closed report; `unavailable`.
    package func dismiss(_ reports: [ReportID]) async throws {
        let now = self.now
        let wanted = Set(reports).sorted()
        try await self.transaction { transaction in
            let found = try await transaction.query(
                "SELECT id, closed_at FROM muster.report WHERE id = ANY ($1) ORDER BY id FOR UPDATE",
                [.ids(wanted)]
            )
            var isClosed: [ReportID: Bool] = [:]
            for row in found { isClosed[try row.id("id")] = try !row.isNull("closed_at") }
            for report in wanted {
                guard let isClosed = isClosed[report] else {
                    throw FrameError(.notFound, message: "There is no report \(report).")
                }
                guard !isClosed else { throw FrameError(.conflict, message: "Report \(report) is closed already.") }
            }
            try await transaction.query(
                "UPDATE muster.report SET closed_at = $2 WHERE id = ANY ($1)",
                [.ids(wanted), .timestamptz(now)]
            )
        }
    }

    /// Removes content for all users, closes the reports about it, and notifies every server.
    ///
    /// - Parameters:
    ///   - subject: the content.
    ///   - reason: the reason, visible only to operators.
    /// - Throws: `badRequest` for the reason; `notFound` when there is no such content; `unavailable`. Nothing is
    ///   changed then.
    /// - Returns: the number of closed reports.
    package func takeDown(
        _ subject: TakeDown.Subject,
        reason: String? = nil
    ) async throws -> Int {
        let reason = try reason.map { reason in
            try Validation.text(reason, Report.reasonRule, field: "reason")
        }
        let now = self.now
        return try await self.transaction { transaction in
            var done = TakeDown(subject)
            switch subject {
            case .message(let room, let seq): try await transaction.takeDownMessage(seq, in: room, &done)
            case .event(let event): try await transaction.takeDownRow(of: "event", event)
            case .spot(let spot):
                try await transaction.takeDownRow(of: "spot", spot)
                done.spot = spot
            case .pin(let pin): try await transaction.takeDownRow(of: "pin", pin)
            case .photo(let photo): try await transaction.takeDownPhoto(photo, &done)
            }
            let results = try await transaction.pipeline([
                PostgresStatement(
                    """
                    UPDATE muster.report SET closed_at = $4
                    WHERE what = $1 AND subject_id = $2 AND room_id IS NOT DISTINCT FROM $3 AND closed_at IS NULL
                    """,
                    [
                        .text(subject.kind.rawValue), .int64(subject.number), .optional(subject.room?.rawValue),
                        .timestamptz(now),
                    ]
                ),
                PostgresStatement(
                    """
                    INSERT INTO muster.take_down (what, subject_id, room_id, reason, at, spot_id, rooms, groups)
                    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
                    """,
                    [
                        .text(subject.kind.rawValue), .int64(subject.number), .optional(subject.room?.rawValue),
                        .optional(reason), .timestamptz(now), .optional(done.spot?.rawValue), .ids(done.rooms),
                        .ids(done.groups),
                    ]
                ),
            ])
            return Int(results[0].affectedRows)
        }
    }

    /// The take-downs with the given row numbers.
    ///
    /// - Throws: `unavailable`.
    func takeDowns(_ numbers: [Int64]) async throws -> [TakeDown] {
        try await self.takeDowns("t.id = ANY ($1)", .int64Array(numbers.map { $0 }))
    }

    /// The take-downs since a time.
    ///
    /// - Throws: `unavailable`.
    func takeDowns(since time: Timestamp) async throws -> [TakeDown] {
        try await self.takeDowns("t.at >= $1", .timestamptz(time))
    }

    private func takeDowns(_ which: String, _ parameter: PostgresValue) async throws -> [TakeDown] {
        let result = try await self.query(
            "SELECT \(TakeDown.columns) FROM muster.take_down t WHERE \(which) ORDER BY t.id",
            [parameter]
        )
        return try result.map { row in try TakeDown(row) }
    }

    /// The current snapshots of groups; deleted ones are left out.
    ///
    /// - Throws: `unavailable`.
    func snapshots(of groups: [GroupID]) async throws -> [GroupSnapshot] {
        try GroupSnapshot.read(try await self.query(GroupSnapshot.selection, [.ids(groups)]))
    }
}

import MusterCore
import MusterWire
import Postgres

extension Directory {
    /// The maximum number of trackers of a user.
    static let trackerLimit: Int64 = 20
    /// The size of a tracker's token, in bytes.
    private static let tokenBytes = 16

    /// Adds a phone.
    ///
    /// - Parameters:
    ///   - app: the app that reports.
    ///   - name: the name of the phone.
    ///   - user: the user.
    /// - Throws: `badRequest`, `conflict` when the user has too many trackers, `unavailable`.
    /// - Returns: the device and its token.
    func addTracker(_ app: PhoneApp, name: String, by user: UserID) async throws -> (device: DeviceID, token: String) {
        let name = try Validation.text(name, .displayName, field: "name")
        let now = self.now
        let device: DeviceID = self.nextID(at: now)
        let token = randomURLSafeText(byteCount: Self.tokenBytes)
        return try await self.transaction { transaction in
            let locked = try await transaction.query(
                "SELECT (SELECT count(*) FROM muster.device_token t WHERE t.user_id = a.id) AS trackers "
                    + "FROM muster.account a WHERE a.id = $1 FOR UPDATE",
                [.id(user)]
            )
            guard let row = locked.first else { throw Self.deadToken }
            guard try row.int64("trackers") < Self.trackerLimit else {
                throw FrameError(
                    .conflict,
                    message: "You have \(Self.trackerLimit) phones already; remove one before you add another."
                )
            }
            // The key is random, so that no client's own device has it.
            try await transaction.query(
                """
                INSERT INTO muster.device (id, user_id, key, name, kind, last_seen, created_at)
                VALUES ($1, $2, $3, $4, 'tracker', $5, $5)
                """,
                [
                    .id(device), .id(user), .text("tracker-\(randomURLSafeText(byteCount: Self.tokenBytes))"),
                    .text(name), .timestamptz(now),
                ]
            )
            try await transaction.query(
                """
                INSERT INTO muster.device_token (device_id, user_id, token_hash, app, created_at)
                VALUES ($1, $2, $3, $4::text::muster.phone_app, $5)
                """,
                [
                    .id(device), .id(user), .bytea(AccessToken(text: token).hash), .text(app.rawValue),
                    .timestamptz(now),
                ]
            )
            return (device, token)
        }
    }

    /// Returns the phones of a user, oldest first.
    ///
    /// - Throws: `unavailable`.
    func trackers(of user: UserID) async throws -> [Tracker] {
        let result = try await self.query(
            """
            SELECT t.device_id, t.app::text AS app, coalesce(d.name, '') AS name, t.created_at, t.reported_at,
                t.problems, t.last_problem, t.last_problem_at
            FROM muster.device_token t JOIN muster.device d ON d.id = t.device_id
            WHERE t.user_id = $1 ORDER BY t.device_id
            """,
            [.id(user)]
        )
        var trackers: [Tracker] = []
        for row in result {
            var problem: Tracker.Problem?
            if let text = try row.optionalText("last_problem"), let at = try row.optionalTimestamp("last_problem_at") {
                problem = Tracker.Problem(text: text, at: at)
            }
            trackers.append(
                Tracker(
                    device: try row.id("device_id"),
                    app: try row.choice("app"),
                    name: try row.text("name"),
                    createdAt: try row.timestamp("created_at"),
                    reportedAt: try row.optionalTimestamp("reported_at"),
                    problems: try row.int64("problems"),
                    lastProblem: problem
                )
            )
        }
        return trackers
    }

    /// Removes a phone, whose token is invalid from now on.
    ///
    /// Its fixes stay in the history.
    ///
    /// - Throws: `notFound`, `unavailable`.
    func removeTracker(_ device: DeviceID, of user: UserID) async throws {
        let result = try await self.change(
            "DELETE FROM muster.device_token WHERE device_id = $1 AND user_id = $2 RETURNING device_id",
            [.id(device), .id(user)]
        )
        guard !result.isEmpty else { throw FrameError(.notFound, message: "You have no such phone.") }
    }

    /// Returns the device of a tracker's token; nil when the token is unknown.
    ///
    /// - Throws: `unavailable`.
    func tracker(token: String) async throws -> DeviceID? {
        let result = try await self.query(
            "SELECT device_id FROM muster.device_token WHERE token_hash = $1",
            [.bytea(AccessToken(text: token).hash)]
        )
        return try result.first?.id("device_id")
    }

    /// Admits a report: checks the token, and reads the state that the world needs.
    ///
    /// Like `hello`, call it only while the journal is ready.
    ///
    /// - Parameters:
    ///   - token: the token.
    ///   - keys: the keys of the fixes in the report.
    /// - Throws: `unavailable`.
    /// - Returns: the admission; nil when the token is unknown.
    func admitTracker(token: String, keys: [ReportKey]) async throws -> TrackerAdmission? {
        let now = self.now
        let result = try await self.query(
            Self.admissionSQL,
            [
                .bytea(AccessToken(text: token).hash), .timestamptz(now), .timestamptz(now - StoredDevice.leadingAge),
                .int64Array(keys.map(\.rawValue)),
            ]
        )
        guard let row = result.first else { return nil }
        let numbers = zip(try row.int64Array("known_keys"), try row.int64Array("known_numbers")).compactMap {
            key,
            number in
            key.flatMap { key in number.map { (ReportKey(rawValue: key), $0) } }
        }
        return TrackerAdmission(
            arrival: try await self.arrival(of: row, at: now),
            stored: StoredReports(
                highest: try row.int64("highest"),
                numbers: Dictionary(numbers, uniquingKeysWith: max)
            )
        )
    }

    /// Records parts of a tracker's reports that could not be used.
    ///
    /// - Throws: `unavailable`.
    func noteProblems(_ problems: [AppProblem], of device: DeviceID) async throws {
        guard let last = problems.last else { return }
        try await self.query(
            """
            UPDATE muster.device_token SET problems = problems + $2, last_problem = $3, last_problem_at = $4
            WHERE device_id = $1
            """,
            [.id(device), .int64(Int64(problems.count)), .text(last.text), .timestamptz(self.now)]
        )
    }

    /// Deletes the keys of reports that are older than the last of each device.
    func sweepReportKeys() async throws {
        try await self.query(
            """
            DELETE FROM muster.ingest_key k USING (
                SELECT t.device_id, (
                    SELECT x.seq FROM muster.ingest_key x WHERE x.device_id = t.device_id
                    ORDER BY x.seq DESC OFFSET $1 LIMIT 1
                ) AS seq
                FROM muster.device_token t
            ) last
            WHERE k.device_id = last.device_id AND k.seq <= last.seq
            """,
            [.int64(Int64(StoredReports.keptKeys))]
        )
        try await self.query(
            """
            DELETE FROM muster.ingest_key k
            WHERE NOT EXISTS (SELECT FROM muster.device_token t WHERE t.device_id = k.device_id)
            """
        )
    }

    // The update has no durability promise, so its commit does not wait for the disk.
    private static let admissionSQL = """
        WITH login AS (
            UPDATE muster.device_token SET reported_at = $2 WHERE token_hash = $1 RETURNING device_id, user_id
        ), device AS (
            SELECT d.id, d.acked_seq, d.clock_offset, d.kind, \(deviceColumns)
            FROM login JOIN muster.device d ON d.id = login.device_id
        ), known AS (
            SELECT k.key, k.seq FROM login JOIN muster.ingest_key k ON k.device_id = login.device_id AND k.key = ANY($4)
        )
        SELECT \(arrivalColumns(seenSince: "$3")),
            coalesce((SELECT max(k.seq) FROM muster.ingest_key k WHERE k.device_id = device.id), 0) AS highest,
            ARRAY(SELECT k.key FROM known k ORDER BY k.key) AS known_keys,
            ARRAY(SELECT k.seq FROM known k ORDER BY k.key) AS known_numbers,
            set_config('synchronous_commit', 'off', true) AS durability
        FROM login \(arrivalTables)
        """
}

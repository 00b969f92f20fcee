import MusterCore
package import MusterWire
import Postgres

extension Directory {
    /// Admits a device: checks the token, stores the device, and reads the state that the world needs.
    ///
    /// It takes one round trip in nearly all cases (see `devices(of:at:)`). Call it only while the journal is ready:
    /// before that, `acknowledgedSequence` may lag behind a pending commit of an earlier server.
    ///
    /// - Parameters:
    ///   - token: the secret of a login.
    ///   - device: the client's description of the device.
    ///   - keepsKind: whether a known device keeps its stored kind; reports without a session do not know the kind.
    /// - Returns: the admission with the user's state.
    /// - Throws: `unauthorized`, `badRequest`, `unavailable`.
    package func hello(
        token: String,
        device: Hello.Device,
        keepsKind: Bool = false
    ) async throws -> Admission {
        try require((1...64).contains(device.key.unicodeScalars.count), "device.key", "must have 1 to 64 characters")
        let now = self.now
        let fresh: DeviceID = self.nextID(at: now)
        let name = device.name.map { String(String.UnicodeScalarView($0.unicodeScalars.prefix(80))) }
        let result = try await self.query(
            Self.helloSQL,
            [
                .bytea(AccessToken(text: token).hash), .id(fresh), .text(device.key), .optional(name),
                .text(device.kind.rawValue), .timestamptz(now), .bool(keepsKind),
                .timestamptz(now - StoredDevice.leadingAge),
            ]
        )
        guard let row = result.first else { throw Self.deadToken }
        return Admission(
            arrival: try await self.arrival(of: row, at: now),
            login: try row.id("login_id"),
            expiresAt: try row.timestamp("expires_at")
        )
    }

    // A returning device updates only data without a durability promise, so its commit does not wait for the disk. A
    // new device does wait, because the journal relies on its row.
    private static let helloSQL = """
        WITH login AS (
            SELECT id, user_id, expires_at FROM muster.session_token WHERE token_hash = $1 AND expires_at > $6
        ), device AS (
            INSERT INTO muster.device AS d (id, user_id, key, name, kind, last_seen, created_at)
            SELECT $2, user_id, $3, $4::text, $5::text::muster.device_kind, $6, $6 FROM login
            ON CONFLICT (user_id, key) DO UPDATE
            SET name = coalesce(excluded.name, d.name), last_seen = excluded.last_seen,
                kind = CASE WHEN $7::bool THEN d.kind ELSE excluded.kind END
            RETURNING d.id, d.acked_seq, d.clock_offset, d.kind, \(deviceColumns)
        )
        SELECT login.id AS login_id, login.expires_at, \(arrivalColumns(seenSince: "$8")),
            CASE WHEN device.id <> $2 THEN set_config('synchronous_commit', 'off', true) END AS durability
        FROM login \(arrivalTables)
        """

    /// The columns of an `Arrival`, from `login` with its `user_id`, `device`, and `arrivalTables`.
    ///
    /// - Parameter seenSince: the parameter with the time since which other devices of the user count.
    /// - Returns: a part of a select list.
    static func arrivalColumns(seenSince: String) -> String {
        """
        device.id AS device_id, device.acked_seq, device.clock_offset, device.kind::text AS kind,
            \(companionColumn(seenSince: seenSince)),
            device.moved_at, device.anchor_lat, device.anchor_lon, device.anchor_accuracy, device.held_at, p.verdict,
            a.id AS user_id, a.name, a.avatar,
            a.last_notification, coalesce(e.state, 'offline') AS presence, e.last_seen, \(positionColumns),
            ARRAY(SELECT m.group_id FROM muster.membership m WHERE m.user_id = a.id ORDER BY m.group_id) AS groups,
            ARRAY(SELECT k.blocked_id FROM muster.block k WHERE k.user_id = a.id ORDER BY k.blocked_id) AS blocked,
            \(unseenColumn)
        """
    }

    /// The tables that are joined to `login` and `device` for `arrivalColumns`.
    static let arrivalTables = """
        JOIN muster.account a ON a.id = login.user_id
            CROSS JOIN device
            LEFT JOIN muster.presence e ON e.user_id = a.id
            LEFT JOIN muster.position p ON p.user_id = a.id
        """

    /// Reads the state of a user and a device from a row with `arrivalColumns`.
    ///
    /// - Throws: `unavailable`.
    func arrival(of row: PostgresRow, at now: Timestamp) async throws -> Arrival {
        let devices = try await self.devices(of: row, at: now)
        return Arrival(
            user: try row.profile(),
            device: try row.id("device_id"),
            kind: try row.choice("kind"),
            acknowledgedSequence: try row.int64("acked_seq"),
            clockOffset: try row.optionalInt64("clock_offset"),
            devices: devices,
            groups: try row.int64Array("groups").compactMap { $0.map(GroupID.init) },
            position: try row.storedPosition(),
            lastSeen: try row.optionalTimestamp("last_seen"),
            presence: try row.choice("presence"),
            lastNotification: try row.int64("last_notification"),
            unseen: try row.notifications("unseen"),
            blocked: try row.int64Array("blocked").compactMap { $0.map(UserID.init) }
        )
    }
}

import MusterCore
import Postgres

extension Directory {
    /// Reads the stored state of a user's devices: the connecting device and those seen recently.
    ///
    /// The device row contains the position of its last movement. The newest accepted fix and the pending fix are in
    /// the history, and reading it costs more than the rest of `hello`. The history is not read for a user's only
    /// device while the user's stored position came from it.
    ///
    /// - Parameters:
    ///   - row: the row of `hello`.
    ///   - now: the time.
    /// - Returns: the devices.
    /// - Throws: `unavailable`.
    func devices(of row: PostgresRow, at now: Timestamp) async throws -> [StoredDevice] {
        let own = try OwnDevice(row)
        guard own.needsHistory else { return [own.stored] }
        let result = try await self.query(
            Self.devicesSQL,
            [
                .id(own.user), .id(own.stored.device), .timestamptz(now - StoredDevice.leadingAge),
                .textArray(StoredDevice.acceptedVerdicts.map(\.rawValue)), .float8(Double(FixGate.accuracyLimit)),
                .timestamptz(now + FixGate.tolerance),
            ]
        )
        var devices: [StoredDevice] = []
        for row in result { devices.append(try StoredDevice(row)) }
        return devices
    }

    /// The columns of `muster.device d` for `StoredDevice`.
    static let deviceColumns = "d.moved_at, d.anchor_lat, d.anchor_lon, d.anchor_accuracy, d.held_at"

    /// Whether the user has another device than `device` that was seen since the time in a parameter.
    static func companionColumn(seenSince: String) -> String {
        """
        EXISTS (SELECT FROM muster.device o WHERE o.user_id = login.user_id AND o.id <> device.id
            AND o.last_seen > \(seenSince) AND o.anchor_lat IS NOT NULL) AS has_companion
        """
    }

    private static let devicesSQL = """
        SELECT d.id AS device_id, d.kind::text AS kind, \(deviceColumns), \(fixColumns("a")), \(fixColumns("h"))
        FROM muster.device d
            LEFT JOIN LATERAL (
                SELECT * FROM muster.fix x
                WHERE x.user_id = d.user_id AND x.device_id = d.id AND x.at > $3 AND x.at <= $6
                    AND x.verdict = ANY($4::text[]::muster.fix_verdict[]) AND coalesce(x.accuracy, 0) <= $5
                    AND x.at IS DISTINCT FROM d.held_at
                ORDER BY x.at DESC, x.seq DESC LIMIT 1
            ) a ON true
            LEFT JOIN LATERAL (
                SELECT * FROM muster.fix x
                WHERE x.user_id = d.user_id AND x.device_id = d.id AND x.at = d.held_at
                    AND x.verdict IN ('implausible', 'out_of_order')
                ORDER BY x.seq DESC LIMIT 1
            ) h ON d.id = $2
        WHERE d.user_id = $1 AND (d.id = $2 OR d.last_seen > $3 AND d.anchor_lat IS NOT NULL)
        ORDER BY d.id
        """

    private static func fixColumns(_ table: String) -> String {
        ["seq", "at", "lat", "lon", "accuracy", "altitude", "speed", "course", "battery", "trigger"]
            .map { "\(table).\($0) AS \(table)_\($0)" }.joined(separator: ", ")
    }
}

/// The connecting device, as read by `hello`.
private struct OwnDevice {
    let user: UserID
    let stored: StoredDevice
    /// Whether the fix history or other devices must be read.
    let needsHistory: Bool

    init(_ row: PostgresRow) throws {
        self.user = try row.id("user_id")
        self.stored = StoredDevice(
            device: try row.id("device_id"),
            kind: try row.choice("kind"),
            anchor: try row.deviceAnchor()
        )
        let isShown = try row.optionalInt64("position_device") == self.stored.device.rawValue
        let isAccurate = try row.optionalFloat4("accuracy") ?? 0 <= FixGate.accuracyLimit
        let isLate = try row.optionalText("verdict") == FixVerdict.late.rawValue
        let isAccepted = isShown && isAccurate && !isLate
        let isHeld = try !row.isNull("held_at")
        let hasCompanion = try row.bool("has_companion")
        self.needsHistory = isHeld || hasCompanion || self.stored.anchor != nil && !isAccepted
    }
}

extension StoredDevice {
    /// Reads a row of `devicesSQL`.
    fileprivate init(_ row: PostgresRow) throws {
        self.init(
            device: try row.id("device_id"),
            kind: try row.choice("kind"),
            anchor: try row.deviceAnchor(),
            accepted: try row.isNull("a_seq") ? nil : try row.fix(prefix: "a_"),
            pendingFix: try row.isNull("h_seq") ? nil : try row.fix(prefix: "h_")
        )
    }
}

extension PostgresRow {
    /// The device's position when it last moved.
    fileprivate func deviceAnchor() throws -> DeviceAnchor? {
        guard try !self.isNull("anchor_lat") else { return nil }
        return DeviceAnchor(
            coordinate: Coordinate(latitude: try self.float8("anchor_lat"), longitude: try self.float8("anchor_lon")),
            accuracy: try self.optionalFloat4("anchor_accuracy") ?? 0,
            movedAt: try self.optionalTimestamp("moved_at")
        )
    }
}

import MusterCore
import MusterWire
import Postgres

// The database stores the history of fixes in muster.fix, with the arrival time of each. For groups and sharing it only
// stores the present: the members, the times when they joined, and their sharing. So history is replayed for the
// current members, from the times when they joined. Fixes that were permanently hidden from others
// (membership.visible_since) are left out. A member whose sharing is less than `live` now takes no part at all, because
// the time of that change is unknown. Spots name places from the time of their creation; deleted spots are unknown.

/// The trace of one group, from the history in PostgreSQL.
struct HistoryTrace: Sendable {
    /// The group.
    let group: GroupID
    /// The beginning of the output; fixes of the preceding day are read too.
    let since: Timestamp
    /// The exclusive end of the arrival times; nil for no end.
    let until: Timestamp?

    /// The lead time before `since`, in milliseconds.
    ///
    /// Members who were seen within a day count, and the lead time also provides clocks, cooldowns and earlier alerts.
    private static let lead: Int64 = 86_400_000

    private static let fetch = "FETCH FORWARD 5000 FROM replay"

    private static let groupQuery = """
        SELECT name, radius::float8 AS radius, dwell, max_absent, cooldown FROM muster.grp WHERE id = $1
        """

    private static let memberQuery = """
        SELECT user_id, CASE WHEN is_over THEN 'paused' ELSE sharing END::text AS sharing,
            CASE WHEN NOT is_over THEN sharing_until END AS sharing_until
        FROM muster.membership, coalesce(sharing_then = 'paused' AND sharing_until <= now(), false) AS is_over
        WHERE group_id = $1 ORDER BY role = 'owner' DESC, joined_at, user_id
        """

    // Arrivals within one millisecond are ordered by device id, then by sequence number.
    private static let fixQuery = """
        SELECT f.device_id, d.kind::text AS kind, f.seq, f.user_id, f.at, f.received_at, f.lat, f.lon, f.accuracy,
            f.trigger::text AS trigger
        FROM muster.fix f JOIN muster.membership m ON m.group_id = $1 AND m.user_id = f.user_id
            LEFT JOIN muster.device d ON d.id = f.device_id
        WHERE f.at >= $2::timestamptz - interval '1 day' AND f.received_at >= $2
            AND ($3::timestamptz IS NULL OR f.received_at < $3)
            AND f.at >= muster.shown_since(m.sharing, m.sharing_until, m.sharing_then, m.visible_since)
            AND f.received_at >= m.joined_at
        ORDER BY f.received_at, f.device_id, f.seq
        """

    /// A named place, and the time of its creation.
    typealias DatedPlace = (at: Timestamp, place: NamedPlace)

    private static let placeQuery = """
        SELECT id, lat, lon, comment, created_at FROM muster.spot
        WHERE $1::timestamptz IS NULL OR created_at < $1 ORDER BY created_at, id
        """

    /// Passes every line to `body`, in the order of arrival, with only a part of them in memory.
    ///
    /// Blocks.
    ///
    /// - Parameters:
    ///   - connectionString: the database.
    ///   - places: receives the named places, in order of time, before the first line.
    ///   - body: receives the lines.
    /// - Throws: errors of reading, and errors of a closure.
    func read(
        from connectionString: String,
        places: ([DatedPlace]) -> Void,
        _ body: (TraceLine) throws -> Void
    ) throws {
        let session = PostgresSession(connectionString: connectionString, timeout: .seconds(600))
        try session.connect(timeout: .seconds(30))
        defer { session.close() }
        // One consistent snapshot, however long it takes.
        try session.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        for line in try self.readGroup(session) { try body(line) }
        let end: PostgresValue = self.until.map { .timestamptz(unixMilliseconds: $0.milliseconds) } ?? .null
        places(try session.execute(Self.placeQuery, [end]).map { try Self.place($0) })
        let bounds: [PostgresValue] = [
            .int64(self.group.rawValue), .timestamptz(unixMilliseconds: self.begin.milliseconds), end,
        ]
        try session.execute("DECLARE replay NO SCROLL CURSOR FOR \(Self.fixQuery)", bounds)
        while true {
            let rows = try session.execute(Self.fetch)
            for row in rows { try body(.fix(try Self.report(row))) }
            if rows.isEmpty { return }
        }
    }

    private var begin: Timestamp { self.since - Self.lead }

    /// The group, and the sharing of its members.
    private func readGroup(_ session: PostgresSession) throws -> [TraceLine] {
        guard let row = try session.execute(Self.groupQuery, [.int64(self.group.rawValue)]).first else {
            throw ReplayError(.nothingFound, message: "the database has no group \(self.group)")
        }
        let members = try session.execute(Self.memberQuery, [.int64(self.group.rawValue)])
        let group = TraceLine.Group(
            id: self.group.description,
            name: try row.text("name"),
            members: try members.map { try $0.int64("user_id").description },
            settings: GroupSettingsPatch(
                radius: try row.float8("radius"),
                dwell: Int(try row.int32("dwell")),
                maxAbsent: Int(try row.int32("max_absent")),
                cooldown: Int(try row.int32("cooldown"))
            )
        )
        var lines = [TraceLine.group(group)]
        for member in members {
            guard let mode = Sharing.Mode(rawValue: try member.text("sharing")), mode != .live else { continue }
            let until = try member.optionalUnixMilliseconds("sharing_until")
            let choice = TraceLine.Choice(
                user: try member.int64("user_id").description,
                at: self.begin,
                receivedAt: self.begin,
                mode: mode,
                until: until.map(Timestamp.init(milliseconds:))
            )
            lines.append(.sharing(choice))
        }
        return lines
    }

    private static func place(_ row: PostgresRow) throws(PostgresError) -> DatedPlace {
        let place = NamedPlace(
            spot: SpotID(try row.int64("id")),
            coordinate: Coordinate(latitude: try row.float8("lat"), longitude: try row.float8("lon")),
            name: PlaceName.of(comment: try row.text("comment"))
        )
        return (Timestamp(milliseconds: try row.unixMilliseconds("created_at")), place)
    }

    private static func report(_ row: PostgresRow) throws(PostgresError) -> TraceLine.Report {
        TraceLine.Report(
            user: try row.int64("user_id").description,
            device: try row.int64("device_id").description,
            kind: try row.optionalText("kind").flatMap(DeviceKind.init(rawValue:)),
            receivedAt: Timestamp(milliseconds: try row.unixMilliseconds("received_at")),
            fix: Fix(
                sequence: try row.int64("seq"),
                at: Timestamp(milliseconds: try row.unixMilliseconds("at")),
                coordinate: Coordinate(latitude: try row.float8("lat"), longitude: try row.float8("lon")),
                accuracy: try row.optionalFloat4("accuracy"),
                trigger: try row.optionalText("trigger").flatMap(Fix.Trigger.init(rawValue:))
            )
        )
    }
}

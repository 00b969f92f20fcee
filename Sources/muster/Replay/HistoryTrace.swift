import MusterCore
import MusterWire
import Postgres

// What the database keeps of the past is the fixes, in muster.fix, with the moment at which each arrived. Of groups and
// sharing it keeps the present: who is a member, since when, and what they share. So history is replayed for those who are
// members now, from when they joined. It leaves out what others were never to see again (membership.visible_since), and who
// shares less than `live` now takes no part from the beginning, because since when they do is not known. Spots name places
// from when they were added; of those deleted since nothing is known.

/// The trace of one group, from the history in PostgreSQL.
struct HistoryTrace: Sendable {
    /// Which group.
    let group: GroupID
    /// From which moment on decisions are asked for; what arrived within a day before it is read too.
    let since: Timestamp
    /// The moment of arrival behind the last; nil for all there is.
    let until: Timestamp?

    /// How much earlier what is read begins, in milliseconds: who was heard of within a day counts, and clocks, cooldowns
    /// and who was told already come from there too.
    private static let lead: Int64 = 86_400_000

    private static let fetch = "FETCH FORWARD 5000 FROM replay"

    private static let groupQuery = """
        SELECT name, radius::float8 AS radius, dwell, max_absent, cooldown FROM muster.grp WHERE id = $1
        """

    private static let memberQuery = """
        SELECT user_id, sharing::text AS sharing, sharing_until FROM muster.membership
        WHERE group_id = $1 ORDER BY role = 'owner' DESC, joined_at, user_id
        """

    // Arrivals of one millisecond keep the order of their device; two devices then stand in the order of their ids.
    private static let fixQuery = """
        SELECT f.device_id, d.kind::text AS kind, f.seq, f.user_id, f.at, f.received_at, f.lat, f.lon, f.accuracy,
            f.trigger::text AS trigger
        FROM muster.fix f JOIN muster.membership m ON m.group_id = $1 AND m.user_id = f.user_id
            LEFT JOIN muster.device d ON d.id = f.device_id
        WHERE f.at >= $2::timestamptz - interval '1 day' AND f.received_at >= $2
            AND ($3::timestamptz IS NULL OR f.received_at < $3)
            AND f.at >= muster.shown_since(m.sharing, m.sharing_until, m.visible_since)
            AND f.received_at >= m.joined_at
        ORDER BY f.received_at, f.device_id, f.seq
        """

    /// A place, and since when it has its name.
    typealias DatedPlace = (at: Timestamp, place: NamedPlace)

    private static let placeQuery = """
        SELECT id, lat, lon, comment, created_at FROM muster.spot
        WHERE $1::timestamptz IS NULL OR created_at < $1 ORDER BY created_at, id
        """

    /// Gives every line to `body`, in the order in which things happened, without holding more than a part of them.
    ///
    /// Blocks.
    ///
    /// - Parameters:
    ///   - connectionString: the database.
    ///   - places: is given what places are called, by rising times, before the first line.
    ///   - body: is given the lines.
    /// - Throws: what reading or a closure throws.
    func read(
        from connectionString: String,
        places: ([DatedPlace]) -> Void,
        _ body: (TraceLine) throws -> Void
    ) throws {
        let session = PostgresSession(connectionString: connectionString, timeout: .seconds(600))
        try session.connect(timeout: .seconds(30))
        defer { session.close() }
        // One snapshot, however long it takes.
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

    /// The group, and what its members share.
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

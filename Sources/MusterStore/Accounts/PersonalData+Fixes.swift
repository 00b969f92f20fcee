extension PersonalData {
    /// All fixes with all that is known of them.
    static let fixes = pagesOfFixes(
        item: """
            json_build_object('device', f.device_id::text, 'seq', f.seq, 'at', \(time("f.at")),
                'receivedAt', \(time("f.received_at")), 'lat', f.lat, 'lon', f.lon, 'accuracy', f.accuracy,
                'altitude', f.altitude, 'speed', f.speed, 'course', f.course, 'battery', f.battery,
                'trigger', f.trigger, 'verdict', f.verdict)::text
            """,
        where: "true"
    )

    /// Where the person was, as points of a GPX track.
    ///
    /// Without the fixes of devices that were elsewhere, and of those that nobody believed.
    static let trackPoints = pagesOfFixes(
        item: """
            format(
                '<trkpt lat="%s" lon="%s">%s<time>%s</time></trkpt>', round(f.lat::numeric, 7), round(f.lon::numeric, 7),
                '<ele>' || round(f.altitude::numeric, 1) || '</ele>',
                to_char(f.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
            )
            """,
        where: "f.verdict NOT IN ('secondary', 'implausible', 'inaccurate')"
    )

    /// Fixes by time, device and number; the first part of the cursor is microseconds, as PostgreSQL counts them.
    ///
    /// The time is compared as the column is, so that its index and its partitions serve.
    private static func pagesOfFixes(item: String, where condition: String) -> PagedQuery {
        PagedQuery(
            sql: """
                SELECT ARRAY[(extract(epoch FROM f.at) * 1000000)::bigint, f.device_id, f.seq] AS cursor, \(item) AS item
                FROM muster.fix f
                WHERE f.user_id = $1 AND \(condition)
                    AND (f.at, f.device_id, f.seq)
                        > (timestamptz 'epoch' + $2[1] * interval '1 microsecond', $2[2], $2[3])
                ORDER BY f.at, f.device_id, f.seq LIMIT $3
                """,
            // Before anybody had a phone, and within what PostgreSQL calls a time.
            start: [-3_000_000_000_000_000, .min, .min]
        )
    }
}

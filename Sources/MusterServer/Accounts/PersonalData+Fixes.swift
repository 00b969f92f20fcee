extension PersonalData {
    /// All fixes with all their stored fields.
    static let fixes = pagesOfFixes(
        item: """
            json_build_object('device', f.device_id::text, 'seq', f.seq, 'at', \(time("f.at")),
                'receivedAt', \(time("f.received_at")), 'lat', f.lat, 'lon', f.lon, 'accuracy', f.accuracy,
                'altitude', f.altitude, 'speed', f.speed, 'course', f.course, 'battery', f.battery,
                'trigger', f.trigger, 'verdict', f.verdict)::text
            """,
        where: "true"
    )

    /// The user's track as points of a GPX file.
    ///
    /// Fixes of secondary devices and implausible or inaccurate fixes are left out.
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

    /// Pages of fixes by time, device and sequence number; the first part of the cursor is PostgreSQL's microseconds.
    ///
    /// The condition compares the column itself, so that its index and partitions are used.
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
            // Before any possible fix, and within PostgreSQL's range of timestamps.
            start: [-3_000_000_000_000_000, .min, .min]
        )
    }
}

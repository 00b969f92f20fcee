// Times are milliseconds, ids are texts, as on the wire (PROTOCOL 1). Secrets are in no export: no hash of a password or token,
// no code of an invite, and not a device's key, which speaks for the device.

extension PersonalData {
    /// Every table with something of a person, in the order in which it is deleted and exported.
    package static let all: [PersonalData] = accounts + groups + locations + gatherings + spots + photos

    private static let accounts = [
        PersonalData("account", export: .nothing("the profile stands at the head of the export")),
        PersonalData(
            "session_token",
            export: .list(
                "logins",
                PagedQuery(
                    "json_build_object('at', \(time("t.created_at")), 'expiresAt', \(time("t.expires_at")))",
                    from: "muster.session_token t WHERE t.user_id = $1",
                    orderedBy: "t.id"
                )
            )
        ),
        PersonalData(
            "device",
            export: .list(
                "devices",
                PagedQuery(
                    """
                    json_build_object('id', d.id::text, 'name', d.name, 'kind', d.kind, 'ackedSeq', d.acked_seq,
                        'clockOffset', d.clock_offset, 'at', \(time("d.created_at")), 'lastSeen', \(time("d.last_seen")))
                    """,
                    from: "muster.device d WHERE d.user_id = $1",
                    orderedBy: "d.id"
                )
            )
        ),
        PersonalData(
            "presence",
            export: .list(
                "presence",
                PagedQuery(
                    """
                    json_build_object('presence', p.state, 'lastSeen', \(time("p.last_seen")),
                        'at', \(time("p.changed_at")))
                    """,
                    from: "muster.presence p WHERE p.user_id = $1",
                    orderedBy: "p.user_id"
                )
            )
        ),
        PersonalData("live_session", export: .nothing("a socket that is open now; its device is exported")),
    ]

    private static let groups = [
        PersonalData(
            "membership",
            export: .list(
                "memberships",
                PagedQuery(
                    """
                    json_build_object('group', m.group_id::text, 'name', g.name, 'role', m.role, 'sharing', m.sharing,
                        'until', \(time("m.sharing_until")), 'joinedAt', \(time("m.joined_at")))
                    """,
                    from: "muster.membership m JOIN muster.grp g ON g.id = m.group_id WHERE m.user_id = $1",
                    orderedBy: "m.group_id"
                )
            )
        ),
        PersonalData(
            "invite",
            export: .list(
                "invites",
                // Codes have no order that a page could go on from, and of open ones there are few.
                PagedQuery(
                    sql: """
                        SELECT ARRAY[n]::bigint[] AS cursor, item FROM (
                            SELECT row_number() OVER (ORDER BY i.created_at, i.code) AS n,
                                json_build_object('group', i.group_id::text, 'at', \(time("i.created_at")),
                                    'expiresAt', \(time("i.expires_at")), 'usesLeft', i.uses_left,
                                    'revokedAt', \(time("i.revoked_at")))::text AS item
                            FROM muster.invite i WHERE i.created_by = $1
                        ) AS numbered WHERE n > $2[1] ORDER BY n LIMIT $3
                        """,
                    start: [0]
                )
            )
        ),
    ]

    private static let locations = [
        PersonalData(
            "position",
            export: .list(
                "position",
                PagedQuery(
                    """
                    json_build_object('device', p.device_id::text, 'seq', p.seq, 'at', \(time("p.at")), 'lat', p.lat,
                        'lon', p.lon, 'accuracy', p.accuracy)
                    """,
                    from: "muster.position p WHERE p.user_id = $1",
                    orderedBy: "p.user_id"
                )
            )
        ),
        // The fixes go after the devices: a batch of the journal that holds the devices has committed by then, and one that
        // comes later finds no device and takes its fixes back (see `JournalBatch`).
        PersonalData(
            "fix",
            deletion: .after("DELETE FROM muster.fix WHERE user_id = $1"),
            export: .list("fixes", fixes)
        ),
    ]

    private static let gatherings = [
        PersonalData(
            "gathering_member",
            export: .list(
                "gatherings",
                PagedQuery(
                    """
                    json_build_object('gathering', x.id::text, 'group', x.group_id::text, 'state', x.state,
                        'since', \(time("x.since")), 'endedAt', \(time("x.ended_at")), 'tookPart', m.took_part,
                        'place', json_build_object('lat', x.lat, 'lon', x.lon, 'name', x.place_name))
                    """,
                    from: """
                        muster.gathering_member m JOIN muster.gathering x ON x.id = m.gathering_id
                        WHERE m.user_id = $1
                        """,
                    orderedBy: "m.gathering_id"
                )
            )
        ),
        PersonalData(
            "notification",
            export: .list(
                "notifications",
                PagedQuery(
                    """
                    json_build_object('notification', n.number, 'kind', n.kind, 'group', n.group_id::text,
                        'at', \(time("n.at")), 'seenAt', \(time("n.seen_at")), 'payload', n.payload)
                    """,
                    from: "muster.notification n WHERE n.user_id = $1",
                    orderedBy: "n.number"
                )
            )
        ),
    ]

    private static let spots = [
        // Watchers hear which are gone, and of which fewer people think something.
        PersonalData(
            "spot",
            deletion: .before("DELETE FROM muster.spot WHERE author_id = $1 RETURNING id"),
            export: .list(
                "spots",
                PagedQuery(
                    """
                    json_build_object('id', s.id::text, 'lat', s.lat, 'lon', s.lon, 'comment', s.comment,
                        'category', s.category, 'photo', u.photo_id::text, 'at', \(time("s.created_at")))
                    """,
                    from: "muster.spot s LEFT JOIN muster.photo_use u ON u.spot_id = s.id WHERE s.author_id = $1",
                    orderedBy: "s.id"
                )
            )
        ),
        PersonalData(
            "spot_vote",
            deletion: .before("DELETE FROM muster.spot_vote WHERE user_id = $1 RETURNING spot_id AS id"),
            export: .list(
                "votes",
                PagedQuery(
                    "json_build_object('spot', v.spot_id::text, 'vote', v.vote)",
                    from: "muster.spot_vote v WHERE v.user_id = $1",
                    orderedBy: "v.spot_id"
                )
            )
        ),
    ]

    private static let photos = [
        PersonalData(
            "photo",
            export: .list(
                "photos",
                // The files are had at their addresses, which only the person's own export tells all of.
                PagedQuery(
                    """
                    json_build_object('id', p.id::text, 'shape', p.shape,
                        'url', muster.photo_address(p.id, p.key, false),
                        'thumb', muster.photo_address(p.id, p.key, true), 'width', p.width, 'height', p.height,
                        'at', \(time("p.created_at")))
                    """,
                    from: "muster.photo p WHERE p.user_id = $1",
                    orderedBy: "p.id"
                )
            )
        ),
        PersonalData("photo_use", export: .nothing("the profile and each spot name their photo")),
    ]

    /// A moment as the wire has it.
    private static func time(_ column: String) -> String { "(extract(epoch FROM \(column)) * 1000)::bigint" }

    // MARK: Fixes

    /// All fixes with all that is known of them.
    private static let fixes = pagesOfFixes(
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

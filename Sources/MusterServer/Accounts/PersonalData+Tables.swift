// Times are milliseconds and ids are texts, as on the wire (public/docs/protocol.md#conventions). An export contains no
// secrets: no hash of a password or token, no code of an invite, and no device key, which would authenticate the
// device.

extension PersonalData {
    /// Every table with personal data, in the order of deletion and export.
    package static let all: [PersonalData] =
        accounts + chat + groups + places + shares + locations + gatherings + spots + pins + plans + events + photos

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
            "identity",
            export: .list(
                "identities",
                PagedQuery(
                    """
                    json_build_object('provider', i.provider, 'issuer', i.issuer, 'subject', i.subject,
                        'at', \(time("i.created_at")), 'lastLoginAt', \(time("i.last_login_at")))
                    """,
                    from: "muster.identity i WHERE i.user_id = $1",
                    orderedBy: "i.id"
                )
            )
        ),
        PersonalData("login_flow", export: .nothing("a sign-in under way, for ten minutes")),
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
            "device_token",
            export: .list(
                "trackers",
                PagedQuery(
                    """
                    json_build_object('device', t.device_id::text, 'app', t.app, 'at', \(time("t.created_at")),
                        'reportedAt', \(time("t.reported_at")), 'problems', t.problems, 'lastProblem', t.last_problem,
                        'lastProblemAt', \(time("t.last_problem_at")))
                    """,
                    from: "muster.device_token t WHERE t.user_id = $1",
                    orderedBy: "t.device_id"
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
        PersonalData("known_device", export: .nothing("hashes of devices that were forgotten")),
        PersonalData(
            "push_target",
            export: .list(
                "pushTargets",
                PagedQuery(
                    """
                    json_build_object('id', t.id::text, 'type', t.kind, 'name', t.name, 'place', t.place,
                        'lang', t.language, 'at', \(time("t.created_at")), 'succeededAt', \(time("t.succeeded_at")))
                    """,
                    from: "muster.push_target t WHERE t.user_id = $1",
                    orderedBy: "t.id"
                )
            )
        ),
        PersonalData(
            "push_setting",
            export: .list(
                "pushSettings",
                PagedQuery(
                    "json_build_object('kinds', s.kinds, 'muted', s.muted, 'quiet', s.quiet)",
                    from: "muster.push_setting s WHERE s.user_id = $1",
                    orderedBy: "s.user_id"
                )
            )
        ),
        PersonalData("push_outbox", export: .nothing("notifications, which are exported, on their way")),
        PersonalData("push_delivery", export: .nothing("notifications, which are exported, on their way")),
        PersonalData("live_session", export: .nothing("a socket that is open now; its device is exported")),
    ]

    private static let chat = [
        PersonalData(
            "message",
            deletion: .before("SELECT id FROM muster.erase_messages($1) AS id"),
            export: .list(
                "messages",
                PagedQuery(
                    """
                    json_build_object('room', m.room_id::text, 'seq', m.seq, 'kind', m.kind, 'text', m.text,
                        'photo', u.photo_id::text, 'replyTo', m.reply_to, 'at', \(time("m.at")),
                        'editedAt', \(time("m.edited_at")), 'deleted', m.deleted)
                    """,
                    from: """
                        muster.message m LEFT JOIN muster.photo_use u ON u.room_id = m.room_id AND u.message_seq = m.seq
                        WHERE m.author_id = $1 AND m.kind <> 'system'
                        """,
                    orderedBy: "m.room_id",
                    "m.seq"
                )
            )
        ),
        PersonalData("room_member", export: .nothing("what one has read; memberships and answers are exported")),
        PersonalData(
            "block",
            export: .list(
                "blocked",
                PagedQuery(
                    "json_build_object('user', k.blocked_id::text, 'at', \(time("k.at")))",
                    from: "muster.block k WHERE k.user_id = $1",
                    orderedBy: "k.blocked_id"
                )
            )
        ),
        PersonalData(
            "report",
            export: .list(
                "reports",
                PagedQuery(
                    """
                    json_build_object('what', p.what, 'subject', p.subject_id::text, 'room', p.room_id::text,
                        'reason', p.reason, 'at', \(time("p.at")))
                    """,
                    from: "muster.report p WHERE p.user_id = $1",
                    orderedBy: "p.id"
                )
            )
        ),
    ]

    private static let groups = [
        PersonalData(
            "membership",
            export: .list(
                "memberships",
                PagedQuery(
                    """
                    json_build_object('group', m.group_id::text, 'name', g.name, 'role', m.role, 'sharing', m.sharing,
                        'until', \(time("m.sharing_until")), 'then', m.sharing_then, 'pictures', m.pictures,
                        'joinedAt', \(time("m.joined_at")))
                    """,
                    from: "muster.membership m JOIN muster.grp g ON g.id = m.group_id WHERE m.user_id = $1",
                    orderedBy: "m.group_id"
                )
            )
        ),
        PersonalData(
            "departure",
            export: .list(
                "departures",
                PagedQuery(
                    "json_build_object('group', d.group_id::text, 'removed', d.is_removed, 'at', \(time("d.at")))",
                    from: "muster.departure d WHERE d.user_id = $1",
                    orderedBy: "d.group_id"
                )
            )
        ),
        // A former member does not see later uses of an invite code, nor a later revocation.
        PersonalData(
            "invite",
            export: .list(
                "invites",
                // Codes have no order for a cursor, and a user has few open ones.
                PagedQuery(
                    sql: """
                        SELECT ARRAY[n]::bigint[] AS cursor, item FROM (
                            SELECT row_number() OVER (ORDER BY i.created_at, i.code) AS n,
                                json_build_object('group', i.group_id::text, 'at', \(time("i.created_at")),
                                    'expiresAt', \(time("i.expires_at")),
                                    'usesLeft', CASE WHEN m.user_id IS NOT NULL THEN i.uses_left END,
                                    'revokedAt', \(time(
                                        "CASE WHEN m.user_id IS NOT NULL OR i.revoked_at <= d.at THEN i.revoked_at END"
                                    )))::text AS item
                            FROM muster.invite i
                                LEFT JOIN muster.membership m ON m.group_id = i.group_id AND m.user_id = $1
                                LEFT JOIN muster.departure d ON d.group_id = i.group_id AND d.user_id = $1
                            WHERE i.created_by = $1
                        ) AS numbered WHERE n > $2[1] ORDER BY n LIMIT $3
                        """,
                    start: [0]
                )
            )
        ),
    ]

    private static let places = [
        // The places stay, for the owner of their group.
        PersonalData(
            "group_place",
            deletion: .before("UPDATE muster.group_place SET created_by = NULL WHERE created_by = $1"),
            export: .list(
                "places",
                PagedQuery(
                    """
                    json_build_object('id', p.id::text, 'group', p.group_id::text, 'name', p.name, 'icon', p.icon,
                        'lat', p.lat, 'lon', p.lon, 'radius', p.radius, 'at', \(time("p.created_at")))
                    """,
                    from: "muster.group_place p WHERE p.created_by = $1",
                    orderedBy: "p.id"
                )
            )
        ),
        PersonalData(
            "place_consent",
            export: .list(
                "placeChoices",
                PagedQuery(
                    """
                    json_build_object('place', c.place_id::text, 'everybody', c.everybody,
                        'to', (SELECT coalesce(json_agg(r.receiver_id::text ORDER BY r.receiver_id), '[]')
                            FROM muster.place_receiver r WHERE r.place_id = c.place_id AND r.user_id = c.user_id),
                        'at', \(time("c.at")))
                    """,
                    from: "muster.place_consent c WHERE c.user_id = $1",
                    orderedBy: "c.place_id"
                )
            )
        ),
        PersonalData("place_receiver", export: .nothing("the receivers are part of the choice")),
        PersonalData(
            "place_mute",
            export: .list(
                "placesMuted",
                PagedQuery(
                    "json_build_object('place', m.place_id::text)",
                    from: "muster.place_mute m WHERE m.user_id = $1",
                    orderedBy: "m.place_id"
                )
            )
        ),
        PersonalData(
            "place_state",
            export: .list(
                "placeStates",
                PagedQuery(
                    "json_build_object('place', s.place_id::text, 'inside', s.inside, 'since', \(time("s.since")))",
                    from: "muster.place_state s WHERE s.user_id = $1",
                    orderedBy: "s.place_id"
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
        // Fixes are deleted after the devices. By then a journal batch that locks the devices has committed. A later
        // batch finds no device and removes its fixes again (see `JournalBatch`).
        PersonalData(
            "fix",
            deletion: .after("DELETE FROM muster.fix WHERE user_id = $1"),
            export: .list("fixes", fixes)
        ),
    ]

    private static let gatherings = [
        // A gathering continues after a member left the group: a former member gets its state at the departure, if it
        // was stored by then.
        PersonalData(
            "gathering_member",
            export: .list(
                "gatherings",
                PagedQuery(
                    """
                    json_build_object('gathering', x.id::text, 'group', x.group_id::text,
                        'state', CASE WHEN k.is_known THEN x.state::text ELSE d.gatherings -> x.id::text ->> 'state' END,
                        'since', \(time("x.since")),
                        'endedAt', \(time("CASE WHEN k.is_known THEN x.ended_at END")), 'tookPart', m.took_part,
                        'place', CASE WHEN k.is_known THEN jsonb_build_object('lat', x.lat, 'lon', x.lon, 'name', x.place_name)
                            ELSE (d.gatherings -> x.id::text) - 'state' END)
                    """,
                    from: """
                        muster.gathering_member m JOIN muster.gathering x ON x.id = m.gathering_id
                            LEFT JOIN muster.membership b ON b.group_id = x.group_id AND b.user_id = m.user_id
                            LEFT JOIN muster.departure d ON d.group_id = x.group_id AND d.user_id = m.user_id
                            CROSS JOIN LATERAL (SELECT coalesce(x.ended_at <= d.at, false) OR b.user_id IS NOT NULL
                                AND (d.at IS NULL OR coalesce(x.ended_at, 'infinity') > b.joined_at) AS is_known) k
                        WHERE m.user_id = $1 AND (k.is_known OR d.gatherings ? x.id::text)
                        """,
                    orderedBy: "m.gathering_id"
                )
            )
        ),
        // A mention includes the text only while the message is unchanged and its author is not blocked.
        PersonalData(
            "notification",
            export: .list(
                "notifications",
                PagedQuery(
                    """
                    json_build_object('notification', n.number, 'kind', n.kind, 'group', n.group_id::text,
                        'at', \(time("n.at")), 'seenAt', \(time("n.seen_at")),
                        'payload', CASE WHEN n.kind <> 'mention' OR EXISTS (
                            SELECT FROM muster.message w
                            WHERE w.room_id = (n.payload ->> 'room')::bigint AND w.seq = (n.payload ->> 'seq')::bigint
                                AND NOT w.deleted AND w.edited_at IS NULL AND NOT EXISTS (SELECT FROM muster.block k
                                    WHERE k.user_id = n.user_id AND k.blocked_id = w.author_id)
                        ) THEN n.payload ELSE n.payload - 'text' END)
                    """,
                    from: "muster.notification n WHERE n.user_id = $1",
                    orderedBy: "n.number"
                )
            )
        ),
    ]

    private static let spots = [
        // The returned ids notify subscribers of deleted spots and of changed vote counts.
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

    private static let pins = [
        // The pin is no longer visible when the request is answered.
        PersonalData(
            "pin",
            deletion: .before("DELETE FROM muster.pin WHERE user_id = $1 RETURNING id"),
            export: .list(
                "pins",
                PagedQuery(
                    """
                    json_build_object('id', p.id::text, 'text', p.text, 'label', p.label, 'lat', p.lat, 'lon', p.lon,
                        'approximate', p.approximate, 'link', p.link, 'at', \(time("p.posted_at")))
                    """,
                    from: "muster.pin p WHERE p.user_id = $1",
                    orderedBy: "p.id"
                )
            )
        )
    ]

    private static let plans = [
        PersonalData(
            "suggestion",
            export: .list(
                "suggestions",
                PagedQuery(
                    "json_build_object('id', s.id::text, 'at', \(time("s.created_at")), 'plans', s.plans)",
                    from: "muster.suggestion s WHERE s.user_id = $1",
                    orderedBy: "s.id"
                )
            )
        ),
        PersonalData(
            "plan",
            export: .list(
                "plans",
                PagedQuery(
                    "json_build_object('id', p.id::text, 'name', p.name, 'at', \(time("p.saved_at")), 'plan', p.body)",
                    from: "muster.plan p WHERE p.user_id = $1",
                    orderedBy: "p.id"
                )
            )
        ),
        PersonalData(
            "plan_share",
            export: .list(
                "planShares",
                PagedQuery(
                    """
                    json_build_object('plan', s.plan_id::text, 'group', s.group_id::text, 'at', \(time("s.shared_at")))
                    """,
                    from: "muster.plan_share s WHERE s.user_id = $1",
                    orderedBy: "s.plan_id",
                    "s.group_id"
                )
            )
        ),
        PersonalData(
            "plan_answer",
            export: .list(
                "planAnswers",
                PagedQuery(
                    """
                    json_build_object('plan', r.plan_id::text, 'group', r.group_id::text, 'answer', r.answer,
                        'at', \(time("r.answered_at")))
                    """,
                    from: "muster.plan_answer r WHERE r.user_id = $1",
                    orderedBy: "r.plan_id",
                    "r.group_id"
                )
            )
        ),
    ]

    private static let events = [
        // Guests are notified, and the events are no longer visible when the request is answered.
        PersonalData(
            "event",
            deletion: .before("DELETE FROM muster.event WHERE host_id = $1 RETURNING id"),
            export: .list(
                "events",
                PagedQuery(
                    """
                    json_build_object('id', e.id::text, 'group', e.group_id::text, 'title', e.title, 'lat', e.lat,
                        'lon', e.lon, 'hidePlace', e.hide_place, 'place', e.place, 'text', e.text,
                        'category', e.category, 'photo', u.photo_id::text, 'startsAt', \(time("e.starts_at")),
                        'endsAt', \(time("e.ends_at")), 'tz', e.tz, 'capacity', e.capacity,
                        'cancelledAt', \(time("e.cancelled_at")), 'at', \(time("e.created_at")))
                    """,
                    from: "muster.event e LEFT JOIN muster.photo_use u ON u.event_id = e.id WHERE e.host_id = $1",
                    orderedBy: "e.id"
                )
            )
        ),
        PersonalData(
            "event_guest",
            export: .list(
                "rsvps",
                PagedQuery(
                    """
                    json_build_object('event', g.event_id::text, 'title', e.title, 'rsvp', g.rsvp,
                        'at', \(time("g.asked_at")))
                    """,
                    // The title of an event that the group shows its members alone ends with the membership.
                    from: """
                        muster.event_guest g JOIN muster.event e ON e.id = g.event_id
                        WHERE g.user_id = $1 AND (g.rsvp <> 'removed' OR e.group_id IS NULL OR EXISTS (
                            SELECT FROM muster.membership m WHERE m.group_id = e.group_id AND m.user_id = $1))
                        """,
                    orderedBy: "g.event_id"
                )
            )
        ),
        PersonalData("calendar_key", export: .nothing("a secret, which the person's calendar program has")),
    ]

    private static let photos = [
        PersonalData(
            "photo",
            export: .list(
                "photos",
                // Photo files are available at their addresses; only the user's own export lists all of these.
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
        PersonalData("photo_use", export: .nothing("the profile, each spot and each message name their photo")),
    ]

    /// A timestamp in the format of the wire.
    static func time(_ column: String) -> String { "(extract(epoch FROM \(column)) * 1000)::bigint" }
}

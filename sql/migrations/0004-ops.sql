-- What operators look at. Every view has a line in sql/README.md.

CREATE SCHEMA ops;
COMMENT ON SCHEMA ops IS 'Views for people with psql; read-only role muster_ops.';

CREATE FUNCTION ops.freshness(at timestamptz, stationary boolean) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT CASE
        WHEN at IS NULL THEN 'unknown'
        WHEN at >= now() - interval '5 minutes' THEN 'live'
        WHEN stationary AND at >= now() - interval '45 minutes' THEN 'recent'
        ELSE 'stale'
    END
$$;
COMMENT ON FUNCTION ops.freshness IS 'How far a position can be trusted now: live (5 min), recent (45 min and stationary), stale, unknown.';

CREATE VIEW ops.live_positions AS
SELECT p.user_id, a.username, a.name, ops.freshness(p.at, p.stationary) AS freshness,
    date_trunc('second', now() - p.at) AS age, p.at, p.lat, p.lon, p.accuracy, p.speed, p.battery, p.stationary,
    p.verdict, d.kind AS device_kind, d.name AS device, coalesce(s.state, 'offline') AS presence, p.place
FROM muster.position p
    JOIN muster.account a ON a.id = p.user_id
    JOIN muster.device d ON d.id = p.device_id
    LEFT JOIN muster.presence s ON s.user_id = p.user_id;
COMMENT ON VIEW ops.live_positions IS 'Where everybody is now, with the age of the position and the device that took it.';

CREATE VIEW ops.live_sessions AS
SELECT l.session_id, l.user_id, a.username, a.name, d.kind AS device_kind, d.name AS device, l.is_watch, l.opened_at,
    date_trunc('second', now() - l.opened_at) AS open_for
FROM muster.live_session l
    JOIN muster.account a ON a.id = l.user_id
    JOIN muster.device d ON d.id = l.device_id;
COMMENT ON VIEW ops.live_sessions IS 'The sockets that are open, and whose they are.';

CREATE VIEW ops.member_freshness AS
SELECT g.id AS group_id, g.name AS group_name, m.user_id, a.username, a.name, m.role,
    CASE WHEN m.sharing_until <= now() THEN 'live' ELSE m.sharing END AS sharing,
    coalesce(s.state, 'offline') AS presence, s.last_seen, ops.freshness(p.at, p.stationary) AS freshness,
    date_trunc('second', now() - p.at) AS age
FROM muster.membership m
    JOIN muster.grp g ON g.id = m.group_id
    JOIN muster.account a ON a.id = m.user_id
    LEFT JOIN muster.presence s ON s.user_id = m.user_id
    LEFT JOIN muster.position p ON p.user_id = m.user_id;
COMMENT ON VIEW ops.member_freshness IS 'Each member of each group: sharing, presence, and how fresh their position is.';

CREATE VIEW ops.gatherings_now AS
SELECT x.id AS gathering_id, x.group_id, g.name AS group_name, x.state, x.since,
    date_trunc('second', now() - x.since) AS lasts, x.place_name, x.lat, x.lon,
    array_agg(a.name ORDER BY a.id) FILTER (WHERE m.standing = 'together') AS together,
    array_agg(a.name ORDER BY a.id) FILTER (WHERE m.standing = 'absent') AS absent, x.place
FROM muster.gathering x
    JOIN muster.grp g ON g.id = x.group_id
    LEFT JOIN muster.gathering_member m ON m.gathering_id = x.id
    LEFT JOIN muster.account a ON a.id = m.user_id
WHERE x.ended_at IS NULL
GROUP BY x.id, g.name;
COMMENT ON VIEW ops.gatherings_now IS 'Who is together now, where, and who is missing.';

CREATE VIEW ops.gathering_history AS
SELECT x.id AS gathering_id, x.group_id, g.name AS group_name, x.since, x.ended_at,
    date_trunc('second', x.ended_at - x.since) AS lasted, x.place_name, x.lat, x.lon,
    (SELECT count(*) FROM muster.gathering_member m WHERE m.gathering_id = x.id AND m.took_part) AS took_part,
    (SELECT count(*) FROM muster.notification n WHERE n.gathering_id = x.id AND n.group_id = x.group_id) AS alerts,
    x.place
FROM muster.gathering x
    JOIN muster.grp g ON g.id = x.group_id
WHERE x.ended_at IS NOT NULL;
COMMENT ON VIEW ops.gathering_history IS 'Gatherings that are over: how long, where, how many took part, how many were alerted.';

CREATE VIEW ops.fix_verdicts_hourly AS
SELECT date_trunc('hour', f.at) AS hour, f.verdict, count(*) AS fixes, count(DISTINCT f.user_id) AS people,
    round(avg(f.accuracy)::numeric, 1) AS mean_accuracy,
    date_trunc('milliseconds', percentile_cont(0.95) WITHIN GROUP (ORDER BY f.received_at - f.at)) AS p95_transit
FROM muster.fix f
WHERE f.at >= date_trunc('hour', now()) - interval '47 hours'
GROUP BY 1, 2;
COMMENT ON VIEW ops.fix_verdicts_hourly IS 'Fixes of the last 48 hours by hour and verdict, and how long they took to arrive.';

CREATE VIEW ops.notifications_pending AS
SELECT n.user_id, a.username, a.name, n.number, n.kind, n.variant, g.name AS group_name, n.at,
    date_trunc('second', now() - n.at) AS waits, coalesce(s.state, 'offline') AS presence
FROM muster.notification n
    JOIN muster.account a ON a.id = n.user_id
    JOIN muster.grp g ON g.id = n.group_id
    LEFT JOIN muster.presence s ON s.user_id = n.user_id
WHERE n.seen_at IS NULL;
COMMENT ON VIEW ops.notifications_pending IS 'Alerts that were decided and not yet seen, and whether the person can be reached.';

CREATE VIEW ops.journal_lag AS
SELECT j.writer, l.pid IS NOT NULL AS writer_connected, j.taken_at, j.batch, j.records, j.committed_at,
    date_trunc('milliseconds', clock_timestamp() - j.committed_at) AS since_last_commit, j.batch_records,
    j.batch_delay_ms
FROM muster.journal_state j
    LEFT JOIN pg_locks l
        ON l.locktype = 'advisory' AND l.classid = 1836413812 AND l.objid = 1 AND l.objsubid = 2 AND l.granted
        AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database());
COMMENT ON VIEW ops.journal_lag IS 'Who writes, whether it is connected, and how long the oldest record of the last batch had waited.';

CREATE VIEW ops.group_activity AS
SELECT g.id AS group_id, g.name AS group_name, g.created_at, count(m.user_id) AS members,
    count(p.user_id) FILTER (WHERE p.at >= now() - interval '5 minutes') AS live_members, max(p.at) AS last_position_at,
    (SELECT count(*) FROM muster.gathering x
        WHERE x.group_id = g.id AND x.since >= now() - interval '30 days') AS gatherings_30d,
    (SELECT count(*) FROM muster.notification n
        WHERE n.group_id = g.id AND n.at >= now() - interval '30 days') AS alerts_30d,
    (SELECT count(*) FROM muster.invite i
        WHERE i.group_id = g.id AND i.revoked_at IS NULL AND i.expires_at > now()
            AND i.uses_left IS DISTINCT FROM 0) AS open_invites
FROM muster.grp g
    LEFT JOIN muster.membership m ON m.group_id = g.id
    LEFT JOIN muster.position p ON p.user_id = m.user_id
GROUP BY g.id;
COMMENT ON VIEW ops.group_activity IS 'Each group: members, how many are live, gatherings and alerts of the last 30 days.';

-- Roles belong to the whole server, so the role may exist; making one may not be ours to do. Then an administrator
-- makes it and runs the grants below.
DO $$
BEGIN
    CREATE ROLE muster_ops NOLOGIN;
EXCEPTION WHEN duplicate_object OR unique_violation OR insufficient_privilege THEN
    NULL;
END $$;

DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'muster_ops') THEN
        GRANT USAGE ON SCHEMA muster, ops TO muster_ops;
        GRANT SELECT ON ALL TABLES IN SCHEMA ops TO muster_ops;
        -- Everything but secrets: no password hashes, tokens or invite codes.
        GRANT SELECT (id, username, name, avatar, last_notification, created_at) ON muster.account TO muster_ops;
        GRANT SELECT (group_id, created_by, created_at, expires_at, uses_left, revoked_at) ON muster.invite TO muster_ops;
        GRANT SELECT ON muster.device, muster.grp, muster.membership, muster.fix, muster.position, muster.presence,
            muster.live_session, muster.gathering, muster.gathering_member, muster.gathering_state,
            muster.notification, muster.journal_state TO muster_ops;
    END IF;
END $$;

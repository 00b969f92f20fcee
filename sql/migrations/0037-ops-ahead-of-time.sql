-- While a server's clock is ahead it writes times that are ahead. Such a time is newest of nothing, and no age is negative.
CREATE OR REPLACE FUNCTION ops.freshness(at timestamptz, stationary boolean) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT CASE
        WHEN at IS NULL THEN 'unknown'
        WHEN at > now() + interval '1 minute' THEN 'stale'
        WHEN at >= now() - interval '5 minutes' THEN 'live'
        WHEN stationary AND at >= now() - interval '45 minutes' THEN 'recent'
        ELSE 'stale'
    END
$$;

CREATE FUNCTION ops.span(length interval) RETURNS interval LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN length IS NOT NULL THEN greatest(length, interval '0') END
$$;
COMMENT ON FUNCTION ops.span IS 'How long something took or is ago; 0 where its times are ahead of now.';

-- Every view that says how long something took, or is ago.
DO $$
DECLARE
    it record;
BEGIN
    FOR it IN
        SELECT viewname, definition AS was, regexp_replace(
            definition,
            'date_trunc\(''(second|milliseconds)''::text, \(?((?:[a-z_]+\.)?[a-z_]+(?:\(\))? - (?:[a-z_]+\.)?[a-z_]+)\)?\)',
            'ops.span(date_trunc(''\1'', \2))',
            'g'
        ) AS becomes
        FROM pg_views
        WHERE schemaname = 'ops'
    LOOP
        IF it.becomes <> it.was THEN
            EXECUTE format('CREATE OR REPLACE VIEW ops.%I AS %s', it.viewname, it.becomes);
        END IF;
    END LOOP;
END $$;

CREATE OR REPLACE VIEW ops.group_activity AS
SELECT g.id AS group_id, g.name AS group_name, g.created_at, count(m.user_id) AS members,
    count(p.user_id) FILTER (WHERE ops.freshness(p.at, false) = 'live') AS live_members,
    max(p.at) FILTER (WHERE p.at <= now() + interval '1 minute') AS last_position_at,
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
        AND p.at >= muster.shown_since(m.sharing, m.sharing_until, m.visible_since)
GROUP BY g.id;

DO $$ BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'muster_ops') THEN
        GRANT EXECUTE ON FUNCTION ops.span(interval) TO muster_ops;
    END IF;
END $$;

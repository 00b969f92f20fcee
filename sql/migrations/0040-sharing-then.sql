-- What a group sees of a member after the end of a sharing mode: everything, or nothing.
ALTER TABLE muster.membership
    ADD COLUMN sharing_then muster.sharing_mode NOT NULL DEFAULT 'live' CHECK (sharing_then <> 'approximate');
COMMENT ON COLUMN muster.membership.sharing IS 'What the group sees until sharing_until; sharing_then from then on.';
COMMENT ON COLUMN muster.membership.sharing_until IS 'When sharing gives way to sharing_then; NULL means never by itself.';
COMMENT ON COLUMN muster.membership.sharing_then IS 'What the group sees from sharing_until on: live or paused.';

CREATE FUNCTION muster.sharing_at(
    mode muster.sharing_mode,
    until timestamptz,
    following muster.sharing_mode,
    moment timestamptz DEFAULT now()
) RETURNS muster.sharing_mode LANGUAGE sql IMMUTABLE
    RETURN CASE WHEN until <= moment THEN following ELSE mode END;
COMMENT ON FUNCTION muster.sharing_at IS 'What a group sees of a member at a time, by the columns of their membership.';

CREATE FUNCTION muster.shown_since(
    mode muster.sharing_mode,
    until timestamptz,
    following muster.sharing_mode,
    since timestamptz,
    moment timestamptz DEFAULT now()
) RETURNS timestamptz LANGUAGE sql IMMUTABLE
    RETURN CASE
        WHEN muster.sharing_at(mode, until, following, moment) = 'paused' THEN NULL
        WHEN mode = 'paused' THEN greatest(since, until)
        ELSE since
    END;
COMMENT ON FUNCTION muster.shown_since(
    muster.sharing_mode, timestamptz, muster.sharing_mode, timestamptz, timestamptz
) IS 'From when on the fixes of a member are shown to the group, by the columns of their membership; NULL while they are paused.';

CREATE OR REPLACE VIEW ops.live_positions AS
SELECT p.user_id, a.username, a.name, h.sharing,
    CASE WHEN h.is_shown THEN ops.freshness(p.at, p.stationary) ELSE 'unknown' END AS freshness,
    CASE WHEN h.is_shown THEN ops.span(date_trunc('second', now() - p.at)) END AS age,
    CASE WHEN h.is_shown THEN p.at END AS at,
    CASE WHEN h.is_exact THEN p.lat WHEN h.is_shown THEN g.lat END AS lat,
    CASE WHEN h.is_exact THEN p.lon WHEN h.is_shown THEN g.lon END AS lon,
    CASE WHEN h.is_exact THEN p.accuracy WHEN h.is_shown THEN greatest(p.accuracy, 800::real) END AS accuracy,
    CASE WHEN h.is_exact THEN p.speed END AS speed,
    CASE WHEN h.is_exact THEN p.battery END AS battery,
    CASE WHEN h.is_exact THEN p.stationary END AS stationary,
    CASE WHEN h.is_shown THEN p.verdict END AS verdict,
    d.kind AS device_kind, d.name AS device, coalesce(s.state, 'offline') AS presence,
    CASE WHEN h.is_exact THEN p.place
        WHEN h.is_shown THEN ST_SetSRID(ST_MakePoint(g.lon, g.lat), 4326)::geography END AS place
FROM muster.position p
    JOIN muster.account a ON a.id = p.user_id
    JOIN muster.device d ON d.id = p.device_id
    LEFT JOIN muster.presence s ON s.user_id = p.user_id
    CROSS JOIN LATERAL (SELECT round(p.lat * 100) / 100 AS lat, round(p.lon * 100) / 100 AS lon) g
    CROSS JOIN LATERAL (
        -- The widest sharing of the user with a group, and whether a group sees this position, or all of it.
        SELECT CASE
                WHEN count(*) = 0 THEN 'nobody'
                WHEN bool_or(x.mode = 'live') THEN 'live'
                WHEN bool_or(x.mode = 'approximate') THEN 'approximate'
                ELSE 'paused'
            END AS sharing,
            count(*) = 0 OR bool_or(p.at >= x.since) IS TRUE AS is_shown,
            count(*) = 0 OR bool_or(x.mode = 'live' AND p.at >= x.since) IS TRUE AS is_exact
        FROM (
            SELECT muster.sharing_at(m.sharing, m.sharing_until, m.sharing_then) AS mode,
                muster.shown_since(m.sharing, m.sharing_until, m.sharing_then, m.visible_since) AS since
            FROM muster.membership m
            WHERE m.user_id = p.user_id
        ) x
    ) h;

CREATE OR REPLACE VIEW ops.member_freshness AS
SELECT g.id AS group_id, g.name AS group_name, m.user_id, a.username, a.name, m.role,
    muster.sharing_at(m.sharing, m.sharing_until, m.sharing_then) AS sharing,
    coalesce(s.state, 'offline') AS presence, s.last_seen, ops.freshness(p.at, p.stationary) AS freshness,
    ops.span(date_trunc('second', now() - p.at)) AS age
FROM muster.membership m
    JOIN muster.grp g ON g.id = m.group_id
    JOIN muster.account a ON a.id = m.user_id
    LEFT JOIN muster.presence s ON s.user_id = m.user_id
    LEFT JOIN muster.position p ON p.user_id = m.user_id
        AND p.at >= muster.shown_since(m.sharing, m.sharing_until, m.sharing_then, m.visible_since);

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
        AND p.at >= muster.shown_since(m.sharing, m.sharing_until, m.sharing_then, m.visible_since)
GROUP BY g.id;

DROP FUNCTION muster.shown_since(muster.sharing_mode, timestamptz, timestamptz, timestamptz);

-- A picture is over when a member on it, or its maker, is to be hidden.
CREATE OR REPLACE FUNCTION muster.narrow_shares() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    -- A mode is narrower than another when it comes behind it.
    is_less boolean := true;
    now_seen muster.sharing_mode := 'paused';
BEGIN
    IF TG_OP = 'UPDATE' THEN
        now_seen := NEW.sharing;
        is_less := (OLD.pictures AND NOT NEW.pictures)
            OR NEW.sharing > muster.sharing_at(OLD.sharing, OLD.sharing_until, OLD.sharing_then);
    END IF;
    PERFORM muster.revoke_shares(ARRAY(
        SELECT s.id FROM muster.share s
        WHERE s.group_id = OLD.group_id AND s.revoked_at IS NULL AND (
            (is_less AND s.maker_id = OLD.user_id)
            -- Also where the clocks of server and database differ about a mode that ends by itself.
            OR EXISTS (SELECT FROM muster.share_member m
                WHERE m.share_id = s.id AND m.user_id = OLD.user_id AND (is_less OR now_seen > m.shown_as)))
        ORDER BY s.id
    ));
    IF TG_OP = 'UPDATE' AND NEW.sharing_then = 'paused' THEN
        UPDATE muster.share s SET expires_at = greatest(NEW.sharing_until, s.created_at + interval '1 millisecond')
        WHERE s.group_id = NEW.group_id AND s.revoked_at IS NULL AND s.expires_at > NEW.sharing_until
            AND (s.maker_id = NEW.user_id OR EXISTS (SELECT FROM muster.share_member m
                WHERE m.share_id = s.id AND m.user_id = NEW.user_id));
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER membership_narrow_shares ON muster.membership;
CREATE TRIGGER membership_narrow_shares AFTER UPDATE OF sharing, sharing_until, sharing_then, pictures ON muster.membership
    FOR EACH ROW WHEN (OLD.sharing <> NEW.sharing OR OLD.sharing_until IS DISTINCT FROM NEW.sharing_until
        OR OLD.sharing_then <> NEW.sharing_then OR OLD.pictures <> NEW.pictures)
    EXECUTE FUNCTION muster.narrow_shares();

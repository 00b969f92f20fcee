-- Who left a group, or was removed from it: what they knew then, which invites let them in again, and the line of the room
-- that says so. The row stays when they come back, for what they know of the time between.
CREATE TABLE muster.departure (
    group_id bigint NOT NULL REFERENCES muster.grp ON DELETE CASCADE,
    user_id bigint NOT NULL REFERENCES muster.account ON DELETE CASCADE,
    at timestamptz NOT NULL,
    is_removed boolean NOT NULL,
    revision bigint NOT NULL,
    line bigint,
    gatherings jsonb NOT NULL DEFAULT '{}',
    PRIMARY KEY (group_id, user_id)
);
CREATE INDEX departure_user_id ON muster.departure (user_id);
COMMENT ON TABLE muster.departure IS 'When each person was last in a group that they left.';
COMMENT ON COLUMN muster.departure.group_id IS 'The group.';
COMMENT ON COLUMN muster.departure.user_id IS 'Who left it.';
COMMENT ON COLUMN muster.departure.at IS 'When their membership ended.';
COMMENT ON COLUMN muster.departure.is_removed IS 'Whether the owner took them out, and has not let them in since.';
COMMENT ON COLUMN muster.departure.revision IS 'The revision of the group before that; invites with a higher one were made later.';
COMMENT ON COLUMN muster.departure.line IS 'The message of the room that says that they left; NULL when none is known.';
COMMENT ON COLUMN muster.departure.gatherings IS 'The gatherings that had not ended, by id, as they were then.';

-- Clocks may be set back: that a code is newer than a removal is told by the revision of the group, under whose lock both are made.
ALTER TABLE muster.invite ADD COLUMN revision bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN muster.invite.revision IS 'The revision of the group when it was made; 0 for what is older than this column.';

CREATE FUNCTION muster.moment() RETURNS timestamptz LANGUAGE sql STABLE
    RETURN coalesce(nullif(current_setting('muster.moment', true), '')::timestamptz,
        date_trunc('milliseconds', clock_timestamp()));
COMMENT ON FUNCTION muster.moment() IS 'The time of the change: what the server says in muster.moment, or now.';

CREATE FUNCTION muster.shown_since(
    mode muster.sharing_mode,
    until timestamptz,
    since timestamptz,
    moment timestamptz DEFAULT now()
) RETURNS timestamptz LANGUAGE sql IMMUTABLE
    RETURN CASE WHEN mode <> 'paused' THEN since WHEN until <= moment THEN greatest(since, until) END;
COMMENT ON FUNCTION muster.shown_since IS
    'From when on the fixes of a member are shown to the group, by the columns of their membership; NULL while they are paused.';

CREATE OR REPLACE FUNCTION muster.leave_room() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    is_removed boolean := coalesce(current_setting('muster.removes_members', true) = 'on', false);
    moment timestamptz := muster.moment();
    said bigint;
BEGIN
    PERFORM FROM muster.event e
    WHERE e.group_id = OLD.group_id AND (e.host_id = OLD.user_id
        OR EXISTS (SELECT FROM muster.event_guest g WHERE g.event_id = e.id AND g.user_id = OLD.user_id))
    ORDER BY e.id FOR NO KEY UPDATE;
    DELETE FROM muster.room_member m WHERE m.room_id = OLD.group_id AND m.user_id = OLD.user_id;
    said := muster.say_in_room(OLD.group_id, OLD.user_id, NULL, moment,
        jsonb_build_object('event', CASE WHEN is_removed THEN 'removed' ELSE 'left' END));
    INSERT INTO muster.departure (group_id, user_id, at, is_removed, revision, line, gatherings)
    SELECT g.id, a.id, moment, is_removed, g.revision, said, coalesce((
        SELECT jsonb_object_agg(x.id, jsonb_build_object('state', x.state, 'lat', x.lat, 'lon', x.lon, 'name', x.place_name))
        FROM muster.gathering x
            JOIN muster.gathering_member y ON y.gathering_id = x.id AND y.user_id = OLD.user_id
        WHERE x.group_id = OLD.group_id AND x.ended_at IS NULL
    ), '{}')
    FROM muster.grp g, muster.account a WHERE g.id = OLD.group_id AND a.id = OLD.user_id
    ON CONFLICT (group_id, user_id) DO UPDATE SET at = excluded.at, is_removed = excluded.is_removed,
        revision = excluded.revision, line = excluded.line, gatherings = excluded.gatherings;
    RETURN NULL;
END $$;

-- Who comes back within ten minutes of leaving changes the line that says that they left, so that coming and going fills no room.
CREATE OR REPLACE FUNCTION muster.enter_room() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    before muster.departure;
    place muster.room;
    joined bigint;
BEGIN
    SELECT * INTO before FROM muster.departure d WHERE d.group_id = NEW.group_id AND d.user_id = NEW.user_id;
    UPDATE muster.departure d SET is_removed = false WHERE d.group_id = NEW.group_id AND d.user_id = NEW.user_id AND d.is_removed;
    IF before.line IS NOT NULL AND NOT before.is_removed AND before.at > NEW.joined_at - interval '10 minutes' THEN
        SELECT * INTO place FROM muster.room r WHERE r.id = NEW.group_id FOR NO KEY UPDATE;
        UPDATE muster.message m SET version = place.version + 1, data = '{"event":"joined"}'
        WHERE m.room_id = NEW.group_id AND m.seq = before.line AND m.kind = 'system' AND m.author_id = NEW.user_id
            AND m.data ->> 'event' = 'left';
        IF FOUND THEN
            UPDATE muster.room r SET version = r.version + 1 WHERE r.id = NEW.group_id;
            joined := CASE WHEN before.line = place.last_seq THEN before.line ELSE place.last_seq + 1 END;
            INSERT INTO muster.room_member (room_id, user_id, from_seq, read_seq)
            VALUES (NEW.group_id, NEW.user_id, joined, place.last_seq);
            RETURN NULL;
        END IF;
    END IF;
    joined := muster.say_in_room(NEW.group_id, NEW.user_id, NULL, NEW.joined_at, '{"event":"joined"}');
    INSERT INTO muster.room_member (room_id, user_id, from_seq, read_seq)
    VALUES (NEW.group_id, NEW.user_id, joined, joined);
    RETURN NULL;
END $$;
COMMENT ON FUNCTION muster.enter_room() IS
    'Trigger that lets a new member of a group into its room, from now on. Within ten minutes of leaving it changes the line that says so.';

-- Of departures before this the rooms know.
INSERT INTO muster.departure (group_id, user_id, at, is_removed, revision)
SELECT DISTINCT ON (g.id, a.id) g.id, a.id, m.at, m.data ->> 'event' = 'removed', g.revision - 1
FROM muster.message m
    JOIN muster.grp g ON g.id = m.room_id
    JOIN muster.account a ON a.id = m.author_id
WHERE m.kind = 'system' AND m.data ->> 'event' IN ('left', 'removed')
    AND NOT EXISTS (SELECT FROM muster.membership b WHERE b.group_id = g.id AND b.user_id = a.id)
ORDER BY g.id, a.id, m.seq DESC;

-- A fix that was taken while somebody paused shows in no view, not by its age either.
CREATE OR REPLACE VIEW ops.member_freshness AS
SELECT g.id AS group_id, g.name AS group_name, m.user_id, a.username, a.name, m.role,
    CASE WHEN m.sharing_until <= now() THEN 'live' ELSE m.sharing END AS sharing,
    coalesce(s.state, 'offline') AS presence, s.last_seen, ops.freshness(p.at, p.stationary) AS freshness,
    date_trunc('second', now() - p.at) AS age
FROM muster.membership m
    JOIN muster.grp g ON g.id = m.group_id
    JOIN muster.account a ON a.id = m.user_id
    LEFT JOIN muster.presence s ON s.user_id = m.user_id
    LEFT JOIN muster.position p ON p.user_id = m.user_id
        AND p.at >= muster.shown_since(m.sharing, m.sharing_until, m.visible_since);

CREATE OR REPLACE VIEW ops.group_activity AS
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
        AND p.at >= muster.shown_since(m.sharing, m.sharing_until, m.visible_since)
GROUP BY g.id;

DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'muster_ops') THEN
        GRANT SELECT (group_id, user_id, at, is_removed, revision, line) ON muster.departure TO muster_ops;
        GRANT SELECT (revision) ON muster.invite TO muster_ops;
    END IF;
END $$;

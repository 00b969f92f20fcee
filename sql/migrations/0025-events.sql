-- Events, who comes to them, and the keys of people's calendars. Written by the directory; what follows from somebody leaving a
-- group or deleting an account is done here, so that it happens whoever does that. Notifications of it are told to servers by
-- the change feed, kind notification: person and number.
CREATE TYPE muster.event_rsvp AS ENUM ('yes', 'maybe', 'waiting', 'no', 'removed');

CREATE TABLE muster.event (
    id bigint PRIMARY KEY,
    host_id bigint NOT NULL REFERENCES muster.account ON DELETE CASCADE,
    group_id bigint REFERENCES muster.grp ON DELETE CASCADE,
    key text CHECK (char_length(key) BETWEEN 1 AND 64),
    title text NOT NULL CHECK (char_length(title) BETWEEN 1 AND 120),
    lat double precision NOT NULL CHECK (lat BETWEEN -90 AND 90),
    lon double precision NOT NULL CHECK (lon BETWEEN -180 AND 180),
    position geography(Point, 4326) NOT NULL
        GENERATED ALWAYS AS (ST_SetSRID(ST_MakePoint(lon, lat), 4326)::geography) STORED,
    hide_place boolean NOT NULL DEFAULT false,
    place text CHECK (char_length(place) BETWEEN 1 AND 120),
    text text CHECK (char_length(text) BETWEEN 1 AND 2000),
    category text CHECK (char_length(category) BETWEEN 1 AND 40),
    starts_at timestamptz NOT NULL,
    ends_at timestamptz NOT NULL,
    tz text NOT NULL CHECK (char_length(tz) BETWEEN 1 AND 64),
    capacity integer CHECK (capacity BETWEEN 1 AND 1000),
    cancelled_at timestamptz,
    version bigint NOT NULL DEFAULT 1 CHECK (version > 0),
    revision bigint NOT NULL DEFAULT 1 CHECK (revision > 0),
    created_at timestamptz NOT NULL,
    changed_at timestamptz NOT NULL,
    CONSTRAINT event_length CHECK (ends_at > starts_at AND ends_at <= starts_at + interval '14 days')
);
CREATE UNIQUE INDEX event_key ON muster.event (host_id, key) WHERE key IS NOT NULL;
CREATE INDEX event_host_id ON muster.event (host_id, starts_at);
CREATE INDEX event_group_id ON muster.event (group_id) WHERE group_id IS NOT NULL;
CREATE INDEX event_ends_at ON muster.event (ends_at);
CREATE INDEX event_position ON muster.event USING gist (position);
COMMENT ON TABLE muster.event IS 'Something to which people come at a time and a place. It goes with its host''s account, with its group, or 365 days after its end.';
COMMENT ON COLUMN muster.event.id IS 'Made by the server, rising with time.';
COMMENT ON COLUMN muster.event.host_id IS 'Who may change it. In a group that the host leaves, it passes to the owner.';
COMMENT ON COLUMN muster.event.group_id IS 'The group whose members may find it; NULL for everybody.';
COMMENT ON COLUMN muster.event.key IS 'The name that the host''s client gave it, by which a repeat is known; NULL once it has passed to another host.';
COMMENT ON COLUMN muster.event.title IS 'What it is called.';
COMMENT ON COLUMN muster.event.lat IS 'WGS 84 degrees north; exact, also of a hidden place.';
COMMENT ON COLUMN muster.event.lon IS 'WGS 84 degrees east; exact, also of a hidden place.';
COMMENT ON COLUMN muster.event.position IS 'lat and lon as PostGIS knows them; computed.';
COMMENT ON COLUMN muster.event.hide_place IS 'Whether only the host and those who come know where it is; others see the 0.01 degree cell.';
COMMENT ON COLUMN muster.event.place IS 'What the place is called; NULL for nothing.';
COMMENT ON COLUMN muster.event.text IS 'What the host says about it; NULL for nothing.';
COMMENT ON COLUMN muster.event.category IS 'What kind of event it is, in the host''s own word; NULL for none.';
COMMENT ON COLUMN muster.event.starts_at IS 'When it begins.';
COMMENT ON COLUMN muster.event.ends_at IS 'When it is over; nothing about it changes any more then.';
COMMENT ON COLUMN muster.event.tz IS 'The IANA name of the time zone in which its host thinks of it.';
COMMENT ON COLUMN muster.event.capacity IS 'How many may come; NULL for any number. Less than come already throws nobody out.';
COMMENT ON COLUMN muster.event.cancelled_at IS 'When it was called off; NULL when it was not.';
COMMENT ON COLUMN muster.event.version IS 'Rises with what its host changes; the SEQUENCE of its calendar file.';
COMMENT ON COLUMN muster.event.revision IS 'Rises with every change, whoever makes it, also of its guests.';
COMMENT ON COLUMN muster.event.created_at IS 'When it was made.';
COMMENT ON COLUMN muster.event.changed_at IS 'When its host changed it last.';

CREATE TABLE muster.event_guest (
    event_id bigint NOT NULL REFERENCES muster.event ON DELETE CASCADE,
    user_id bigint NOT NULL REFERENCES muster.account ON DELETE CASCADE,
    rsvp muster.event_rsvp NOT NULL,
    asked_at timestamptz NOT NULL,
    PRIMARY KEY (event_id, user_id)
);
CREATE INDEX event_guest_user_id ON muster.event_guest (user_id);
COMMENT ON TABLE muster.event_guest IS 'Who answered to an event. Who leaves its group is none of its guests any more.';
COMMENT ON COLUMN muster.event_guest.event_id IS 'The event.';
COMMENT ON COLUMN muster.event_guest.user_id IS 'Who answered.';
COMMENT ON COLUMN muster.event_guest.rsvp IS 'yes: comes, and has a place; maybe; waiting: would come, and there was no place yet; no; removed: by the host, for good.';
COMMENT ON COLUMN muster.event_guest.asked_at IS 'When they said so, no two of an event at the same time; of those who wait the first is next.';

CREATE TABLE muster.calendar_key (
    user_id bigint PRIMARY KEY REFERENCES muster.account ON DELETE CASCADE,
    key bytea NOT NULL UNIQUE CHECK (octet_length(key) = 16),
    made_at timestamptz NOT NULL
);
COMMENT ON TABLE muster.calendar_key IS 'The key by which a person''s calendar program reads their events; one a person.';
COMMENT ON COLUMN muster.calendar_key.user_id IS 'Whose events it shows.';
COMMENT ON COLUMN muster.calendar_key.key IS 'The 128 random bits of the address. A secret.';
COMMENT ON COLUMN muster.calendar_key.made_at IS 'When it was made; the one before is good for nothing since.';

ALTER TABLE muster.photo_use
    ADD COLUMN event_id bigint UNIQUE REFERENCES muster.event ON DELETE CASCADE,
    DROP CONSTRAINT photo_use_one,
    ADD CONSTRAINT photo_use_one CHECK (num_nonnulls(spot_id, face_of, room_id, event_id) = 1);
COMMENT ON COLUMN muster.photo_use.event_id IS 'The event that shows it; NULL when something else does.';

INSERT INTO muster.notification_kind (kind, description) VALUES
    ('event_changed', 'The host moved an event to which one comes or might, or calls it otherwise.'),
    ('event_cancelled', 'An event to which one comes or might does not take place.'),
    ('event_place', 'One waited for a place at an event, and has it.'),
    ('event_soon', 'An event that one hosts, or to which one comes, begins within the hour.');

CREATE FUNCTION muster.tell_event(e muster.event, kind text, subject text, users bigint[]) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    told record;
BEGIN
    FOR told IN
        SELECT users[n.place] AS user_id, n.given FROM muster.notify(
            users,
            array_fill(tell_event.kind, ARRAY[cardinality(users)]),
            array_fill(e.group_id, ARRAY[cardinality(users)]),
            array_fill(NULL::bigint, ARRAY[cardinality(users)]),
            array_fill(format('event:%s:%s', e.id, tell_event.subject), ARRAY[cardinality(users)]),
            array_fill(date_trunc('milliseconds', now()), ARRAY[cardinality(users)]),
            array_fill(
                jsonb_build_object('event', e.id::text, 'title', e.title,
                    'startsAt', (extract(epoch FROM e.starts_at) * 1000)::bigint,
                    'clock', to_char(e.starts_at AT TIME ZONE e.tz, 'HH24:MI')),
                ARRAY[cardinality(users)]
            )
        ) n
    LOOP
        PERFORM pg_notify('muster_change', format('notification %s %s', told.user_id, told.given));
    END LOOP;
END $$;
COMMENT ON FUNCTION muster.tell_event IS 'Stores a notification about an event for people, and tells servers of its numbers. Called last in a transaction, like muster.notify.';

CREATE FUNCTION muster.fill_event(event bigint) RETURNS bigint[]
    LANGUAGE plpgsql AS $$
DECLARE
    e muster.event;
    lucky bigint[];
BEGIN
    SELECT * INTO e FROM muster.event x WHERE x.id = event FOR NO KEY UPDATE;
    IF NOT FOUND OR e.cancelled_at IS NOT NULL OR e.ends_at <= now() THEN RETURN '{}'; END IF;
    WITH next AS (
        SELECT g.user_id FROM muster.event_guest g WHERE g.event_id = e.id AND g.rsvp = 'waiting'
        ORDER BY g.asked_at, g.user_id
        LIMIT CASE WHEN e.capacity IS NOT NULL THEN greatest(0, e.capacity - (
            SELECT count(*) FROM muster.event_guest y WHERE y.event_id = e.id AND y.rsvp = 'yes')) END
    ), moved AS (
        UPDATE muster.event_guest g SET rsvp = 'yes' FROM next
        WHERE g.event_id = e.id AND g.user_id = next.user_id RETURNING g.user_id, g.asked_at
    )
    SELECT coalesce(array_agg(m.user_id ORDER BY m.asked_at, m.user_id), '{}') INTO lucky FROM moved m;
    FOR i IN 1 .. cardinality(lucky) LOOP
        -- Who gave a place back and waited again is told again.
        PERFORM muster.tell_event(
            e,
            'event_place',
            (SELECT format('place:%s', (extract(epoch FROM g.asked_at) * 1000)::bigint)
            FROM muster.event_guest g WHERE g.event_id = e.id AND g.user_id = lucky[i]),
            ARRAY[lucky[i]]
        );
    END LOOP;
    RETURN lucky;
END $$;
COMMENT ON FUNCTION muster.fill_event IS 'Gives the free places of an event to those who have waited longest, and tells them. Returns who they are. Called last in a transaction.';

CREATE FUNCTION muster.settle_event() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    NEW.revision := greatest(NEW.revision, OLD.revision + 1);
    RETURN NEW;
END $$;
COMMENT ON FUNCTION muster.settle_event() IS 'Trigger that raises the revision of an event that is changed.';
CREATE TRIGGER event_settle BEFORE UPDATE ON muster.event FOR EACH ROW EXECUTE FUNCTION muster.settle_event();
CREATE TRIGGER event_announce AFTER INSERT OR UPDATE OR DELETE ON muster.event
    FOR EACH ROW EXECUTE FUNCTION muster.announce_change('event');
CREATE TRIGGER event_announce_all AFTER TRUNCATE ON muster.event
    FOR EACH STATEMENT EXECUTE FUNCTION muster.announce_change('event');

-- While its guests are still known.
CREATE FUNCTION muster.drop_event() RETURNS trigger
    LANGUAGE plpgsql AS $$
DECLARE
    guests bigint[];
BEGIN
    IF OLD.cancelled_at IS NOT NULL OR OLD.ends_at <= now() THEN RETURN OLD; END IF;
    SELECT array_agg(g.user_id ORDER BY g.user_id) INTO guests FROM muster.event_guest g
    WHERE g.event_id = OLD.id AND g.user_id <> OLD.host_id AND g.rsvp IN ('yes', 'maybe', 'waiting');
    IF guests IS NOT NULL THEN PERFORM muster.tell_event(OLD, 'event_cancelled', 'cancelled', guests); END IF;
    RETURN OLD;
END $$;
COMMENT ON FUNCTION muster.drop_event() IS 'Trigger that tells the guests of an event that it goes before it was over.';
CREATE TRIGGER event_drop BEFORE DELETE ON muster.event FOR EACH ROW EXECUTE FUNCTION muster.drop_event();

CREATE FUNCTION muster.free_place() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    UPDATE muster.event SET revision = revision + 1 WHERE id = OLD.event_id;
    IF FOUND THEN PERFORM muster.fill_event(OLD.event_id); END IF;
    RETURN NULL;
END $$;
COMMENT ON FUNCTION muster.free_place() IS 'Trigger that gives on the place of a guest who is gone.';
CREATE CONSTRAINT TRIGGER event_guest_gone AFTER DELETE ON muster.event_guest DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION muster.free_place();

-- At the commit, when the group has its next owner.
CREATE FUNCTION muster.leave_events() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM muster.membership m WHERE m.group_id = OLD.group_id AND m.user_id = OLD.user_id) THEN
        RETURN NULL;
    END IF;
    DELETE FROM muster.event_guest g USING muster.event e
    WHERE e.id = g.event_id AND e.group_id = OLD.group_id AND g.user_id = OLD.user_id;
    UPDATE muster.event e SET host_id = m.user_id, key = NULL, revision = e.revision + 1
    FROM muster.membership m
    WHERE e.group_id = OLD.group_id AND e.host_id = OLD.user_id AND m.group_id = OLD.group_id AND m.role = 'owner';
    RETURN NULL;
END $$;
COMMENT ON FUNCTION muster.leave_events() IS 'Trigger that takes who left a group off the lists of its events, and passes theirs there to its owner.';
CREATE CONSTRAINT TRIGGER membership_leave_events AFTER DELETE ON muster.membership DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION muster.leave_events();

CREATE FUNCTION muster.rename_host() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    UPDATE muster.event SET revision = revision + 1 WHERE host_id = NEW.id AND ends_at > now();
    RETURN NULL;
END $$;
COMMENT ON FUNCTION muster.rename_host() IS 'Trigger that makes a new revision of the events of a host who has another name or face now.';
CREATE TRIGGER account_rename_host AFTER UPDATE OF name, avatar ON muster.account
    FOR EACH ROW WHEN (OLD.name IS DISTINCT FROM NEW.name OR OLD.avatar IS DISTINCT FROM NEW.avatar)
    EXECUTE FUNCTION muster.rename_host();

CREATE VIEW ops.events_upcoming AS
SELECT e.id AS event_id, e.title, e.host_id, a.username AS host, e.group_id, g.name AS group_name, e.starts_at,
    date_trunc('second', e.starts_at - now()) AS starts_in, e.ends_at, e.tz, e.place, e.lat, e.lon, e.hide_place,
    e.capacity, c.yes, c.maybe, c.waiting, e.version, e.position
FROM muster.event e
    JOIN muster.account a ON a.id = e.host_id
    LEFT JOIN muster.grp g ON g.id = e.group_id
    CROSS JOIN LATERAL (
        SELECT count(*) FILTER (WHERE x.rsvp = 'yes') AS yes, count(*) FILTER (WHERE x.rsvp = 'maybe') AS maybe,
            count(*) FILTER (WHERE x.rsvp = 'waiting') AS waiting
        FROM muster.event_guest x WHERE x.event_id = e.id
    ) c
WHERE e.cancelled_at IS NULL AND e.ends_at > now();
COMMENT ON VIEW ops.events_upcoming IS 'Events that are not over: when, where exactly, whose, and how many come, might and wait.';

DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'muster_ops') THEN
        GRANT SELECT (id, host_id, group_id, title, lat, lon, position, hide_place, place, category, starts_at, ends_at, tz,
            capacity, cancelled_at, version, revision, created_at, changed_at) ON muster.event TO muster_ops;
        GRANT SELECT (user_id, made_at) ON muster.calendar_key TO muster_ops;
        GRANT SELECT ON muster.event_guest, ops.events_upcoming TO muster_ops;
    END IF;
END $$;

-- Who is told of events is told last in a transaction, all at once: muster.notify locks accounts in the order of their ids, and
-- whoever waits for one of them waits for no round trip. What follows from rows that go, or that an operator changes, is kept as
-- a notice and told at the commit, behind everything else that happens there. Order of locks: groups, events by rising id, rooms
-- by rising id, the accounts of those who are told.
CREATE UNLOGGED TABLE muster.event_notice (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    group_id bigint,
    kind text NOT NULL,
    subject text NOT NULL,
    users bigint[] NOT NULL,
    payload jsonb NOT NULL,
    rounds integer NOT NULL DEFAULT 0
);
COMMENT ON TABLE muster.event_notice IS 'What people are to be told of events when a transaction ends. No row outlives the transaction that makes it.';
COMMENT ON COLUMN muster.event_notice.id IS 'A number.';
COMMENT ON COLUMN muster.event_notice.group_id IS 'The group of the event; NULL for everybody''s.';
COMMENT ON COLUMN muster.event_notice.kind IS 'The kind of notification.';
COMMENT ON COLUMN muster.event_notice.subject IS 'What makes a repeat known as one.';
COMMENT ON COLUMN muster.event_notice.users IS 'Whom to tell.';
COMMENT ON COLUMN muster.event_notice.payload IS 'What.';
COMMENT ON COLUMN muster.event_notice.rounds IS 'How many rounds of deferred triggers it has waited.';

CREATE OR REPLACE FUNCTION muster.tell_event(e muster.event, kind text, subject text, users bigint[]) RETURNS void
    LANGUAGE sql
    BEGIN ATOMIC
        INSERT INTO muster.event_notice (group_id, kind, subject, users, payload)
        SELECT e.group_id, tell_event.kind, format('event:%s:%s', e.id, tell_event.subject), tell_event.users,
            jsonb_build_object('event', e.id::text, 'title', e.title,
                'startsAt', (extract(epoch FROM e.starts_at) * 1000)::bigint,
                'clock', to_char(e.starts_at AT TIME ZONE e.tz, 'HH24:MI'))
        WHERE cardinality(tell_event.users) > 0;
    END;
COMMENT ON FUNCTION muster.tell_event IS 'Has a notification about an event stored for people when the transaction ends, and servers told of its numbers.';

-- At a commit, who leaves a group is first taken off the lists of its events, then their places are given on: two rounds of
-- triggers. A notice of before waits for both, and takes along what came meanwhile.
CREATE FUNCTION muster.send_event_notices() RETURNS trigger
    LANGUAGE plpgsql AS $$
DECLARE
    users bigint[];
    kinds text[];
    groups bigint[];
    subjects text[];
    payloads jsonb[];
    told record;
BEGIN
    IF NEW.rounds < 2 THEN
        UPDATE muster.event_notice n SET rounds = NEW.rounds + 1 WHERE n.id = NEW.id;
        RETURN NULL;
    END IF;
    WITH due AS (
        DELETE FROM muster.event_notice RETURNING *
    )
    SELECT array_agg(u.user_id), array_agg(d.kind), array_agg(d.group_id), array_agg(d.subject), array_agg(d.payload)
    INTO users, kinds, groups, subjects, payloads
    FROM due d CROSS JOIN LATERAL unnest(d.users) AS u(user_id);
    IF users IS NULL THEN RETURN NULL; END IF;
    FOR told IN
        SELECT users[n.place] AS user_id, n.given FROM muster.notify(
            users,
            kinds,
            groups,
            array_fill(NULL::bigint, ARRAY[cardinality(users)]),
            subjects,
            array_fill(date_trunc('milliseconds', now()), ARRAY[cardinality(users)]),
            payloads
        ) n
    LOOP
        PERFORM pg_notify('muster_change', format('notification %s %s', told.user_id, told.given));
    END LOOP;
    RETURN NULL;
END $$;
COMMENT ON FUNCTION muster.send_event_notices() IS
    'Trigger that stores what people are told of events, last in a transaction and in one call, and tells servers of the numbers.';
CREATE CONSTRAINT TRIGGER event_notice_send AFTER INSERT OR UPDATE ON muster.event_notice DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION muster.send_event_notices();

CREATE FUNCTION muster.give_places(event bigint) RETURNS bigint[]
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
    RETURN lucky;
END $$;
COMMENT ON FUNCTION muster.give_places IS 'Gives the free places of an event to those who have waited longest. Returns who they are; whoever calls it has them told.';

CREATE OR REPLACE FUNCTION muster.fill_event(event bigint) RETURNS bigint[]
    LANGUAGE plpgsql AS $$
DECLARE
    lucky bigint[] := muster.give_places(event);
BEGIN
    -- Who gave a place back and waited again is told again.
    PERFORM muster.tell_event(
        e,
        'event_place',
        format('place:%s', (extract(epoch FROM g.asked_at) * 1000)::bigint),
        ARRAY[g.user_id]
    )
    FROM muster.event e JOIN muster.event_guest g ON g.event_id = e.id
    WHERE e.id = fill_event.event AND g.user_id = ANY (lucky);
    RETURN lucky;
END $$;
COMMENT ON FUNCTION muster.fill_event IS 'Gives the free places of an event to those who have waited longest, and has them told when the transaction ends. Returns who they are.';

-- A server that changes a guest has changed the event too, and given places on. Who else does is followed at the commit.
CREATE FUNCTION muster.follow_guest() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    UPDATE muster.event e SET revision = e.revision + 1
    WHERE e.id = NEW.event_id AND e.xmin <> pg_current_xact_id()::xid;
    -- Who has done both finds nobody to give a place to.
    PERFORM muster.fill_event(NEW.event_id);
    RETURN NULL;
END $$;
COMMENT ON FUNCTION muster.follow_guest() IS
    'Trigger that makes a new revision of an event of which a guest was changed by hand, and gives on the place that this may have freed.';
CREATE CONSTRAINT TRIGGER event_guest_changed AFTER INSERT OR UPDATE ON muster.event_guest DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION muster.follow_guest();

CREATE FUNCTION muster.lock_events_of(person bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM muster.event e
    WHERE e.id IN (SELECT h.id FROM muster.event h WHERE h.host_id = person
        UNION SELECT g.event_id FROM muster.event_guest g WHERE g.user_id = person)
    ORDER BY e.id FOR NO KEY UPDATE;
END $$;
COMMENT ON FUNCTION muster.lock_events_of IS 'Locks the events that a person hosts or has answered to, in the order of locks.';

CREATE FUNCTION muster.lock_rooms_of(person bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM muster.room r
    WHERE r.id IN (SELECT m.room_id FROM muster.message m WHERE m.author_id = person
        UNION SELECT b.room_id FROM muster.room_member b WHERE b.user_id = person)
    ORDER BY r.id FOR NO KEY UPDATE;
END $$;
COMMENT ON FUNCTION muster.lock_rooms_of IS 'Locks the rooms in which a person is or has said something, in the order of locks, behind the events.';

-- Guests are shown by name and face, in lists and in the rooms of events.
CREATE OR REPLACE FUNCTION muster.rename_host() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM muster.lock_events_of(NEW.id);
    UPDATE muster.event e SET revision = e.revision + 1
    WHERE e.ends_at > now() AND e.id IN (
        SELECT h.id FROM muster.event h WHERE h.host_id = NEW.id
        UNION SELECT g.event_id FROM muster.event_guest g
            WHERE g.user_id = NEW.id AND g.rsvp IN ('yes', 'maybe', 'waiting'));
    RETURN NULL;
END $$;
COMMENT ON FUNCTION muster.rename_host() IS
    'Trigger that makes a new revision of the events of a host or guest who has another name or face now.';

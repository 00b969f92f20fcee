-- Rooms of events. In one are the event's host and the guests who come, might come or wait; triggers keep it so, whoever
-- changes the lists. Guests read everything, also what was said before they came; what was said before is not unread.
-- Order of locks: events by rising id, then rooms by rising id, then the accounts of those who are told.
ALTER TABLE muster.room
    ADD COLUMN event_id bigint UNIQUE REFERENCES muster.event ON DELETE CASCADE,
    DROP CONSTRAINT room_owner,
    ADD CONSTRAINT room_owner CHECK (CASE kind
        WHEN 'group' THEN group_id IS NOT NULL AND group_id = id AND event_id IS NULL
        ELSE event_id IS NOT NULL AND event_id = id AND group_id IS NULL END);
COMMENT ON TABLE muster.room IS 'Where people talk: one room a group, and one an event. Its row is locked by whoever writes there.';
COMMENT ON COLUMN muster.room.group_id IS 'The group, with which it goes; NULL for an event''s room.';
COMMENT ON COLUMN muster.room.event_id IS 'The event, with which it goes; NULL for a group''s room.';
COMMENT ON TABLE muster.room_member IS 'Who is in a room. Triggers keep it as the membership of the group, or the guests of the event, are.';
COMMENT ON COLUMN muster.room_member.from_seq IS 'The first message that they may read: who joins a group reads from then on, a guest of an event everything.';

CREATE FUNCTION muster.seat_in_event(event bigint, person bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    is_in boolean;
BEGIN
    PERFORM FROM muster.event e WHERE e.id = seat_in_event.event FOR NO KEY UPDATE;
    PERFORM FROM muster.room r WHERE r.id = seat_in_event.event FOR NO KEY UPDATE;
    IF NOT FOUND THEN RETURN; END IF;
    is_in := EXISTS (SELECT FROM muster.event e WHERE e.id = seat_in_event.event AND e.host_id = person)
        OR EXISTS (SELECT FROM muster.event_guest g
            WHERE g.event_id = seat_in_event.event AND g.user_id = person AND g.rsvp IN ('yes', 'maybe', 'waiting'));
    IF is_in THEN
        INSERT INTO muster.room_member (room_id, user_id, from_seq, read_seq)
        SELECT r.id, a.id, 1, r.last_seq FROM muster.room r, muster.account a
        WHERE r.id = seat_in_event.event AND a.id = person
        ON CONFLICT (room_id, user_id) DO NOTHING;
    ELSE
        DELETE FROM muster.room_member m WHERE m.room_id = seat_in_event.event AND m.user_id = person;
        DELETE FROM muster.notification n
        WHERE n.user_id = person AND n.seen_at IS NULL AND n.kind IN ('mention', 'messages')
            AND n.payload ->> 'room' = seat_in_event.event::text;
    END IF;
END $$;
COMMENT ON FUNCTION muster.seat_in_event IS
    'Lets a person into the room of an event, or takes them out of it with what they were told of it and have not seen, as their standing is now.';

CREATE FUNCTION muster.open_event_room() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO muster.room (id, kind, event_id) VALUES (NEW.id, 'event', NEW.id);
    PERFORM muster.seat_in_event(NEW.id, NEW.host_id);
    RETURN NULL;
END $$;
COMMENT ON FUNCTION muster.open_event_room() IS 'Trigger that gives an event its room, with its host in it.';

CREATE FUNCTION muster.seat_host() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM muster.seat_in_event(NEW.id, NEW.host_id);
    PERFORM muster.seat_in_event(NEW.id, OLD.host_id);
    RETURN NULL;
END $$;
COMMENT ON FUNCTION muster.seat_host() IS 'Trigger that lets the next host of an event into its room.';

CREATE FUNCTION muster.seat_guest() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        PERFORM muster.seat_in_event(OLD.event_id, OLD.user_id);
    ELSE
        PERFORM muster.seat_in_event(NEW.event_id, NEW.user_id);
    END IF;
    RETURN NULL;
END $$;
COMMENT ON FUNCTION muster.seat_guest() IS 'Trigger that lets who comes to an event into its room, and who does not out of it.';

-- Guests lose their seats when the event goes; this is for its host.
CREATE FUNCTION muster.drop_event_room() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM muster.notification n USING muster.room_member b
    WHERE b.room_id = OLD.id AND n.user_id = b.user_id AND n.seen_at IS NULL AND n.kind IN ('mention', 'messages')
        AND n.payload ->> 'room' = OLD.id::text;
    RETURN OLD;
END $$;
COMMENT ON FUNCTION muster.drop_event_room() IS 'Trigger that takes back what people were told of the room of an event that goes.';

INSERT INTO muster.room (id, kind, event_id) SELECT e.id, 'event', e.id FROM muster.event e;
INSERT INTO muster.room_member (room_id, user_id, from_seq, read_seq)
SELECT e.id, e.host_id, 1, 0 FROM muster.event e
UNION
SELECT g.event_id, g.user_id, 1, 0 FROM muster.event_guest g WHERE g.rsvp IN ('yes', 'maybe', 'waiting');

CREATE TRIGGER event_open_room AFTER INSERT ON muster.event FOR EACH ROW EXECUTE FUNCTION muster.open_event_room();
CREATE TRIGGER event_drop_room BEFORE DELETE ON muster.event FOR EACH ROW EXECUTE FUNCTION muster.drop_event_room();
CREATE TRIGGER event_seat_host AFTER UPDATE OF host_id ON muster.event
    FOR EACH ROW WHEN (OLD.host_id <> NEW.host_id) EXECUTE FUNCTION muster.seat_host();
CREATE TRIGGER event_guest_enter_room AFTER INSERT OR DELETE ON muster.event_guest
    FOR EACH ROW EXECUTE FUNCTION muster.seat_guest();
CREATE TRIGGER event_guest_change_room AFTER UPDATE ON muster.event_guest
    FOR EACH ROW WHEN ((OLD.rsvp IN ('no', 'removed')) <> (NEW.rsvp IN ('no', 'removed'))) EXECUTE FUNCTION muster.seat_guest();

-- Who leaves a group leaves its events at the commit: those are locked before the room of the group.
CREATE OR REPLACE FUNCTION muster.leave_room() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM muster.event e
    WHERE e.group_id = OLD.group_id AND (e.host_id = OLD.user_id
        OR EXISTS (SELECT FROM muster.event_guest g WHERE g.event_id = e.id AND g.user_id = OLD.user_id))
    ORDER BY e.id FOR NO KEY UPDATE;
    DELETE FROM muster.room_member m WHERE m.room_id = OLD.group_id AND m.user_id = OLD.user_id;
    PERFORM muster.say_in_room(OLD.group_id, OLD.user_id, NULL, date_trunc('milliseconds', clock_timestamp()),
        jsonb_build_object('event',
            CASE WHEN current_setting('muster.removes_members', true) = 'on' THEN 'removed' ELSE 'left' END));
    RETURN NULL;
END $$;

-- Locks events, then rooms, in the order of locks; also those that the end of the account will take the person out of.
CREATE OR REPLACE FUNCTION muster.erase_messages(person bigint) RETURNS SETOF bigint LANGUAGE plpgsql AS $$
DECLARE
    place bigint;
    erased bigint;
BEGIN
    PERFORM FROM muster.event e
    WHERE e.id IN (SELECT h.id FROM muster.event h WHERE h.host_id = person
        UNION SELECT g.event_id FROM muster.event_guest g WHERE g.user_id = person)
    ORDER BY e.id FOR NO KEY UPDATE;
    PERFORM FROM muster.room r
    WHERE r.id IN (SELECT m.room_id FROM muster.message m WHERE m.author_id = person
        UNION SELECT b.room_id FROM muster.room_member b WHERE b.user_id = person)
    ORDER BY r.id FOR NO KEY UPDATE;
    FOR place IN SELECT DISTINCT m.room_id FROM muster.message m WHERE m.author_id = person ORDER BY 1 LOOP
        DELETE FROM muster.photo_use u USING muster.message m
        WHERE m.room_id = place AND m.author_id = person AND u.room_id = m.room_id AND u.message_seq = m.seq;
        UPDATE muster.message m SET version = r.version + x.n, author_id = NULL, key = NULL, text = NULL, mentions = '{}',
            data = NULL, reply_to = NULL, edited_at = NULL, deleted = true
        FROM muster.room r, (
            SELECT o.seq, row_number() OVER (ORDER BY o.seq) AS n FROM muster.message o
            WHERE o.room_id = place AND o.author_id = person
        ) x
        WHERE r.id = place AND m.room_id = place AND m.seq = x.seq;
        GET DIAGNOSTICS erased = ROW_COUNT;
        UPDATE muster.room r SET version = r.version + erased,
            epoch = CASE WHEN erased > 200 THEN muster.new_epoch() ELSE r.epoch END
        WHERE r.id = place;
        RETURN NEXT place;
    END LOOP;
END $$;

CREATE OR REPLACE VIEW ops.rooms_active AS
SELECT r.id AS room_id, r.kind, coalesce(g.name, e.title) AS name,
    (SELECT count(*) FROM muster.room_member m WHERE m.room_id = r.id) AS members,
    r.last_seq AS messages, r.version, last.at AS last_at,
    (SELECT count(*) FROM muster.message m WHERE m.room_id = r.id AND m.kind <> 'system' AND m.at > now() - interval '1 day')
        AS messages_24h, r.slow_seconds
FROM muster.room r
    LEFT JOIN muster.grp g ON g.id = r.group_id
    LEFT JOIN muster.event e ON e.id = r.event_id
    JOIN LATERAL (SELECT m.at FROM muster.message m WHERE m.room_id = r.id AND m.kind <> 'system' ORDER BY m.seq DESC LIMIT 1)
        AS last ON true;
COMMENT ON VIEW ops.rooms_active IS 'Rooms of groups and events in which somebody has said something: who is there, how much is said, and when last.';

CREATE OR REPLACE VIEW ops.chat_lag AS
SELECT r.id AS room_id, coalesce(g.name, e.title) AS name, r.version, coalesce(t.version, 0) AS told_version,
    r.version - coalesce(t.version, 0) AS behind
FROM muster.room r
    LEFT JOIN muster.grp g ON g.id = r.group_id
    LEFT JOIN muster.event e ON e.id = r.event_id
    LEFT JOIN muster.room_told t ON t.room_id = r.id
WHERE r.version > coalesce(t.version, 0);

-- What an operator takes away from everybody. muster moderate writes it in the transaction that deletes the thing; servers hear
-- of the row by the change feed, kind take_down, and hide what they hold.
CREATE TABLE muster.take_down (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    what text NOT NULL CHECK (what IN ('message', 'event', 'spot', 'pin', 'photo')),
    subject_id bigint NOT NULL,
    room_id bigint,
    reason text CHECK (char_length(reason) BETWEEN 1 AND 500),
    at timestamptz NOT NULL,
    spot_id bigint,
    rooms bigint[] NOT NULL DEFAULT '{}',
    groups bigint[] NOT NULL DEFAULT '{}',
    CONSTRAINT take_down_message CHECK ((what = 'message') = (room_id IS NOT NULL))
);
CREATE INDEX take_down_at ON muster.take_down (at);
COMMENT ON TABLE muster.take_down IS 'What an operator took away, for 90 days. It knows no person.';
COMMENT ON COLUMN muster.take_down.id IS 'A number.';
COMMENT ON COLUMN muster.take_down.what IS 'What kind of thing it was.';
COMMENT ON COLUMN muster.take_down.subject_id IS 'Which: its id; of a message its number in the room.';
COMMENT ON COLUMN muster.take_down.room_id IS 'The room of a message; NULL else.';
COMMENT ON COLUMN muster.take_down.reason IS 'Why, in the operator''s words; NULL for none.';
COMMENT ON COLUMN muster.take_down.at IS 'When.';
COMMENT ON COLUMN muster.take_down.spot_id IS 'The spot that is gone, or has lost its photo; NULL for none.';
COMMENT ON COLUMN muster.take_down.rooms IS 'The rooms in which messages were deleted.';
COMMENT ON COLUMN muster.take_down.groups IS 'The groups in which somebody has lost their face.';

CREATE FUNCTION muster.announce_take_down() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('muster_change', format('take_down %s 1', NEW.id));
    RETURN NULL;
END $$;
COMMENT ON FUNCTION muster.announce_take_down() IS 'Trigger that tells servers on the channel muster_change what to hide.';
CREATE TRIGGER take_down_announce AFTER INSERT ON muster.take_down
    FOR EACH ROW EXECUTE FUNCTION muster.announce_take_down();

-- The room's lock comes first, as for whoever writes there.
CREATE FUNCTION muster.blank_message(room bigint, place bigint) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    next bigint;
BEGIN
    SELECT r.version + 1 INTO next FROM muster.room r WHERE r.id = room FOR NO KEY UPDATE;
    UPDATE muster.message m SET version = next, text = NULL, mentions = '{}', data = NULL, reply_to = NULL,
        edited_at = NULL, deleted = true
    WHERE m.room_id = room AND m.seq = place AND NOT m.deleted AND m.kind <> 'system';
    IF NOT FOUND THEN RETURN false; END IF;
    DELETE FROM muster.photo_use u WHERE u.room_id = room AND u.message_seq = place;
    UPDATE muster.room r SET version = next WHERE r.id = room;
    RETURN true;
END $$;
COMMENT ON FUNCTION muster.blank_message IS
    'Deletes a message of a person, as its author would, and says whether it was there. It locks the room until the commit.';

CREATE VIEW ops.take_downs AS
SELECT t.id AS take_down_id, t.at, date_trunc('second', now() - t.at) AS age, t.what, t.subject_id, t.room_id, t.reason,
    (SELECT count(*) FROM muster.report p WHERE p.what = t.what AND p.subject_id = t.subject_id
        AND p.room_id IS NOT DISTINCT FROM t.room_id) AS reports
FROM muster.take_down t;
COMMENT ON VIEW ops.take_downs IS 'What operators took away in the last 90 days, why, and how many had reported it.';

DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'muster_ops') THEN
        GRANT SELECT ON muster.take_down, ops.take_downs TO muster_ops;
    END IF;
END $$;

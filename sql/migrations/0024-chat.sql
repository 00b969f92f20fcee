-- What people say in rooms. A room belongs to a group, whose id it has; the log of a room is its rows of muster.message, and
-- whatever is written there is written under the lock of the room's row, so that its numbers have no holes.
CREATE TYPE muster.room_kind AS ENUM ('group', 'event');
CREATE TYPE muster.room_muted AS ENUM ('none', 'all', 'mentions');
CREATE TYPE muster.message_kind AS ENUM ('text', 'photo', 'wait', 'system');

CREATE FUNCTION muster.new_epoch() RETURNS text LANGUAGE sql VOLATILE
    RETURN to_hex(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint) || to_hex(floor(random() * 4096)::integer);
COMMENT ON FUNCTION muster.new_epoch() IS 'A word for a new numbering of versions, which no other numbering has.';

CREATE TABLE muster.room (
    id bigint PRIMARY KEY,
    kind muster.room_kind NOT NULL,
    group_id bigint UNIQUE REFERENCES muster.grp ON DELETE CASCADE,
    epoch text NOT NULL DEFAULT muster.new_epoch() CHECK (epoch ~ '^[0-9a-z]{1,24}$'),
    last_seq bigint NOT NULL DEFAULT 0 CHECK (last_seq >= 0),
    version bigint NOT NULL DEFAULT 0 CHECK (version >= last_seq),
    slow_seconds integer NOT NULL DEFAULT 0 CHECK (slow_seconds BETWEEN 0 AND 3600),
    CONSTRAINT room_owner CHECK (CASE kind WHEN 'group' THEN group_id IS NOT NULL AND group_id = id ELSE group_id IS NULL END)
);
COMMENT ON TABLE muster.room IS 'Where people talk: one room a group. Its row is locked by whoever writes there.';
COMMENT ON COLUMN muster.room.id IS 'That of the group or event.';
COMMENT ON COLUMN muster.room.kind IS 'Whose room it is.';
COMMENT ON COLUMN muster.room.group_id IS 'The group, with which it goes; NULL for a room of something else.';
COMMENT ON COLUMN muster.room.epoch IS 'The life of the numbering of versions; clients that hold another one start anew.';
COMMENT ON COLUMN muster.room.last_seq IS 'The number of the newest message; they are 1, 2, 3 and so on.';
COMMENT ON COLUMN muster.room.version IS 'Counts all changes: messages, edits, deletions.';
COMMENT ON COLUMN muster.room.slow_seconds IS 'How long a member waits from one message to the next; 0 for not at all.';

CREATE TABLE muster.room_told (
    room_id bigint PRIMARY KEY REFERENCES muster.room ON DELETE CASCADE,
    version bigint NOT NULL CHECK (version >= 0)
);
COMMENT ON TABLE muster.room_told IS 'Up to which version of a room people have been given the notifications that they get of it.';
COMMENT ON COLUMN muster.room_told.room_id IS 'The room.';
COMMENT ON COLUMN muster.room_told.version IS 'Raised in the transaction that stores the notifications.';

CREATE TABLE muster.room_member (
    room_id bigint NOT NULL REFERENCES muster.room ON DELETE CASCADE,
    user_id bigint NOT NULL REFERENCES muster.account ON DELETE CASCADE,
    from_seq bigint NOT NULL CHECK (from_seq >= 1),
    read_seq bigint NOT NULL CHECK (read_seq >= 0),
    muted muster.room_muted NOT NULL DEFAULT 'none',
    PRIMARY KEY (room_id, user_id)
);
CREATE INDEX room_member_user_id ON muster.room_member (user_id);
COMMENT ON TABLE muster.room_member IS 'Who is in a room. Of a group''s room triggers keep it as the membership is.';
COMMENT ON COLUMN muster.room_member.room_id IS 'The room.';
COMMENT ON COLUMN muster.room_member.user_id IS 'The member.';
COMMENT ON COLUMN muster.room_member.from_seq IS 'The first message that they may read: who joins a group reads from then on.';
COMMENT ON COLUMN muster.room_member.read_seq IS 'The last message that they have read; what is unread is counted from it.';
COMMENT ON COLUMN muster.room_member.muted IS 'Which notifications they do not want: none, all, or all but mentions.';

CREATE TABLE muster.message (
    room_id bigint NOT NULL REFERENCES muster.room ON DELETE CASCADE,
    seq bigint NOT NULL CHECK (seq >= 1),
    version bigint NOT NULL CHECK (version >= seq),
    key text CHECK (char_length(key) BETWEEN 1 AND 64),
    kind muster.message_kind NOT NULL,
    author_id bigint REFERENCES muster.account ON DELETE SET NULL,
    at timestamptz NOT NULL,
    text text CHECK (char_length(text) BETWEEN 1 AND 4000),
    reply_to bigint CHECK (reply_to < seq),
    mentions bigint[] NOT NULL DEFAULT '{}' CHECK (cardinality(mentions) <= 250),
    edited_at timestamptz,
    deleted boolean NOT NULL DEFAULT false,
    data jsonb,
    PRIMARY KEY (room_id, seq),
    CHECK (NOT deleted OR (text IS NULL AND data IS NULL AND mentions = '{}'))
);
CREATE UNIQUE INDEX message_version ON muster.message (room_id, version);
CREATE UNIQUE INDEX message_key ON muster.message (room_id, author_id, key)
    WHERE author_id IS NOT NULL AND kind <> 'system' AND key IS NOT NULL;
CREATE UNIQUE INDEX message_system_key ON muster.message (room_id, key) WHERE kind = 'system' AND key IS NOT NULL;
CREATE INDEX message_author_id ON muster.message (author_id, room_id, seq) WHERE author_id IS NOT NULL;
COMMENT ON TABLE muster.message IS 'What was said in rooms, in order. A deleted message stays as a row without words.';
COMMENT ON COLUMN muster.message.room_id IS 'The room.';
COMMENT ON COLUMN muster.message.seq IS 'Its place in the room: 1, 2, 3 and so on.';
COMMENT ON COLUMN muster.message.version IS 'The room''s version when it was last changed.';
COMMENT ON COLUMN muster.message.key IS 'What its client, or the server, knows a repeat by. NULL when there can be none.';
COMMENT ON COLUMN muster.message.kind IS 'Words, a photo, the wish that others wait, or what the server says.';
COMMENT ON COLUMN muster.message.author_id IS 'Who said it, or whom the server''s message is about; NULL when their account is gone.';
COMMENT ON COLUMN muster.message.at IS 'When it was written.';
COMMENT ON COLUMN muster.message.text IS 'The words; NULL for none.';
COMMENT ON COLUMN muster.message.reply_to IS 'The message that it answers.';
COMMENT ON COLUMN muster.message.mentions IS 'Whom it calls; of a wish to wait, those who are asked.';
COMMENT ON COLUMN muster.message.edited_at IS 'When its words were last changed; NULL for never.';
COMMENT ON COLUMN muster.message.deleted IS 'Whether it was deleted.';
COMMENT ON COLUMN muster.message.data IS 'What a wish to wait and the server''s messages say.';

CREATE TABLE muster.block (
    user_id bigint NOT NULL REFERENCES muster.account ON DELETE CASCADE,
    blocked_id bigint NOT NULL REFERENCES muster.account ON DELETE CASCADE,
    at timestamptz NOT NULL,
    PRIMARY KEY (user_id, blocked_id),
    CHECK (user_id <> blocked_id)
);
CREATE INDEX block_blocked_id ON muster.block (blocked_id);
COMMENT ON TABLE muster.block IS 'Whom people do not want to hear of. Nobody is told that they are blocked.';
COMMENT ON COLUMN muster.block.user_id IS 'Who blocks.';
COMMENT ON COLUMN muster.block.blocked_id IS 'Whom.';
COMMENT ON COLUMN muster.block.at IS 'Since when.';

CREATE TABLE muster.report (
    id bigint PRIMARY KEY,
    user_id bigint NOT NULL REFERENCES muster.account ON DELETE CASCADE,
    about_id bigint REFERENCES muster.account ON DELETE CASCADE,
    what text NOT NULL CHECK (what IN ('message', 'event', 'spot', 'pin', 'photo', 'user')),
    subject_id bigint NOT NULL,
    room_id bigint,
    reason text NOT NULL CHECK (char_length(reason) BETWEEN 1 AND 500),
    text text,
    at timestamptz NOT NULL,
    closed_at timestamptz
);
CREATE INDEX report_user_id ON muster.report (user_id);
CREATE INDEX report_about_id ON muster.report (about_id) WHERE about_id IS NOT NULL;
COMMENT ON TABLE muster.report IS 'What people find wrong, for the operator; kept for 90 days after it is closed.';
COMMENT ON COLUMN muster.report.id IS 'Made by the server, rising with time.';
COMMENT ON COLUMN muster.report.user_id IS 'Who reports.';
COMMENT ON COLUMN muster.report.about_id IS 'Whose it is; NULL where that is not known. It goes with either account.';
COMMENT ON COLUMN muster.report.what IS 'What kind of thing is reported.';
COMMENT ON COLUMN muster.report.subject_id IS 'Which: its id; of a message its number in the room.';
COMMENT ON COLUMN muster.report.room_id IS 'The room of a message; NULL else.';
COMMENT ON COLUMN muster.report.reason IS 'What is wrong, in the words of who reports.';
COMMENT ON COLUMN muster.report.text IS 'The reported words as they were then; NULL for none.';
COMMENT ON COLUMN muster.report.at IS 'When it was reported.';
COMMENT ON COLUMN muster.report.closed_at IS 'When the operator was done with it; NULL while it is open.';

-- A photo may be used by a message.
ALTER TABLE muster.photo_use
    ADD COLUMN room_id bigint,
    ADD COLUMN message_seq bigint,
    ADD CONSTRAINT photo_use_message UNIQUE (room_id, message_seq),
    ADD FOREIGN KEY (room_id, message_seq) REFERENCES muster.message ON DELETE CASCADE,
    ADD CONSTRAINT photo_use_message_whole CHECK ((room_id IS NULL) = (message_seq IS NULL)),
    DROP CONSTRAINT photo_use_check,
    ADD CONSTRAINT photo_use_one CHECK (num_nonnulls(spot_id, face_of, room_id) = 1);
COMMENT ON COLUMN muster.photo_use.room_id IS 'The room of the message that shows it; NULL when something else uses it.';
COMMENT ON COLUMN muster.photo_use.message_seq IS 'The message in that room; NULL when something else uses it.';

INSERT INTO muster.notification_kind (kind, description)
VALUES ('mention', 'Somebody calls one by name in a room.'),
    ('messages', 'There are messages that one has not read, and one is not there.'),
    ('wait_for_me', 'Somebody who is not there asks those who are together to wait.');

-- What the server itself says in a room. It locks the room until the commit.
CREATE FUNCTION muster.say_in_room(room bigint, about bigint, repeat_key text, moment timestamptz, said jsonb)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    next muster.room;
BEGIN
    UPDATE muster.room r SET last_seq = r.last_seq + 1, version = r.version + 1 WHERE r.id = room RETURNING r.* INTO next;
    IF NOT FOUND THEN RETURN NULL; END IF;
    INSERT INTO muster.message (room_id, seq, version, key, kind, author_id, at, data)
    VALUES (room, next.last_seq, next.version, repeat_key, 'system',
        (SELECT a.id FROM muster.account a WHERE a.id = about), moment, said);
    RETURN next.last_seq;
END $$;
COMMENT ON FUNCTION muster.say_in_room IS 'Adds a message of the server to a room and returns its number; NULL when there is no such room.';

CREATE FUNCTION muster.open_room() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO muster.room (id, kind, group_id) VALUES (NEW.id, 'group', NEW.id);
    RETURN NULL;
END $$;
COMMENT ON FUNCTION muster.open_room() IS 'Trigger that gives a group its room.';

CREATE FUNCTION muster.enter_room() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    joined bigint;
BEGIN
    joined := muster.say_in_room(NEW.group_id, NEW.user_id, NULL, NEW.joined_at, '{"event":"joined"}');
    INSERT INTO muster.room_member (room_id, user_id, from_seq, read_seq)
    VALUES (NEW.group_id, NEW.user_id, joined, joined);
    RETURN NULL;
END $$;
COMMENT ON FUNCTION muster.enter_room() IS 'Trigger that lets a new member of a group into its room, from now on.';

CREATE FUNCTION muster.leave_room() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM muster.room_member m WHERE m.room_id = OLD.group_id AND m.user_id = OLD.user_id;
    PERFORM muster.say_in_room(OLD.group_id, OLD.user_id, NULL, date_trunc('milliseconds', clock_timestamp()),
        jsonb_build_object('event',
            CASE WHEN current_setting('muster.removes_members', true) = 'on' THEN 'removed' ELSE 'left' END));
    RETURN NULL;
END $$;
COMMENT ON FUNCTION muster.leave_room() IS
    'Trigger that takes who is no member of a group any more out of its room. muster.removes_members says that it was not their own wish.';

INSERT INTO muster.room (id, kind, group_id) SELECT g.id, 'group', g.id FROM muster.grp g;
INSERT INTO muster.room_member (room_id, user_id, from_seq, read_seq)
SELECT m.group_id, m.user_id, 1, 0 FROM muster.membership m;

CREATE TRIGGER grp_open_room AFTER INSERT ON muster.grp FOR EACH ROW EXECUTE FUNCTION muster.open_room();
CREATE TRIGGER membership_enter_room AFTER INSERT ON muster.membership FOR EACH ROW EXECUTE FUNCTION muster.enter_room();
CREATE TRIGGER membership_leave_room AFTER DELETE ON muster.membership FOR EACH ROW EXECUTE FUNCTION muster.leave_room();

-- Locks the rooms first, in the order of locks, also those that the end of the account will take the person out of.
CREATE FUNCTION muster.erase_messages(person bigint) RETURNS SETOF bigint LANGUAGE plpgsql AS $$
DECLARE
    place bigint;
    erased bigint;
BEGIN
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
COMMENT ON FUNCTION muster.erase_messages IS
    'Leaves nothing of what a person said but bare deleted messages, and returns the rooms. After more than 200 in one that begins a new epoch.';

CREATE VIEW ops.rooms_active AS
SELECT r.id AS room_id, r.kind, g.name, (SELECT count(*) FROM muster.room_member m WHERE m.room_id = r.id) AS members,
    r.last_seq AS messages, r.version, last.at AS last_at,
    (SELECT count(*) FROM muster.message m WHERE m.room_id = r.id AND m.kind <> 'system' AND m.at > now() - interval '1 day')
        AS messages_24h, r.slow_seconds
FROM muster.room r
    LEFT JOIN muster.grp g ON g.id = r.group_id
    JOIN LATERAL (SELECT m.at FROM muster.message m WHERE m.room_id = r.id AND m.kind <> 'system' ORDER BY m.seq DESC LIMIT 1)
        AS last ON true;
COMMENT ON VIEW ops.rooms_active IS 'Rooms in which somebody has said something: who is there, how much is said, and when last.';

CREATE VIEW ops.chat_lag AS
SELECT r.id AS room_id, g.name, r.version, coalesce(t.version, 0) AS told_version,
    r.version - coalesce(t.version, 0) AS behind
FROM muster.room r
    LEFT JOIN muster.grp g ON g.id = r.group_id
    LEFT JOIN muster.room_told t ON t.room_id = r.id
WHERE r.version > coalesce(t.version, 0);
COMMENT ON VIEW ops.chat_lag IS 'Rooms of whose changes people have still to be given their notifications.';

CREATE VIEW ops.reports_open AS
SELECT p.id AS report_id, p.at, date_trunc('second', now() - p.at) AS age, by.name AS reported_by, p.what, p.subject_id,
    p.room_id, about.name AS about
FROM muster.report p
    JOIN muster.account by ON by.id = p.user_id
    LEFT JOIN muster.account about ON about.id = p.about_id
WHERE p.closed_at IS NULL;
COMMENT ON VIEW ops.reports_open IS 'What people found wrong and nobody has looked after yet; without the words.';

DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'muster_ops') THEN
        GRANT SELECT ON muster.room, muster.room_told, muster.room_member, muster.block,
            ops.rooms_active, ops.chat_lag, ops.reports_open TO muster_ops;
        -- Not what people say.
        GRANT SELECT (room_id, seq, version, kind, author_id, at, reply_to, edited_at, deleted) ON muster.message TO muster_ops;
        GRANT SELECT (id, user_id, about_id, what, subject_id, room_id, at, closed_at) ON muster.report TO muster_ops;
    END IF;
END $$;

-- Where people are and were, and what follows from it. Written by the journal alone, in batches, in the order in which
-- the world decided; muster.journal_state rises in each batch's transaction.

CREATE TYPE muster.presence_state AS ENUM ('online', 'away', 'offline');
CREATE TYPE muster.fix_trigger AS ENUM ('move', 'significant', 'manual', 'ping', 'answer');
CREATE TYPE muster.fix_verdict AS ENUM
    ('ok', 'duplicate', 'future', 'out_of_order', 'late', 'inaccurate', 'implausible', 'secondary');
CREATE TYPE muster.gathering_state_name AS ENUM ('together', 'moved', 'ended');
CREATE TYPE muster.gathering_standing AS ENUM ('together', 'absent', 'elsewhere');
CREATE TYPE muster.notification_kind AS ENUM ('left_without_you');
CREATE TYPE muster.notification_variant AS ENUM ('gathered', 'departed');

CREATE TABLE muster.fix (
    device_id bigint NOT NULL,
    seq bigint NOT NULL,
    user_id bigint NOT NULL,
    at timestamptz NOT NULL,
    received_at timestamptz NOT NULL,
    lat double precision NOT NULL CHECK (lat BETWEEN -90 AND 90),
    lon double precision NOT NULL CHECK (lon BETWEEN -180 AND 180),
    accuracy real,
    altitude real,
    speed real,
    course real,
    battery real,
    trigger muster.fix_trigger,
    verdict muster.fix_verdict NOT NULL
) PARTITION BY RANGE (at);
CREATE INDEX fix_at ON muster.fix USING brin (at);
CREATE INDEX fix_user_id_at ON muster.fix (user_id, at);
COMMENT ON TABLE muster.fix IS 'The history: every well-formed fix once, with the gate''s verdict. One partition a UTC day, dropped when the retention has passed. No foreign keys: deleting an account deletes its fixes.';
COMMENT ON COLUMN muster.fix.device_id IS 'muster.device.id; the device may be forgotten by now.';
COMMENT ON COLUMN muster.fix.seq IS 'The client''s own number, rising per device.';
COMMENT ON COLUMN muster.fix.user_id IS 'muster.account.id.';
COMMENT ON COLUMN muster.fix.at IS 'When the position was taken, by the device; the server''s time when the device was ahead of it.';
COMMENT ON COLUMN muster.fix.received_at IS 'When the server had it.';
COMMENT ON COLUMN muster.fix.lat IS 'WGS 84 degrees north.';
COMMENT ON COLUMN muster.fix.lon IS 'WGS 84 degrees east.';
COMMENT ON COLUMN muster.fix.accuracy IS 'Metres that the device believes in; NULL when it did not say.';
COMMENT ON COLUMN muster.fix.altitude IS 'Metres.';
COMMENT ON COLUMN muster.fix.speed IS 'Metres per second.';
COMMENT ON COLUMN muster.fix.course IS 'Degrees clockwise from true north.';
COMMENT ON COLUMN muster.fix.battery IS 'Charge, 0 to 1.';
COMMENT ON COLUMN muster.fix.trigger IS 'Why the client sent it.';
COMMENT ON COLUMN muster.fix.verdict IS 'What the gate decided: ok, future (taken as now), out_of_order and late and secondary (history), inaccurate (shown, not used), implausible (a teleport).';

-- Creates the partitions for [now - retention, now + 2 days] and drops those before.
-- New tables are attached, which does not stop readers and writers of the others.
CREATE FUNCTION muster.maintain_partitions(
    retention interval,
    moment timestamptz DEFAULT now(),
    OUT created integer,
    OUT dropped integer
) LANGUAGE plpgsql AS $$
DECLARE
    first_day date := ((moment - retention) AT TIME ZONE 'UTC')::date;
    last_day date := ((moment + interval '2 days') AT TIME ZONE 'UTC')::date;
    day date;
    partition text;
BEGIN
    created := 0;
    dropped := 0;
    -- One at a time; released with the transaction.
    PERFORM pg_advisory_xact_lock(1836413812, 2);
    FOR day IN SELECT generate_series(first_day, last_day, interval '1 day')::date LOOP
        partition := 'fix_' || to_char(day, 'YYYYMMDD');
        CONTINUE WHEN to_regclass(format('muster.%I', partition)) IS NOT NULL;
        EXECUTE format('CREATE TABLE muster.%I (LIKE muster.fix INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', partition);
        EXECUTE format(
            'ALTER TABLE muster.fix ATTACH PARTITION muster.%I FOR VALUES FROM (%L) TO (%L)',
            partition, day::timestamp AT TIME ZONE 'UTC', (day + 1)::timestamp AT TIME ZONE 'UTC'
        );
        created := created + 1;
    END LOOP;
    FOR partition IN
        SELECT c.relname
        FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        WHERE i.inhparent = 'muster.fix'::regclass
            AND c.relname ~ '^fix_[0-9]{8}$'
            AND c.relname < 'fix_' || to_char(first_day, 'YYYYMMDD')
        ORDER BY c.relname
    LOOP
        EXECUTE format('DROP TABLE muster.%I', partition);
        dropped := dropped + 1;
    END LOOP;
END $$;
COMMENT ON FUNCTION muster.maintain_partitions IS 'Makes the partitions of muster.fix for [moment - retention, moment + 2 days] and drops older ones; returns how many of each.';

CREATE TABLE muster.position (
    user_id bigint PRIMARY KEY REFERENCES muster.account ON DELETE CASCADE,
    device_id bigint NOT NULL REFERENCES muster.device ON DELETE CASCADE,
    seq bigint NOT NULL,
    at timestamptz NOT NULL,
    lat double precision NOT NULL CHECK (lat BETWEEN -90 AND 90),
    lon double precision NOT NULL CHECK (lon BETWEEN -180 AND 180),
    place geography(Point, 4326) NOT NULL
        GENERATED ALWAYS AS (ST_SetSRID(ST_MakePoint(lon, lat), 4326)::geography) STORED,
    accuracy real,
    altitude real,
    speed real,
    course real,
    battery real,
    trigger muster.fix_trigger,
    stationary boolean NOT NULL,
    verdict muster.fix_verdict NOT NULL
) WITH (fillfactor = 70);
CREATE INDEX position_place ON muster.position USING gist (place);
CREATE INDEX position_device_id ON muster.position (device_id);
COMMENT ON TABLE muster.position IS 'The newest shown position of each person; written at most once a second a person.';
COMMENT ON COLUMN muster.position.user_id IS 'Who.';
COMMENT ON COLUMN muster.position.device_id IS 'The device that took it.';
COMMENT ON COLUMN muster.position.seq IS 'The number of its fix.';
COMMENT ON COLUMN muster.position.at IS 'When it was taken.';
COMMENT ON COLUMN muster.position.lat IS 'WGS 84 degrees north.';
COMMENT ON COLUMN muster.position.lon IS 'WGS 84 degrees east.';
COMMENT ON COLUMN muster.position.place IS 'lat and lon as PostGIS knows them; computed.';
COMMENT ON COLUMN muster.position.accuracy IS 'Metres that the device believes in.';
COMMENT ON COLUMN muster.position.altitude IS 'Metres.';
COMMENT ON COLUMN muster.position.speed IS 'Metres per second.';
COMMENT ON COLUMN muster.position.course IS 'Degrees clockwise from true north.';
COMMENT ON COLUMN muster.position.battery IS 'Charge, 0 to 1.';
COMMENT ON COLUMN muster.position.trigger IS 'Why the client sent it.';
COMMENT ON COLUMN muster.position.stationary IS 'Whether the person stayed where they were, which keeps the position usable for longer.';
COMMENT ON COLUMN muster.position.verdict IS 'What the gate decided about its fix.';

CREATE TABLE muster.presence (
    user_id bigint PRIMARY KEY REFERENCES muster.account ON DELETE CASCADE,
    state muster.presence_state NOT NULL,
    last_seen timestamptz,
    changed_at timestamptz NOT NULL
) WITH (fillfactor = 70);
COMMENT ON TABLE muster.presence IS 'Whether each person can be reached, over all their devices.';
COMMENT ON COLUMN muster.presence.user_id IS 'Who.';
COMMENT ON COLUMN muster.presence.state IS 'online: a session in the foreground; away: only in the background, or a device without a session.';
COMMENT ON COLUMN muster.presence.last_seen IS 'When a device of theirs was last heard.';
COMMENT ON COLUMN muster.presence.changed_at IS 'When the state was written last with another value.';

CREATE UNLOGGED TABLE muster.live_session (
    session_id bigint PRIMARY KEY,
    user_id bigint NOT NULL REFERENCES muster.account ON DELETE CASCADE,
    device_id bigint NOT NULL REFERENCES muster.device ON DELETE CASCADE,
    is_watch boolean NOT NULL,
    opened_at timestamptz NOT NULL
);
CREATE INDEX live_session_user_id ON muster.live_session (user_id);
CREATE INDEX live_session_device_id ON muster.live_session (device_id);
COMMENT ON TABLE muster.live_session IS 'The sockets that are open, for operators; unlogged, cleared when a server takes the database.';
COMMENT ON COLUMN muster.live_session.session_id IS 'The session, as in the welcome frame.';
COMMENT ON COLUMN muster.live_session.user_id IS 'Whose it is.';
COMMENT ON COLUMN muster.live_session.device_id IS 'The device at its other end.';
COMMENT ON COLUMN muster.live_session.is_watch IS 'Whether it speaks muster.watch.v1.';
COMMENT ON COLUMN muster.live_session.opened_at IS 'When it said hello.';

CREATE TABLE muster.gathering (
    id bigint PRIMARY KEY,
    group_id bigint NOT NULL REFERENCES muster.grp ON DELETE CASCADE,
    state muster.gathering_state_name NOT NULL,
    since timestamptz NOT NULL,
    ended_at timestamptz CHECK ((ended_at IS NOT NULL) = (state = 'ended')),
    updated_at timestamptz NOT NULL,
    lat double precision NOT NULL CHECK (lat BETWEEN -90 AND 90),
    lon double precision NOT NULL CHECK (lon BETWEEN -180 AND 180),
    place geography(Point, 4326) NOT NULL
        GENERATED ALWAYS AS (ST_SetSRID(ST_MakePoint(lon, lat), 4326)::geography) STORED,
    place_name text
);
CREATE INDEX gathering_group_id_since ON muster.gathering (group_id, since DESC);
CREATE INDEX gathering_open ON muster.gathering (group_id) WHERE ended_at IS NULL;
CREATE INDEX gathering_place ON muster.gathering USING gist (place);
COMMENT ON TABLE muster.gathering IS 'A time at which more than half of a group were together.';
COMMENT ON COLUMN muster.gathering.id IS 'Made by the server.';
COMMENT ON COLUMN muster.gathering.group_id IS 'Whose it is.';
COMMENT ON COLUMN muster.gathering.state IS 'What was last told to the group.';
COMMENT ON COLUMN muster.gathering.since IS 'When it began.';
COMMENT ON COLUMN muster.gathering.ended_at IS 'When it ended; NULL while it lasts.';
COMMENT ON COLUMN muster.gathering.updated_at IS 'When the group was last told something about it.';
COMMENT ON COLUMN muster.gathering.lat IS 'Median of those together, WGS 84 degrees north.';
COMMENT ON COLUMN muster.gathering.lon IS 'Median of those together, WGS 84 degrees east.';
COMMENT ON COLUMN muster.gathering.place IS 'lat and lon as PostGIS knows them; computed.';
COMMENT ON COLUMN muster.gathering.place_name IS 'Name of the spot there; NULL when there is none.';

CREATE TABLE muster.gathering_member (
    gathering_id bigint NOT NULL REFERENCES muster.gathering ON DELETE CASCADE,
    user_id bigint NOT NULL REFERENCES muster.account ON DELETE CASCADE,
    took_part boolean NOT NULL,
    standing muster.gathering_standing NOT NULL,
    PRIMARY KEY (gathering_id, user_id)
);
CREATE INDEX gathering_member_user_id ON muster.gathering_member (user_id);
COMMENT ON TABLE muster.gathering_member IS 'Who was, and who is, part of a gathering, and who was absent.';
COMMENT ON COLUMN muster.gathering_member.gathering_id IS 'The gathering.';
COMMENT ON COLUMN muster.gathering_member.user_id IS 'The member.';
COMMENT ON COLUMN muster.gathering_member.took_part IS 'Whether they were together with the others at any time of it.';
COMMENT ON COLUMN muster.gathering_member.standing IS 'Where they stood when the group was last told: together, absent, or elsewhere (neither).';

CREATE TABLE muster.gathering_state (
    group_id bigint PRIMARY KEY REFERENCES muster.grp ON DELETE CASCADE,
    state bytea NOT NULL,
    updated_at timestamptz NOT NULL
);
COMMENT ON TABLE muster.gathering_state IS 'The gathering machine of a group, encoded, so that a restart alerts nobody twice.';
COMMENT ON COLUMN muster.gathering_state.group_id IS 'Whose machine it is.';
COMMENT ON COLUMN muster.gathering_state.state IS 'The machine''s own encoding.';
COMMENT ON COLUMN muster.gathering_state.updated_at IS 'When it was written.';

CREATE TABLE muster.notification (
    user_id bigint NOT NULL REFERENCES muster.account ON DELETE CASCADE,
    number bigint NOT NULL CHECK (number >= 1),
    kind muster.notification_kind NOT NULL,
    group_id bigint NOT NULL REFERENCES muster.grp ON DELETE CASCADE,
    gathering_id bigint NOT NULL,
    variant muster.notification_variant NOT NULL,
    at timestamptz NOT NULL,
    payload jsonb NOT NULL,
    seen_at timestamptz,
    PRIMARY KEY (user_id, number)
);
CREATE INDEX notification_unseen ON muster.notification (user_id, number) WHERE seen_at IS NULL;
CREATE INDEX notification_group_id_at ON muster.notification (group_id, at);
COMMENT ON TABLE muster.notification IS 'What a person was told, and whether they saw it. Stored before it is sent.';
COMMENT ON COLUMN muster.notification.user_id IS 'Who is told.';
COMMENT ON COLUMN muster.notification.number IS 'Rises per person.';
COMMENT ON COLUMN muster.notification.kind IS 'What kind of thing.';
COMMENT ON COLUMN muster.notification.group_id IS 'The group that it is about.';
COMMENT ON COLUMN muster.notification.gathering_id IS 'muster.gathering.id; not a foreign key, because an alert must not be lost over its gathering''s row.';
COMMENT ON COLUMN muster.notification.variant IS 'gathered: the others are together and you are not there; departed: they moved on.';
COMMENT ON COLUMN muster.notification.at IS 'When it was decided.';
COMMENT ON COLUMN muster.notification.payload IS 'All that the client is told.';
COMMENT ON COLUMN muster.notification.seen_at IS 'When the person saw it; NULL while it waits.';

CREATE TABLE muster.journal_state (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    writer bigint NOT NULL,
    batch bigint NOT NULL,
    records bigint NOT NULL,
    taken_at timestamptz NOT NULL,
    committed_at timestamptz,
    batch_records integer NOT NULL,
    batch_delay_ms bigint NOT NULL
);
COMMENT ON TABLE muster.journal_state IS 'Who writes, and how far: one row, changed in each batch''s transaction, so that a commit whose answer was lost can be told from one that never happened.';
COMMENT ON COLUMN muster.journal_state.is_only IS 'There is one row.';
COMMENT ON COLUMN muster.journal_state.writer IS 'A random number of the server process that holds the advisory lock (1836413812, 1).';
COMMENT ON COLUMN muster.journal_state.batch IS 'The number of that writer''s last batch.';
COMMENT ON COLUMN muster.journal_state.records IS 'Records that the writer has committed.';
COMMENT ON COLUMN muster.journal_state.taken_at IS 'When the writer took the database.';
COMMENT ON COLUMN muster.journal_state.committed_at IS 'When its last batch was written; NULL before the first.';
COMMENT ON COLUMN muster.journal_state.batch_records IS 'Records in the last batch.';
COMMENT ON COLUMN muster.journal_state.batch_delay_ms IS 'How long the oldest record of the last batch had waited, in milliseconds.';

-- Phones' own apps (OwnTracks, Overland, OsmAnd, Traccar Client) report by a token of their own, which opens nothing else.
CREATE TYPE muster.phone_app AS ENUM ('owntracks', 'overland', 'osmand', 'traccar');

CREATE TABLE muster.device_token (
    device_id bigint PRIMARY KEY REFERENCES muster.device ON DELETE CASCADE,
    user_id bigint NOT NULL REFERENCES muster.account ON DELETE CASCADE,
    token_hash bytea NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
    app muster.phone_app NOT NULL,
    created_at timestamptz NOT NULL,
    reported_at timestamptz,
    problems bigint NOT NULL DEFAULT 0 CHECK (problems >= 0),
    last_problem text CHECK (char_length(last_problem) <= 300),
    last_problem_at timestamptz CHECK ((last_problem_at IS NULL) = (last_problem IS NULL))
) WITH (fillfactor = 70);
CREATE INDEX device_token_user_id ON muster.device_token (user_id);
COMMENT ON TABLE muster.device_token IS 'A phone''s own app that reports as a device of its user. The token itself is known to the phone alone.';
COMMENT ON COLUMN muster.device_token.device_id IS 'The device that the reports belong to.';
COMMENT ON COLUMN muster.device_token.user_id IS 'Whose it is.';
COMMENT ON COLUMN muster.device_token.token_hash IS 'BLAKE2b-256 of the token (128 random bits, so no salt is needed).';
COMMENT ON COLUMN muster.device_token.app IS 'The app that the token was made for.';
COMMENT ON COLUMN muster.device_token.created_at IS 'When the user added the phone.';
COMMENT ON COLUMN muster.device_token.reported_at IS 'When the app last sent something; NULL before the first time.';
COMMENT ON COLUMN muster.device_token.problems IS 'Reports, or parts of them, that could not be used.';
COMMENT ON COLUMN muster.device_token.last_problem IS 'What was wrong with the last of them; NULL when there was none.';
COMMENT ON COLUMN muster.device_token.last_problem_at IS 'When it arrived.';

CREATE VIEW ops.trackers AS
SELECT t.device_id, t.user_id, a.username, a.name, t.app, d.name AS device, t.created_at, t.reported_at,
    ops.span(date_trunc('second', now() - t.reported_at)) AS age, d.acked_seq AS fixes, t.problems, t.last_problem,
    t.last_problem_at
FROM muster.device_token t
    JOIN muster.device d ON d.id = t.device_id
    JOIN muster.account a ON a.id = t.user_id;
COMMENT ON VIEW ops.trackers IS 'Phones that report by an app of their own: the last report, the fixes, and the last problem.';

DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'muster_ops') THEN
        GRANT SELECT (device_id, user_id, app, created_at, reported_at, problems, last_problem, last_problem_at)
            ON muster.device_token TO muster_ops;
        GRANT SELECT ON ops.trackers TO muster_ops;
    END IF;
END $$;

-- Phones' own apps do not number their reports, and send a whole batch again when its answer was lost. The journal writes a
-- key of each fix in the transaction that stores the fix.
CREATE TABLE muster.ingest_key (
    device_id bigint NOT NULL REFERENCES muster.device ON DELETE CASCADE,
    key bigint NOT NULL,
    seq bigint NOT NULL,
    PRIMARY KEY (device_id, key)
);
CREATE INDEX ingest_key_device_id_seq ON muster.ingest_key (device_id, seq);
COMMENT ON TABLE muster.ingest_key IS 'The last reports of each phone''s own app, by which a repeated one is recognised; at least 2,048 a device.';
COMMENT ON COLUMN muster.ingest_key.device_id IS 'The device.';
COMMENT ON COLUMN muster.ingest_key.key IS 'BLAKE2b-64 of the time as sent, position, accuracy and trigger.';
COMMENT ON COLUMN muster.ingest_key.seq IS 'The number of its fix, muster.fix.seq.';

DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'muster_ops') THEN
        GRANT SELECT ON muster.ingest_key TO muster_ops;
    END IF;
END $$;

-- Devices that an account said hello from and that are forgotten since: who comes back by one within 90 days is held back by
-- no login that others fail.
CREATE TABLE muster.known_device (
    user_id bigint NOT NULL REFERENCES muster.account ON DELETE CASCADE,
    key_hash bytea NOT NULL CHECK (octet_length(key_hash) = 32),
    last_seen timestamptz NOT NULL,
    PRIMARY KEY (user_id, key_hash)
);
CREATE INDEX known_device_last_seen ON muster.known_device (last_seen);
COMMENT ON TABLE muster.known_device IS 'Idle devices that were forgotten, until 90 days after they were last seen.';
COMMENT ON COLUMN muster.known_device.user_id IS 'Whose it was.';
COMMENT ON COLUMN muster.known_device.key_hash IS 'SHA-256 of the client''s own name for it.';
COMMENT ON COLUMN muster.known_device.last_seen IS 'When it last said hello or reported a fix.';

DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'muster_ops') THEN
        GRANT SELECT (user_id, last_seen) ON muster.known_device TO muster_ops;
    END IF;
END $$;

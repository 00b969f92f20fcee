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

-- How far devices got by batches of the journal that leave the devices' rows for later. With thousands of people on the
-- move a batch has a device for nearly every fix, and overwriting a device's row costs more than a row of muster.fix.
CREATE TABLE muster.journal_progress (
    batch bigint PRIMARY KEY,
    last_seen timestamptz NOT NULL,
    devices bigint[] NOT NULL,
    users bigint[] NOT NULL,
    acked_seqs bigint[] NOT NULL,
    clock_offsets integer[] NOT NULL
);
-- Compressing them would cost more than writing them.
ALTER TABLE muster.journal_progress
    ALTER COLUMN devices SET STORAGE EXTERNAL,
    ALTER COLUMN users SET STORAGE EXTERNAL,
    ALTER COLUMN acked_seqs SET STORAGE EXTERNAL,
    ALTER COLUMN clock_offsets SET STORAGE EXTERNAL;
COMMENT ON TABLE muster.journal_progress IS 'How far devices got by batches of many, written in the batch''s transaction; within seconds, and when a server takes the database, it is carried over to muster.device and deleted.';
COMMENT ON COLUMN muster.journal_progress.batch IS 'The number of the writer''s batch.';
COMMENT ON COLUMN muster.journal_progress.last_seen IS 'Each of the devices reported a fix then or later.';
COMMENT ON COLUMN muster.journal_progress.devices IS 'muster.device.id of each.';
COMMENT ON COLUMN muster.journal_progress.users IS 'Whose it is, in the same order.';
COMMENT ON COLUMN muster.journal_progress.acked_seqs IS 'What its acked_seq rises to.';
COMMENT ON COLUMN muster.journal_progress.clock_offsets IS 'What its clock_offset becomes.';

COMMENT ON COLUMN muster.device.acked_seq IS 'The highest fix number that is in muster.fix, or a lower one while muster.journal_progress says more; one of the two rises in the transaction that stores the fix.';
COMMENT ON COLUMN muster.device.last_seen IS 'When it last said hello or reported a fix; seconds behind while the journal is busy.';

DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'muster_ops') THEN
        GRANT SELECT ON muster.journal_progress TO muster_ops;
    END IF;
END $$;

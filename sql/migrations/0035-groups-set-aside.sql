-- Groups about whose gatherings the running server decides nothing for a while, because that took too long.
CREATE TABLE muster.group_set_aside (
    group_id bigint PRIMARY KEY REFERENCES muster.grp (id) ON DELETE CASCADE,
    cause text NOT NULL CHECK (cause IN ('exhausted', 'slow')),
    since timestamptz NOT NULL,
    retry_at timestamptz NOT NULL,
    tries bigint NOT NULL CHECK (tries > 0)
);
COMMENT ON TABLE muster.group_set_aside IS 'Groups about whose gatherings the running server decides nothing for a while. Their members see each other as always.';
COMMENT ON COLUMN muster.group_set_aside.group_id IS 'The group.';
COMMENT ON COLUMN muster.group_set_aside.cause IS 'exhausted: the last decision took too many steps; slow: it took more than a second.';
COMMENT ON COLUMN muster.group_set_aside.since IS 'When it was set aside.';
COMMENT ON COLUMN muster.group_set_aside.retry_at IS 'When it is tried again; the pause doubles, up to an hour.';
COMMENT ON COLUMN muster.group_set_aside.tries IS 'How often it was tried.';

CREATE VIEW ops.groups_set_aside AS
SELECT s.group_id, g.name AS group_name, s.cause, s.since, date_trunc('second', now() - s.since) AS set_aside_for,
    s.retry_at, s.tries
FROM muster.group_set_aside s JOIN muster.grp g ON g.id = s.group_id;
COMMENT ON VIEW ops.groups_set_aside IS 'Groups about whose gatherings nothing is decided for a while: why, since when, and when it is tried again.';

DO $$ BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'muster_ops') THEN
        GRANT SELECT ON muster.group_set_aside, ops.groups_set_aside TO muster_ops;
    END IF;
END $$;

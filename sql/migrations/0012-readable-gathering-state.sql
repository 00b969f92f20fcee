-- An operator reads why a group is or is not together: the machine's state is JSON. What a server before this one wrote, it read
-- itself; such a row is read on until its group's machine is written anew.
ALTER TABLE muster.gathering_state RENAME COLUMN state TO landed;
ALTER TABLE muster.gathering_state ALTER COLUMN landed DROP NOT NULL;
ALTER TABLE muster.gathering_state ADD COLUMN state jsonb;
ALTER TABLE muster.gathering_state ADD CONSTRAINT gathering_state_one_form CHECK (num_nonnulls(state, landed) = 1);
COMMENT ON TABLE muster.gathering_state IS 'The gathering machine of a group, so that a restart alerts nobody twice.';
COMMENT ON COLUMN muster.gathering_state.state IS 'The machine: members with their positions and stays, clusters and links on their way, the gathering, who is absent, who came apart. NULL while only landed is there.';
COMMENT ON COLUMN muster.gathering_state.landed IS 'The machine as bytes, as versions 1 to 3 of it were written; NULL once it was written anew.';

-- What was learned of a device's clock: quarter hours of a tracker, or seconds of a phone.
CREATE VIEW ops.device_clocks AS
SELECT d.user_id, a.username, a.name, d.id AS device_id, d.kind AS device_kind, d.name AS device,
    d.clock_offset * interval '1 millisecond' AS added,
    CASE WHEN abs(d.clock_offset) > 125000
        THEN round(d.clock_offset / 900000.0) * interval '15 minutes' END AS quarter_hours
FROM muster.device d
    JOIN muster.account a ON a.id = d.user_id
WHERE d.clock_offset <> 0;
COMMENT ON VIEW ops.device_clocks IS 'Devices whose clock is wrong: what is added to their times, and how many quarter hours of it a tracker''s time zone explains.';

DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'muster_ops') THEN
        GRANT SELECT ON ops.device_clocks TO muster_ops;
    END IF;
END $$;

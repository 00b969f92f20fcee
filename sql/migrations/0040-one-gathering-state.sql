-- Versions of the state from before 0012 are not read any more. A group whose machine was not written since then starts
-- anew.
DELETE FROM muster.gathering_state WHERE state IS NULL;
ALTER TABLE muster.gathering_state DROP COLUMN landed;
ALTER TABLE muster.gathering_state ALTER COLUMN state SET NOT NULL;
COMMENT ON COLUMN muster.gathering_state.state IS 'The machine: members with their positions and stays, clusters and links on their way, the gathering, who is absent, who came apart.';

-- Which device of a person leads, and which fix waits to be confirmed, outlives a restart. Where a device was when it had
-- moved last changes every 100 m; the fix that is held is in muster.fix, and only found again from here.
ALTER TABLE muster.device
    ADD COLUMN moved_at timestamptz,
    ADD COLUMN anchor_lat double precision CHECK (anchor_lat BETWEEN -90 AND 90),
    ADD COLUMN anchor_lon double precision CHECK (anchor_lon BETWEEN -180 AND 180),
    ADD COLUMN anchor_accuracy real,
    ADD COLUMN held_at timestamptz,
    ADD CHECK ((anchor_lat IS NULL) = (anchor_lon IS NULL) AND (anchor_lat IS NULL) = (anchor_accuracy IS NULL));
COMMENT ON COLUMN muster.device.moved_at IS 'When it had last moved by 100 m; NULL when it has not since it is known. Of devices that are apart the one that moved last leads.';
COMMENT ON COLUMN muster.device.anchor_lat IS 'Where it was then, or first; WGS 84 degrees north; NULL when no accepted fix of it is known.';
COMMENT ON COLUMN muster.device.anchor_lon IS 'Where it was then, or first; WGS 84 degrees east.';
COMMENT ON COLUMN muster.device.anchor_accuracy IS 'Metres that it believed in there; 0 when it did not say.';
COMMENT ON COLUMN muster.device.held_at IS 'muster.fix.at of its fix that looks like a teleport and waits for another to confirm it; NULL when none does.';

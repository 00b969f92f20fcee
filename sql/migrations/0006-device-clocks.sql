-- What is known of a device's clock outlives a restart: without it the first fixes of a phone that is behind would be older
-- than its last position, and be history only.
ALTER TABLE muster.device ADD COLUMN clock_offset bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN muster.device.clock_offset IS 'Milliseconds that are added to the device''s times because its clock is wrong, as of its last fix; muster.fix.at has them added.';

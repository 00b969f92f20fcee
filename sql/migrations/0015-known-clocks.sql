-- A clock of which nothing is known is not one that is right: what it calls just after a pause may have been taken within it.
-- Where nothing was to be added, nobody knows which of the two it was; three fixes say it again.
ALTER TABLE muster.device ALTER COLUMN clock_offset DROP DEFAULT, ALTER COLUMN clock_offset DROP NOT NULL;
UPDATE muster.device SET clock_offset = NULL WHERE clock_offset = 0;
COMMENT ON COLUMN muster.device.clock_offset IS 'Milliseconds that are added to the device''s times because its clock is wrong, as of its last fix; muster.fix.at has them added. NULL until three arrivals agreed: its clock is not known.';

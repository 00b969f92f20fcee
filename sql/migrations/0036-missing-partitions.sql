-- Partitions of days that upkeep did not see coming, because a clock was set.
CREATE FUNCTION muster.make_fix_partitions(first_day date, last_day date) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
    day date;
    partition text;
    made integer := 0;
BEGIN
    -- As muster.maintain_partitions does.
    PERFORM pg_advisory_xact_lock(1836413812, 2);
    FOR day IN SELECT generate_series(first_day, last_day, interval '1 day')::date LOOP
        partition := 'fix_' || to_char(day, 'YYYYMMDD');
        CONTINUE WHEN to_regclass(format('muster.%I', partition)) IS NOT NULL;
        EXECUTE format('CREATE TABLE muster.%I (LIKE muster.fix INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', partition);
        EXECUTE format(
            'ALTER TABLE muster.fix ATTACH PARTITION muster.%I FOR VALUES FROM (%L) TO (%L)',
            partition, day::timestamp AT TIME ZONE 'UTC', (day + 1)::timestamp AT TIME ZONE 'UTC'
        );
        made := made + 1;
    END LOOP;
    RETURN made;
END $$;
COMMENT ON FUNCTION muster.make_fix_partitions IS 'Makes the partitions of muster.fix for these days that are missing; returns how many.';

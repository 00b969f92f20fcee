-- A place is of one gazetteer: one that takes places over leaves the others fewer, and `muster.gazetteer` says how many.
-- It may leave them none, or be left none itself.
ALTER TABLE muster.gazetteer
    DROP CONSTRAINT gazetteer_rows_check, ADD CHECK (rows >= 0),
    DROP CONSTRAINT gazetteer_names_check, ADD CHECK (names >= 0);
COMMENT ON COLUMN muster.gazetteer.rows IS 'How many places are its own: fewer than it brought, where others have some of them.';
COMMENT ON COLUMN muster.gazetteer.names IS 'How many names these have.';

DROP FUNCTION muster.finish_gazetteer(integer, text, boolean);

CREATE FUNCTION muster.finish_gazetteer(
    new_partition integer, new_source text, yields boolean, OUT yielded_places bigint, OUT yielded_names bigint
)
    LANGUAGE plpgsql AS $$
DECLARE
    old_partition integer;
    statement text;
    part text;
BEGIN
    -- A place is of one source: of the newest, but what came with the machine, and areas without a row of their own, yield.
    EXECUTE format(
        'CREATE TEMPORARY TABLE given_up ON COMMIT DROP AS SELECT n.id FROM muster.place_%1$s n
            WHERE ($1 OR n.type IN (''country'', ''state''))
                AND EXISTS (SELECT FROM muster.place p WHERE p.id = n.id AND p.source <> $2)',
        new_partition
    ) USING yields, new_source;
    yielded_places := 0;
    yielded_names := 0;
    IF EXISTS (SELECT FROM given_up) THEN
        EXECUTE format('DELETE FROM muster.place_%s p USING given_up g WHERE p.id = g.id', new_partition);
        GET DIAGNOSTICS yielded_places = ROW_COUNT;
        EXECUTE format('DELETE FROM muster.place_name_%s n USING given_up g WHERE n.place = g.id', new_partition);
        GET DIAGNOSTICS yielded_names = ROW_COUNT;
    END IF;
    IF EXISTS (SELECT FROM muster.gazetteer WHERE source <> new_source) THEN
        EXECUTE format(
            'WITH gone AS (
                DELETE FROM muster.place p USING muster.place_%s n WHERE p.id = n.id AND p.source <> $1 RETURNING p.source
            )
            UPDATE muster.gazetteer g SET rows = g.rows - lost.count
            FROM (SELECT source, count(*) FROM gone GROUP BY source) lost WHERE g.source = lost.source',
            new_partition
        ) USING new_source;
        EXECUTE format(
            'WITH gone AS (
                DELETE FROM muster.place_name p USING muster.place_%s n WHERE p.place = n.id AND p.source <> $1 RETURNING p.source
            )
            UPDATE muster.gazetteer g SET names = g.names - lost.count
            FROM (SELECT source, count(*) FROM gone GROUP BY source) lost WHERE g.source = lost.source',
            new_partition
        ) USING new_source;
    END IF;
    FOR statement IN
        SELECT regexp_replace(
            pg_get_indexdef(i.indexrelid),
            '^CREATE (UNIQUE )?INDEX (\S+) ON ONLY (\S+)',
            format('CREATE \1INDEX \2_%s ON \3_%s', new_partition, new_partition)
        )
        FROM pg_index i
        WHERE i.indrelid IN ('muster.place'::regclass, 'muster.place_name'::regclass)
        ORDER BY i.indexrelid
    LOOP
        EXECUTE statement;
    END LOOP;
    SELECT partition INTO old_partition FROM muster.gazetteer WHERE source = new_source;
    FOREACH part IN ARRAY ARRAY['place', 'place_name'] LOOP
        EXECUTE format('ANALYZE muster.%s_%s', part, new_partition);
        -- From here on readers wait for the commit.
        IF old_partition IS NOT NULL THEN EXECUTE format('DROP TABLE muster.%s_%s', part, old_partition); END IF;
        EXECUTE format(
            'ALTER TABLE muster.%1$s ATTACH PARTITION muster.%1$s_%2$s FOR VALUES IN (%3$L)', part, new_partition, new_source
        );
    END LOOP;
    DELETE FROM muster.gazetteer WHERE source = new_source;
END $$;
COMMENT ON FUNCTION muster.finish_gazetteer(integer, text, boolean) IS
    'Indexes place_N and place_name_N and puts them in the place of the source''s partitions. Gives how many it left to other
sources, and corrects the rows of those that lost some to it. Its own row is for the caller to write.';

-- What was taken over before this migration.
UPDATE muster.gazetteer g SET
    rows = (SELECT count(*) FROM muster.place p WHERE p.source = g.source),
    names = (SELECT count(*) FROM muster.place_name n WHERE n.source = g.source);

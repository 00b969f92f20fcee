-- Names of places and where they are, for whoever says in words where they are. `muster import places` writes them, and the server
-- at its first start. Each source is a partition: an import fills and indexes a new one beside the old one, which serves
-- until the new one takes its place at the commit.
CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA public;

CREATE TABLE muster.gazetteer (
    source text PRIMARY KEY CHECK (source ~ '^[a-z0-9][a-z0-9._-]{0,59}$'),
    partition integer NOT NULL UNIQUE,
    licence text NOT NULL,
    attribution text NOT NULL,
    imported_at timestamptz NOT NULL,
    rows bigint NOT NULL CHECK (rows > 0),
    names bigint NOT NULL CHECK (names > 0),
    extent double precision[] NOT NULL CHECK (cardinality(extent) = 4),
    key_version integer NOT NULL
);
COMMENT ON TABLE muster.gazetteer IS 'Where places are from: a row an imported file. It holds nobody''s data.';
COMMENT ON COLUMN muster.gazetteer.source IS 'The name of the source, such as geonames-cities15000 or osm-helsinki.';
COMMENT ON COLUMN muster.gazetteer.partition IS 'The number behind the names of its partitions: place_7, place_name_7.';
COMMENT ON COLUMN muster.gazetteer.licence IS 'Under which licence its places may be shown.';
COMMENT ON COLUMN muster.gazetteer.attribution IS 'Whom to name beside its places.';
COMMENT ON COLUMN muster.gazetteer.imported_at IS 'When it was imported.';
COMMENT ON COLUMN muster.gazetteer.rows IS 'How many places it had then.';
COMMENT ON COLUMN muster.gazetteer.names IS 'How many names they had.';
COMMENT ON COLUMN muster.gazetteer.extent IS 'West, south, east, north of its places in degrees.';
COMMENT ON COLUMN muster.gazetteer.key_version IS
    'Which version of the server''s rule made the keys of the names. With another one it must be imported again.';

-- No foreign keys, because millions of rows come at once; a partition goes with its gazetteer.
CREATE TABLE muster.place (
    source text NOT NULL,
    id text NOT NULL CHECK (char_length(id) BETWEEN 1 AND 64),
    name text NOT NULL CHECK (name <> ''),
    type text NOT NULL CHECK (type IN ('house', 'street', 'locality', 'city', 'state', 'country', 'other')),
    category text,
    lat double precision NOT NULL CHECK (lat BETWEEN -90 AND 90),
    lon double precision NOT NULL CHECK (lon BETWEEN -180 AND 180),
    place geography(Geometry, 4326) NOT NULL,
    extent double precision[] CHECK (cardinality(extent) = 4),
    country text,
    state text,
    parent text,
    country_code text,
    population bigint NOT NULL CHECK (population >= 0),
    importance real NOT NULL CHECK (importance BETWEEN 0 AND 1),
    timezone text,
    tags jsonb
) PARTITION BY LIST (source);
CREATE INDEX place_id ON muster.place (id);
CREATE INDEX place_place ON muster.place USING gist (place);
COMMENT ON TABLE muster.place IS 'A place: a town, a street, a house, a café. A partition a source.';
COMMENT ON COLUMN muster.place.source IS 'The gazetteer that it is from.';
COMMENT ON COLUMN muster.place.id IS 'Its id for clients: gn: and the number at GeoNames, osm:n, w or r and the number at OpenStreetMap.';
COMMENT ON COLUMN muster.place.name IS 'What it is called.';
COMMENT ON COLUMN muster.place.type IS 'What it is: house, street, locality, city, state, country, other.';
COMMENT ON COLUMN muster.place.category IS 'What one goes there for, such as cafe; NULL for towns, streets and houses.';
COMMENT ON COLUMN muster.place.lat IS 'WGS 84 degrees north; of a country or a state the centre of its people.';
COMMENT ON COLUMN muster.place.lon IS 'WGS 84 degrees east.';
COMMENT ON COLUMN muster.place.place IS 'The place as PostGIS knows it: a point, of a street its line.';
COMMENT ON COLUMN muster.place.extent IS 'West, south, east, north in degrees; NULL when nobody knows.';
COMMENT ON COLUMN muster.place.country IS 'The id of its country.';
COMMENT ON COLUMN muster.place.state IS 'The id of its state or province.';
COMMENT ON COLUMN muster.place.parent IS 'The id of what it lies in: of a street the city, of a city the state.';
COMMENT ON COLUMN muster.place.country_code IS 'Its country by ISO 3166-1, two letters.';
COMMENT ON COLUMN muster.place.population IS 'How many people live there; 0 when nobody knows.';
COMMENT ON COLUMN muster.place.importance IS 'How likely people mean it, from 0 to 1.';
COMMENT ON COLUMN muster.place.timezone IS 'Its time zone by IANA, such as Europe/Berlin.';
COMMENT ON COLUMN muster.place.tags IS 'What OpenStreetMap tells of it; NULL for other sources.';

CREATE TABLE muster.place_name (
    source text NOT NULL,
    place text NOT NULL,
    key text COLLATE "C" NOT NULL CHECK (key <> ''),
    own boolean NOT NULL,
    importance real NOT NULL
) PARTITION BY LIST (source);
CREATE INDEX place_name_key ON muster.place_name (key, importance DESC);
CREATE INDEX place_name_trigrams ON muster.place_name USING gin (key gin_trgm_ops);
CREATE INDEX place_name_beginning ON muster.place_name ("left"(key, 3), importance DESC);
COMMENT ON TABLE muster.place_name IS 'What places are called, in all languages. A partition a source.';
COMMENT ON COLUMN muster.place_name.source IS 'The gazetteer that the place is from.';
COMMENT ON COLUMN muster.place_name.place IS 'The id of the place.';
COMMENT ON COLUMN muster.place_name.key IS 'The name in small letters a to z, digits and single spaces, by the server''s rule.';
COMMENT ON COLUMN muster.place_name.own IS 'Whether it is the name that the place is shown by.';
COMMENT ON COLUMN muster.place_name.importance IS 'The place''s, so that an index has the most important first.';

CREATE SEQUENCE muster.gazetteer_partition AS integer;

-- An import calls the first, fills the two tables, and calls the second, all in one transaction.
CREATE FUNCTION muster.begin_gazetteer(new_source text) RETURNS integer
    LANGUAGE plpgsql AS $$
DECLARE
    number integer := nextval('muster.gazetteer_partition');
    part text;
BEGIN
    FOREACH part IN ARRAY ARRAY['place', 'place_name'] LOOP
        -- The check spares the partition a look at each row when it is attached.
        EXECUTE format(
            'CREATE TABLE muster.%1$s_%2$s (LIKE muster.%1$s INCLUDING DEFAULTS INCLUDING CONSTRAINTS, CHECK (source = %3$L))',
            part, number, new_source
        );
    END LOOP;
    RETURN number;
END $$;
COMMENT ON FUNCTION muster.begin_gazetteer(text) IS
    'Makes the tables place_N and place_name_N, which are to take the place of a source''s partitions; returns N.';

CREATE FUNCTION muster.finish_gazetteer(new_partition integer, new_source text, yields boolean) RETURNS void
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
    IF EXISTS (SELECT FROM given_up) THEN
        EXECUTE format('DELETE FROM muster.place_%s p USING given_up g WHERE p.id = g.id', new_partition);
        EXECUTE format('DELETE FROM muster.place_name_%s n USING given_up g WHERE n.place = g.id', new_partition);
    END IF;
    IF EXISTS (SELECT FROM muster.gazetteer WHERE source <> new_source) THEN
        EXECUTE format(
            'DELETE FROM muster.place p USING muster.place_%s n WHERE p.id = n.id AND p.source <> $1', new_partition
        ) USING new_source;
        EXECUTE format(
            'DELETE FROM muster.place_name p USING muster.place_%s n WHERE p.place = n.id AND p.source <> $1', new_partition
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
    'Indexes place_N and place_name_N and puts them in the place of the source''s partitions. Its row is for the caller to write.';

CREATE VIEW ops.gazetteers AS
SELECT source, rows, names, licence, attribution, imported_at, date_trunc('second', now() - imported_at) AS age,
    extent, key_version
FROM muster.gazetteer;
COMMENT ON VIEW ops.gazetteers IS 'Where places are from, how many there are, and whom to name beside them.';

DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'muster_ops') THEN
        GRANT SELECT ON muster.gazetteer, muster.place, muster.place_name, ops.gazetteers TO muster_ops;
    END IF;
END $$;

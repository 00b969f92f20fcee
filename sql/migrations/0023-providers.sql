-- What servers elsewhere answered about places, so that they are asked once a day, and how those servers do. Nothing of it is
-- anybody's: questions are about a category around the middle of a cell of 0.005 degrees. Written by the directory; both tables
-- are empty after a crash of PostgreSQL, and nothing is lost by that.
CREATE UNLOGGED TABLE muster.provider_cache (
    key text PRIMARY KEY,
    provider text NOT NULL,
    category text NOT NULL,
    lat double precision NOT NULL CHECK (lat BETWEEN -90 AND 90),
    lon double precision NOT NULL CHECK (lon BETWEEN -180 AND 180),
    radius double precision NOT NULL CHECK (radius > 0),
    places integer NOT NULL CHECK (places >= 0),
    bytes integer NOT NULL CHECK (bytes >= 0),
    answer jsonb NOT NULL,
    fetched_at timestamptz NOT NULL
);
CREATE INDEX provider_cache_fetched_at ON muster.provider_cache (fetched_at);
COMMENT ON TABLE muster.provider_cache IS 'Places that servers elsewhere told of; a row a question. A day long it answers for the server, and seven days when that fails. The oldest rows go when all together have more than 256 MiB.';
COMMENT ON COLUMN muster.provider_cache.key IS 'The question: provider, category, point and radius.';
COMMENT ON COLUMN muster.provider_cache.provider IS 'Who answered: overpass or yelp.';
COMMENT ON COLUMN muster.provider_cache.category IS 'What one goes there for, such as cafe.';
COMMENT ON COLUMN muster.provider_cache.lat IS 'WGS 84 degrees north of the middle of a cell of 0.005 degrees.';
COMMENT ON COLUMN muster.provider_cache.lon IS 'WGS 84 degrees east of it.';
COMMENT ON COLUMN muster.provider_cache.radius IS 'Metres around it.';
COMMENT ON COLUMN muster.provider_cache.places IS 'How many places the answer has.';
COMMENT ON COLUMN muster.provider_cache.bytes IS 'How long the answer is.';
COMMENT ON COLUMN muster.provider_cache.answer IS 'The places, as the server understood them.';
COMMENT ON COLUMN muster.provider_cache.fetched_at IS 'When the answer came.';

CREATE UNLOGGED TABLE muster.provider_state (
    node smallint NOT NULL,
    host text NOT NULL,
    provider text NOT NULL,
    failures integer NOT NULL CHECK (failures >= 0),
    reason text,
    open_until timestamptz,
    changed_at timestamptz NOT NULL,
    PRIMARY KEY (node, host)
);
COMMENT ON TABLE muster.provider_state IS 'Servers elsewhere that failed: a row for each that a node has ever left alone.';
COMMENT ON COLUMN muster.provider_state.node IS 'The node that asks; each judges by itself.';
COMMENT ON COLUMN muster.provider_state.host IS 'The host, with its port where one is configured.';
COMMENT ON COLUMN muster.provider_state.provider IS 'What it was asked for: overpass, yelp, photon or osrm.';
COMMENT ON COLUMN muster.provider_state.failures IS 'Failures since its last success.';
COMMENT ON COLUMN muster.provider_state.reason IS 'How it failed last: timeout, unreachable, too_large, unreadable, or status_ and the number. NULL when it is back.';
COMMENT ON COLUMN muster.provider_state.open_until IS 'Until when it is left alone; NULL when it is back.';
COMMENT ON COLUMN muster.provider_state.changed_at IS 'When the node began or ceased to leave it alone.';

CREATE VIEW ops.provider_health AS
SELECT coalesce(c.provider, s.provider) AS provider, s.node, s.host, coalesce(s.open_until > now(), false) AS is_open,
    s.failures, s.reason, s.open_until, s.changed_at, coalesce(c.answers, 0) AS answers, coalesce(c.fresh, 0) AS fresh,
    coalesce(c.bytes, 0) AS bytes, c.last_answer
FROM muster.provider_state s
    FULL JOIN (
        SELECT provider, count(*) AS answers, count(*) FILTER (WHERE fetched_at > now() - interval '1 day') AS fresh,
            sum(bytes) AS bytes, max(fetched_at) AS last_answer
        FROM muster.provider_cache GROUP BY provider
    ) c ON c.provider = s.provider;
COMMENT ON VIEW ops.provider_health IS 'Servers elsewhere: whether one is left alone, how it failed last, and how many of its answers are kept. One that never failed has no host.';

DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'muster_ops') THEN
        GRANT SELECT ON muster.provider_cache, muster.provider_state, ops.provider_health TO muster_ops;
    END IF;
END $$;

-- Places that people keep for everybody, with a comment, and what others think of them. Written by the directory. A
-- gathering is called by the nearest spot; its name is copied, so deleting a spot changes no history.
CREATE TYPE muster.vote AS ENUM ('like', 'dislike');

CREATE TABLE muster.spot (
    id bigint PRIMARY KEY,
    author_id bigint NOT NULL REFERENCES muster.account ON DELETE CASCADE,
    lat double precision NOT NULL CHECK (lat BETWEEN -90 AND 90),
    lon double precision NOT NULL CHECK (lon BETWEEN -180 AND 180),
    place geography(Point, 4326) NOT NULL
        GENERATED ALWAYS AS (ST_SetSRID(ST_MakePoint(lon, lat), 4326)::geography) STORED,
    comment text NOT NULL CHECK (char_length(comment) BETWEEN 1 AND 500),
    category text CHECK (char_length(category) BETWEEN 1 AND 40),
    created_at timestamptz NOT NULL
);
CREATE INDEX spot_author_id ON muster.spot (author_id);
CREATE INDEX spot_place ON muster.spot USING gist (place);
COMMENT ON TABLE muster.spot IS 'A place that somebody keeps for everybody. It goes with its author''s account.';
COMMENT ON COLUMN muster.spot.id IS 'Made by the server, rising with time.';
COMMENT ON COLUMN muster.spot.author_id IS 'Who added it, and alone may delete it.';
COMMENT ON COLUMN muster.spot.lat IS 'WGS 84 degrees north.';
COMMENT ON COLUMN muster.spot.lon IS 'WGS 84 degrees east.';
COMMENT ON COLUMN muster.spot.place IS 'lat and lon as PostGIS knows them; computed. Its index finds the nearest first.';
COMMENT ON COLUMN muster.spot.comment IS 'What the author says of it; the first line is what gatherings there are called.';
COMMENT ON COLUMN muster.spot.category IS 'What kind of place it is, in the author''s word; NULL when they chose none.';
COMMENT ON COLUMN muster.spot.created_at IS 'When it was added.';

CREATE TABLE muster.spot_vote (
    spot_id bigint NOT NULL REFERENCES muster.spot ON DELETE CASCADE,
    user_id bigint NOT NULL REFERENCES muster.account ON DELETE CASCADE,
    vote muster.vote NOT NULL,
    PRIMARY KEY (spot_id, user_id)
);
CREATE INDEX spot_vote_user_id ON muster.spot_vote (user_id);
COMMENT ON TABLE muster.spot_vote IS 'What people think of spots; one row a person and spot, none for those who say nothing.';
COMMENT ON COLUMN muster.spot_vote.spot_id IS 'The spot.';
COMMENT ON COLUMN muster.spot_vote.user_id IS 'Who votes.';
COMMENT ON COLUMN muster.spot_vote.vote IS 'What they think of it.';

DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'muster_ops') THEN
        GRANT SELECT ON muster.spot, muster.spot_vote TO muster_ops;
    END IF;
END $$;

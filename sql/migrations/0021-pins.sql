-- Where people say that they are, in words, one pin a person; and how servers hear of rows that were changed behind their back.
-- Written by the directory; an operator may change it too.
CREATE TABLE muster.pin (
    id bigint PRIMARY KEY,
    user_id bigint NOT NULL UNIQUE REFERENCES muster.account ON DELETE CASCADE,
    text text NOT NULL CHECK (char_length(text) BETWEEN 1 AND 200),
    label text CHECK (char_length(label) BETWEEN 1 AND 500),
    lat double precision NOT NULL CHECK (lat BETWEEN -90 AND 90),
    lon double precision NOT NULL CHECK (lon BETWEEN -180 AND 180),
    place geography(Point, 4326) NOT NULL
        GENERATED ALWAYS AS (ST_SetSRID(ST_MakePoint(lon, lat), 4326)::geography) STORED,
    approximate boolean NOT NULL DEFAULT false,
    link text CHECK (
        char_length(link) <= 2048 AND link ~* '^https?://[^/?#@\s\\]+([/?#]|$)' AND link !~ '[[:cntrl:]]'
    ),
    posted_at timestamptz NOT NULL,
    revision bigint NOT NULL CHECK (revision > 0),
    CONSTRAINT pin_approximate CHECK (NOT approximate OR (lat = round(lat * 100) / 100 AND lon = round(lon * 100) / 100))
);
CREATE INDEX pin_posted_at ON muster.pin (posted_at DESC, id DESC);
CREATE INDEX pin_place ON muster.pin USING gist (place);
COMMENT ON TABLE muster.pin IS 'Where people say that they are, for everybody who is signed in; one row a person. It goes with their account.';
COMMENT ON COLUMN muster.pin.id IS 'Made by the server, rising with time; it stays when the pin is replaced.';
COMMENT ON COLUMN muster.pin.user_id IS 'Whose it is.';
COMMENT ON COLUMN muster.pin.text IS 'What the person says, in one line.';
COMMENT ON COLUMN muster.pin.label IS 'The place in the server''s words; NULL where it knows none and shows the coordinates. A row that is moved without a new label loses it.';
COMMENT ON COLUMN muster.pin.lat IS 'WGS 84 degrees north.';
COMMENT ON COLUMN muster.pin.lon IS 'WGS 84 degrees east.';
COMMENT ON COLUMN muster.pin.place IS 'lat and lon as PostGIS knows them; computed.';
COMMENT ON COLUMN muster.pin.approximate IS 'Whether the person wants the place to be rough: it lies on the 0.01 degree grid, and no other is kept.';
COMMENT ON COLUMN muster.pin.link IS 'A web address that the person names; nobody fetches it. NULL for none.';
COMMENT ON COLUMN muster.pin.posted_at IS 'When it was posted, or replaced; in whole milliseconds.';
COMMENT ON COLUMN muster.pin.revision IS 'Rises with every change, whoever makes it. It begins with the time of posting in milliseconds, so that a pin is never taken for one that its person deleted before.';

-- For a table whose rows servers hold: AFTER INSERT OR UPDATE OR DELETE … EXECUTE FUNCTION muster.announce_change('kind').
-- Only what commits such rows notifies, because commits that notify queue behind one lock: never a fix.
CREATE FUNCTION muster.announce_change() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF TG_LEVEL = 'STATEMENT' THEN
        PERFORM pg_notify('muster_change', TG_ARGV[0] || ' 0 0');
    ELSIF TG_OP = 'DELETE' THEN
        PERFORM pg_notify('muster_change', format('%s %s %s', TG_ARGV[0], OLD.id, OLD.revision + 1));
    ELSE
        PERFORM pg_notify('muster_change', format('%s %s %s', TG_ARGV[0], NEW.id, NEW.revision));
        IF TG_OP = 'UPDATE' AND NEW.id <> OLD.id THEN
            PERFORM pg_notify('muster_change', format('%s %s %s', TG_ARGV[0], OLD.id, OLD.revision + 1));
        END IF;
    END IF;
    RETURN NULL;
END $$;
COMMENT ON FUNCTION muster.announce_change() IS
    'Trigger that tells servers on the channel muster_change which row changed: its kind, id, and revision after the change. After a TRUNCATE the id is 0: all rows of the kind.';

CREATE FUNCTION muster.settle_pin() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    NEW.posted_at := date_trunc('milliseconds', NEW.posted_at);
    IF TG_OP = 'UPDATE' THEN
        NEW.revision := greatest(NEW.revision, OLD.revision + 1);
        IF (NEW.lat, NEW.lon) IS DISTINCT FROM (OLD.lat, OLD.lon) AND NEW.label IS NOT DISTINCT FROM OLD.label THEN
            NEW.label := NULL;
        END IF;
    END IF;
    RETURN NEW;
END $$;
COMMENT ON FUNCTION muster.settle_pin() IS
    'Trigger that raises the revision of a pin that is changed, and takes the label from one that is moved without a new one.';

CREATE TRIGGER pin_settle BEFORE INSERT OR UPDATE ON muster.pin
    FOR EACH ROW EXECUTE FUNCTION muster.settle_pin();
CREATE TRIGGER pin_announce AFTER INSERT OR UPDATE OR DELETE ON muster.pin
    FOR EACH ROW EXECUTE FUNCTION muster.announce_change('pin');
CREATE TRIGGER pin_announce_all AFTER TRUNCATE ON muster.pin
    FOR EACH STATEMENT EXECUTE FUNCTION muster.announce_change('pin');

-- A pin is shown with the name of its person.
CREATE FUNCTION muster.rename_pin() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    UPDATE muster.pin SET revision = revision + 1 WHERE user_id = NEW.id;
    RETURN NULL;
END $$;
COMMENT ON FUNCTION muster.rename_pin() IS 'Trigger that makes a new revision of the pin of a person who has another name now.';
CREATE TRIGGER account_rename_pin AFTER UPDATE OF name ON muster.account
    FOR EACH ROW WHEN (OLD.name IS DISTINCT FROM NEW.name) EXECUTE FUNCTION muster.rename_pin();

CREATE VIEW ops.pins AS
SELECT p.id AS pin_id, p.user_id, a.username, a.name, p.text, p.label, p.lat, p.lon, p.approximate, p.link, p.posted_at,
    date_trunc('second', now() - p.posted_at) AS age, p.revision, p.place
FROM muster.pin p
    JOIN muster.account a ON a.id = p.user_id;
COMMENT ON VIEW ops.pins IS 'Where people say that they are, and since when. What is changed or deleted in muster.pin reaches the map at once.';

DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'muster_ops') THEN
        GRANT SELECT ON muster.pin, ops.pins TO muster_ops;
    END IF;
END $$;

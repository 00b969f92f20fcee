-- Photos that people upload, what they show, and faces. Written by the directory. A photo is used by one thing, which has
-- its own column in photo_use; one that nothing uses goes after a day (Directory.maintain), one whose use goes, goes with it.
CREATE TYPE muster.photo_shape AS ENUM ('photo', 'face');

CREATE TABLE muster.photo (
    id bigint PRIMARY KEY,
    user_id bigint NOT NULL REFERENCES muster.account ON DELETE CASCADE,
    shape muster.photo_shape NOT NULL,
    key bytea NOT NULL CHECK (octet_length(key) = 16),
    width integer NOT NULL CHECK (width BETWEEN 1 AND 1600),
    height integer NOT NULL CHECK (height BETWEEN 1 AND 1600),
    picture bytea NOT NULL,
    thumbnail bytea NOT NULL,
    hash bytea NOT NULL GENERATED ALWAYS AS (sha256(picture)) STORED,
    bytes integer NOT NULL GENERATED ALWAYS AS (octet_length(picture) + octet_length(thumbnail)) STORED,
    created_at timestamptz NOT NULL
);
-- JPEGs do not get smaller; trying costs time.
ALTER TABLE muster.photo ALTER COLUMN picture SET STORAGE EXTERNAL, ALTER COLUMN thumbnail SET STORAGE EXTERNAL;
CREATE INDEX photo_user_id ON muster.photo (user_id);
CREATE INDEX photo_created_at ON muster.photo (created_at);
COMMENT ON TABLE muster.photo IS 'Photos, decoded, without metadata, as JPEG. They go with the account, with what uses them, or a day after nothing did.';
COMMENT ON COLUMN muster.photo.id IS 'Made by the server, rising with time.';
COMMENT ON COLUMN muster.photo.user_id IS 'Who uploaded it.';
COMMENT ON COLUMN muster.photo.shape IS 'photo: whole, for what people show; face: a square.';
COMMENT ON COLUMN muster.photo.key IS 'The 128 random bits of its addresses, without which it is not served. A secret.';
COMMENT ON COLUMN muster.photo.width IS 'Pixels of the picture from left to right.';
COMMENT ON COLUMN muster.photo.height IS 'Pixels of the picture from top to bottom.';
COMMENT ON COLUMN muster.photo.picture IS 'A JPEG of at most 1600 px (photo) or of 512 px (face).';
COMMENT ON COLUMN muster.photo.thumbnail IS 'A JPEG of at most 320 px (photo) or of 96 px (face).';
COMMENT ON COLUMN muster.photo.hash IS 'SHA-256 of the picture; computed. Its ETag, and the proof that it is as it was.';
COMMENT ON COLUMN muster.photo.bytes IS 'Bytes of picture and thumbnail together; computed. What a person may keep is counted by it.';
COMMENT ON COLUMN muster.photo.created_at IS 'When it was uploaded.';

CREATE TABLE muster.photo_use (
    photo_id bigint PRIMARY KEY REFERENCES muster.photo ON DELETE CASCADE,
    spot_id bigint UNIQUE REFERENCES muster.spot ON DELETE CASCADE,
    face_of bigint UNIQUE REFERENCES muster.account ON DELETE CASCADE,
    CHECK (num_nonnulls(spot_id, face_of) = 1)
);
COMMENT ON TABLE muster.photo_use IS 'What each photo is used by: one row a photo, none for those that nothing uses. The photo goes with the row.';
COMMENT ON COLUMN muster.photo_use.photo_id IS 'The photo.';
COMMENT ON COLUMN muster.photo_use.spot_id IS 'The spot that shows it; NULL when something else does.';
COMMENT ON COLUMN muster.photo_use.face_of IS 'The person whose face it is; NULL when something else shows it.';

-- The one place that knows how an address looks; the server's routes read it.
CREATE FUNCTION muster.photo_address(photo bigint, key bytea, thumb boolean) RETURNS text LANGUAGE sql IMMUTABLE
    RETURN '/v1/photos/' || photo || CASE WHEN thumb THEN '/thumb' ELSE '' END || '?k=' || encode(key, 'hex');
COMMENT ON FUNCTION muster.photo_address IS 'The path of a photo, or of its thumbnail, on this server.';

CREATE FUNCTION muster.forget_photo() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM muster.photo WHERE id = OLD.photo_id;
    UPDATE muster.account SET avatar = NULL WHERE id = OLD.face_of AND avatar IS NOT NULL;
    RETURN NULL;
END $$;
COMMENT ON FUNCTION muster.forget_photo IS 'Deletes a photo with its use; a face also from the profile.';
CREATE TRIGGER photo_use_gone AFTER DELETE ON muster.photo_use FOR EACH ROW EXECUTE FUNCTION muster.forget_photo();

-- From now on a face is a photo of the person's own. Before, any path of this server could stand there, and none was a photo.
UPDATE muster.account SET avatar = NULL WHERE avatar IS NOT NULL;
ALTER TABLE muster.account DROP CONSTRAINT account_avatar_own;
ALTER TABLE muster.account ADD CONSTRAINT account_avatar_own CHECK (avatar ~ '^/v1/photos/[1-9][0-9]*/thumb\?k=[0-9a-f]{32}$');
COMMENT ON COLUMN muster.account.avatar IS 'The address of the face''s thumbnail, with its secret, copied from the photo that photo_use names; NULL for none.';

DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'muster_ops') THEN
        REVOKE SELECT (avatar) ON muster.account FROM muster_ops;
        GRANT SELECT (id, user_id, shape, width, height, hash, bytes, created_at) ON muster.photo TO muster_ops;
        GRANT SELECT ON muster.photo_use TO muster_ops;
    END IF;
END $$;

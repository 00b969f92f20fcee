-- Pictures of where a group is, which whoever has the address may look at for a while. What must hide them (somebody on them is
-- seen less, does not want to be on pictures, leaves, is removed or deleted) is done here, in the transaction that does it,
-- whoever does it.
ALTER TABLE muster.membership
    ADD COLUMN pictures boolean NOT NULL DEFAULT true,
    ADD COLUMN pictures_word bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN muster.membership.pictures IS 'Whether share pictures of the group may show the member.';
COMMENT ON COLUMN muster.membership.pictures_word IS 'Which word of the member pictures is from; an earlier one changes nothing. Time-ordered.';

CREATE TABLE muster.share (
    id bigint PRIMARY KEY,
    group_id bigint REFERENCES muster.grp ON DELETE SET NULL,
    maker_id bigint REFERENCES muster.account ON DELETE SET NULL,
    code_seed bytea NOT NULL CHECK (octet_length(code_seed) = 16),
    code_hash bytea NOT NULL UNIQUE CHECK (octet_length(code_hash) = 32),
    png bytea,
    named boolean NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL CHECK (expires_at > created_at),
    revoked_at timestamptz,
    CONSTRAINT share_hidden CHECK (revoked_at IS NULL OR png IS NULL)
);
CREATE INDEX share_group_id ON muster.share (group_id, expires_at) WHERE group_id IS NOT NULL;
CREATE INDEX share_maker_id ON muster.share (maker_id, created_at) WHERE maker_id IS NOT NULL;
CREATE INDEX share_expires_at ON muster.share (expires_at);
COMMENT ON TABLE muster.share IS 'Pictures of where a group was, for whoever has the address. The row stays for 30 days after its end, so that the address says that it is over.';
COMMENT ON COLUMN muster.share.id IS 'Made by the server, rising with time.';
COMMENT ON COLUMN muster.share.group_id IS 'Whose members it shows; NULL once the group is gone.';
COMMENT ON COLUMN muster.share.maker_id IS 'Who made it; NULL once their account is gone.';
COMMENT ON COLUMN muster.share.code_seed IS '128 random bits, of which a server that has the secret key makes the code of the address.';
COMMENT ON COLUMN muster.share.code_hash IS 'BLAKE2b of the code: who has the database alone cannot look at pictures by their address.';
COMMENT ON COLUMN muster.share.png IS 'The picture; NULL once it is over or revoked.';
COMMENT ON COLUMN muster.share.named IS 'Whether it says names, or initials alone.';
COMMENT ON COLUMN muster.share.created_at IS 'When it was made.';
COMMENT ON COLUMN muster.share.expires_at IS 'When it is over.';
COMMENT ON COLUMN muster.share.revoked_at IS 'When it was taken back, by a person or by what happened; NULL when it was not.';

CREATE TABLE muster.share_member (
    share_id bigint NOT NULL REFERENCES muster.share ON DELETE CASCADE,
    user_id bigint NOT NULL REFERENCES muster.account ON DELETE CASCADE,
    shown_as muster.sharing_mode NOT NULL CHECK (shown_as <> 'paused'),
    PRIMARY KEY (share_id, user_id)
);
CREATE INDEX share_member_user_id ON muster.share_member (user_id);
COMMENT ON TABLE muster.share_member IS 'Who is on a picture.';
COMMENT ON COLUMN muster.share_member.share_id IS 'The picture.';
COMMENT ON COLUMN muster.share_member.user_id IS 'Who.';
COMMENT ON COLUMN muster.share_member.shown_as IS 'live: where they were; approximate: in which cell of 0.01 degrees.';

CREATE FUNCTION muster.revoke_shares(shares bigint[]) RETURNS void LANGUAGE sql
    BEGIN ATOMIC
        UPDATE muster.share s SET revoked_at = date_trunc('milliseconds', now()), png = NULL
        WHERE s.id = ANY (shares) AND s.revoked_at IS NULL;
    END;
COMMENT ON FUNCTION muster.revoke_shares IS 'Takes pictures back: the addresses say that they are gone, and the files are deleted.';

CREATE FUNCTION muster.narrow_shares() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    -- A mode is narrower than another when it comes behind it.
    is_less boolean := true;
    now_seen muster.sharing_mode := 'paused';
BEGIN
    IF TG_OP = 'UPDATE' THEN
        now_seen := NEW.sharing;
        is_less := (OLD.pictures AND NOT NEW.pictures)
            OR NEW.sharing > CASE WHEN OLD.sharing_until <= now() THEN 'live' ELSE OLD.sharing END;
    END IF;
    PERFORM muster.revoke_shares(ARRAY(
        SELECT s.id FROM muster.share s
        WHERE s.group_id = OLD.group_id AND s.revoked_at IS NULL AND (
            (is_less AND s.maker_id = OLD.user_id)
            -- Also where the clocks of server and database differ about a mode that ends by itself.
            OR EXISTS (SELECT FROM muster.share_member m
                WHERE m.share_id = s.id AND m.user_id = OLD.user_id AND (is_less OR now_seen > m.shown_as)))
        ORDER BY s.id
    ));
    RETURN NULL;
END $$;
COMMENT ON FUNCTION muster.narrow_shares() IS
    'Trigger that takes back the pictures of a group that show, or were made by, a member who is seen less, wants to be on none, or is one no more.';
CREATE TRIGGER membership_narrow_shares AFTER UPDATE OF sharing, sharing_until, pictures ON muster.membership
    FOR EACH ROW WHEN (OLD.sharing <> NEW.sharing OR OLD.sharing_until IS DISTINCT FROM NEW.sharing_until
        OR OLD.pictures <> NEW.pictures)
    EXECUTE FUNCTION muster.narrow_shares();
CREATE TRIGGER membership_leave_shares AFTER DELETE ON muster.membership
    FOR EACH ROW EXECUTE FUNCTION muster.narrow_shares();

-- In whatever order an account's rows go.
CREATE FUNCTION muster.lose_share() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM muster.revoke_shares(ARRAY[OLD.share_id]);
    RETURN NULL;
END $$;
COMMENT ON FUNCTION muster.lose_share() IS 'Trigger that takes a picture back on which somebody is who is gone.';
CREATE TRIGGER share_member_lose_share AFTER DELETE ON muster.share_member
    FOR EACH ROW EXECUTE FUNCTION muster.lose_share();

CREATE FUNCTION muster.orphan_share() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.revoked_at := coalesce(NEW.revoked_at, date_trunc('milliseconds', now()));
    NEW.png := NULL;
    RETURN NEW;
END $$;
COMMENT ON FUNCTION muster.orphan_share() IS 'Trigger that takes a picture back whose maker or group is gone.';
CREATE TRIGGER share_orphan BEFORE UPDATE OF maker_id, group_id ON muster.share
    FOR EACH ROW WHEN (NEW.maker_id IS NULL OR NEW.group_id IS NULL) EXECUTE FUNCTION muster.orphan_share();

CREATE VIEW ops.shares_open AS
SELECT s.id AS share_id, s.group_id, g.name AS group_name, s.maker_id, a.username AS maker,
    (SELECT count(*) FROM muster.share_member m WHERE m.share_id = s.id) AS shown, s.named, s.created_at, s.expires_at,
    date_trunc('second', s.expires_at - now()) AS ends_in, octet_length(s.png) AS bytes
FROM muster.share s
    JOIN muster.grp g ON g.id = s.group_id
    JOIN muster.account a ON a.id = s.maker_id
WHERE s.revoked_at IS NULL AND s.expires_at > now();
COMMENT ON VIEW ops.shares_open IS 'Pictures that whoever has the address may look at now: whose, how many people they show, and until when. Neither codes nor pictures.';

DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'muster_ops') THEN
        -- Neither what leads to an address nor the pictures.
        GRANT SELECT (id, group_id, maker_id, named, created_at, expires_at, revoked_at) ON muster.share TO muster_ops;
        GRANT SELECT ON muster.share_member, ops.shares_open TO muster_ops;
    END IF;
END $$;

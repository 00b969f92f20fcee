-- The end of logins by other providers and at them. Written by the directory.
CREATE TABLE muster.logout_seen (
    issuer text NOT NULL,
    jti text NOT NULL,
    sid text,
    subject text,
    issued_at timestamptz NOT NULL,
    seen_at timestamptz NOT NULL,
    PRIMARY KEY (issuer, jti)
);
CREATE INDEX logout_seen_seen_at ON muster.logout_seen (seen_at);
COMMENT ON TABLE muster.logout_seen IS 'Logouts that providers announced, for ten minutes: a sign-in that one overtook is refused.';
COMMENT ON COLUMN muster.logout_seen.issuer IS 'The provider.';
COMMENT ON COLUMN muster.logout_seen.jti IS 'The number of the announcement, which is accepted once.';
COMMENT ON COLUMN muster.logout_seen.sid IS 'The session that ended; NULL for all of the subject.';
COMMENT ON COLUMN muster.logout_seen.subject IS 'Whose sessions ended, if it was named.';
COMMENT ON COLUMN muster.logout_seen.issued_at IS 'When the provider made it.';
COMMENT ON COLUMN muster.logout_seen.seen_at IS 'When it arrived.';

CREATE TABLE muster.token_revocation (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    provider text NOT NULL,
    tokens bytea NOT NULL,
    next_at timestamptz NOT NULL,
    tries integer NOT NULL DEFAULT 0,
    expires_at timestamptz NOT NULL
);
CREATE INDEX token_revocation_next_at ON muster.token_revocation (next_at);
COMMENT ON TABLE muster.token_revocation IS 'Tokens of ended logins that providers have yet to revoke. Names nobody.';
COMMENT ON COLUMN muster.token_revocation.id IS 'The order of arrival.';
COMMENT ON COLUMN muster.token_revocation.provider IS 'The provider''s id in the configuration.';
COMMENT ON COLUMN muster.token_revocation.tokens IS 'The tokens, sealed with the server''s secret key.';
COMMENT ON COLUMN muster.token_revocation.next_at IS 'When the next try is due.';
COMMENT ON COLUMN muster.token_revocation.tries IS 'The tries so far.';
COMMENT ON COLUMN muster.token_revocation.expires_at IS 'When it is given up.';

-- Every end of a login, whichever statement ends it, leaves its tokens to be revoked.
CREATE FUNCTION muster.revoke_tokens() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO muster.token_revocation (provider, tokens, next_at, expires_at)
    VALUES (OLD.provider, OLD.tokens, now(), now() + interval '24 hours');
    RETURN NULL;
END $$;
COMMENT ON FUNCTION muster.revoke_tokens IS 'Keeps the provider''s tokens of a login that ended, until the provider has revoked them.';
ALTER TABLE muster.session_token ADD COLUMN provider text CHECK ((provider IS NULL) = (tokens IS NULL));
COMMENT ON COLUMN muster.session_token.provider IS 'The provider of the tokens, by its id in the configuration.';
CREATE TRIGGER revoke_tokens AFTER DELETE ON muster.session_token
    FOR EACH ROW WHEN (OLD.tokens IS NOT NULL) EXECUTE FUNCTION muster.revoke_tokens();

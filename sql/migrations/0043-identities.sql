-- Sign-in by other providers: whose account an identity leads to, and sign-ins that are under way. Written by the directory.
CREATE TABLE muster.identity (
    id bigint PRIMARY KEY,
    user_id bigint NOT NULL REFERENCES muster.account ON DELETE CASCADE,
    provider text NOT NULL CHECK (provider ~ '^[a-z0-9-]{1,32}$'),
    issuer text NOT NULL CHECK (octet_length(issuer) BETWEEN 1 AND 1000),
    subject text NOT NULL CHECK (octet_length(subject) BETWEEN 1 AND 255),
    created_at timestamptz NOT NULL,
    last_login_at timestamptz NOT NULL,
    UNIQUE (issuer, subject)
);
CREATE INDEX identity_user_id ON muster.identity (user_id);
COMMENT ON TABLE muster.identity IS 'An account at another provider that leads to an account here.';
COMMENT ON COLUMN muster.identity.id IS 'Made by the server, rising with time.';
COMMENT ON COLUMN muster.identity.user_id IS 'The account here.';
COMMENT ON COLUMN muster.identity.provider IS 'The provider''s id in the configuration when it was last used.';
COMMENT ON COLUMN muster.identity.issuer IS 'The provider''s own name, which with the subject identifies the account there.';
COMMENT ON COLUMN muster.identity.subject IS 'The account there. Never an e-mail address: those change hands.';
COMMENT ON COLUMN muster.identity.created_at IS 'When it was linked.';
COMMENT ON COLUMN muster.identity.last_login_at IS 'When it was last used.';

ALTER TABLE muster.account ALTER COLUMN password_hash DROP NOT NULL;
COMMENT ON COLUMN muster.account.password_hash IS 'Argon2id with salt and cost, as libsodium writes it; NULL for an account without a password.';

ALTER TABLE muster.session_token
    ADD COLUMN authenticated_at timestamptz,
    ADD COLUMN identity_id bigint REFERENCES muster.identity ON DELETE SET NULL,
    ADD COLUMN sid text CHECK (octet_length(sid) BETWEEN 1 AND 255),
    ADD COLUMN tokens bytea CHECK (octet_length(tokens) <= 65536);
CREATE INDEX session_token_identity_id ON muster.session_token (identity_id) WHERE identity_id IS NOT NULL;
COMMENT ON COLUMN muster.session_token.authenticated_at IS 'When the person last proved who they are; NULL: when the login was made.';
COMMENT ON COLUMN muster.session_token.identity_id IS 'The identity that made the login; NULL when a password did.';
COMMENT ON COLUMN muster.session_token.sid IS 'The session at the provider, if it names one.';
COMMENT ON COLUMN muster.session_token.tokens IS 'The provider''s tokens, sealed with the server''s secret key, for ending the session there.';

CREATE TABLE muster.login_flow (
    id bigint PRIMARY KEY,
    provider text NOT NULL,
    purpose text NOT NULL CHECK (purpose IN ('login', 'link', 'confirm')),
    user_id bigint REFERENCES muster.account ON DELETE CASCADE,
    login_id bigint REFERENCES muster.session_token ON DELETE CASCADE,
    return_to text NOT NULL CHECK (octet_length(return_to) <= 1000),
    is_fresh boolean NOT NULL,
    state_hash bytea UNIQUE CHECK (octet_length(state_hash) = 32),
    flow_hash bytea NOT NULL CHECK (octet_length(flow_hash) = 32),
    ticket_hash bytea UNIQUE CHECK (octet_length(ticket_hash) = 32),
    code bytea CHECK (octet_length(code) <= 8192),
    response_issuer text,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    CHECK ((purpose = 'login') = (login_id IS NULL)),
    CHECK ((login_id IS NULL) = (user_id IS NULL))
);
CREATE INDEX login_flow_expires_at ON muster.login_flow (expires_at);
CREATE INDEX login_flow_login_id ON muster.login_flow (login_id) WHERE login_id IS NOT NULL;
CREATE INDEX login_flow_user_id ON muster.login_flow (user_id) WHERE user_id IS NOT NULL;
COMMENT ON TABLE muster.login_flow IS 'Sign-ins under way at other providers. Each secret is used once.';
COMMENT ON COLUMN muster.login_flow.id IS 'Made by the server.';
COMMENT ON COLUMN muster.login_flow.provider IS 'The provider''s id in the configuration.';
COMMENT ON COLUMN muster.login_flow.purpose IS 'A login, a link to an account, or a proof of who is logged in.';
COMMENT ON COLUMN muster.login_flow.user_id IS 'Who links or confirms; NULL for a login.';
COMMENT ON COLUMN muster.login_flow.login_id IS 'The login that asked; NULL for a login.';
COMMENT ON COLUMN muster.login_flow.return_to IS 'Where the browser goes back to.';
COMMENT ON COLUMN muster.login_flow.is_fresh IS 'Whether the provider was asked for a new login.';
COMMENT ON COLUMN muster.login_flow.state_hash IS 'BLAKE2b-256 of the secret that goes through the provider; NULL once it came back.';
COMMENT ON COLUMN muster.login_flow.flow_hash IS 'BLAKE2b-256 of the secret that stays in the browser''s tab.';
COMMENT ON COLUMN muster.login_flow.ticket_hash IS 'BLAKE2b-256 of the secret that the way back carries; NULL before it.';
COMMENT ON COLUMN muster.login_flow.code IS 'The provider''s code, sealed with the server''s secret key.';
COMMENT ON COLUMN muster.login_flow.response_issuer IS 'The issuer that the way back named, if it did.';
COMMENT ON COLUMN muster.login_flow.created_at IS 'When it began.';
COMMENT ON COLUMN muster.login_flow.expires_at IS 'When the state or the ticket becomes worthless.';

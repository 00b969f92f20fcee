-- How people come in, for those who operate the server: numbers by provider, no subject and no token.
CREATE VIEW ops.sign_ins AS
SELECT i.provider, count(DISTINCT i.user_id) AS people, count(DISTINCT i.id) AS identities,
    count(t.id) FILTER (WHERE t.expires_at > now()) AS logins,
    count(DISTINCT i.id) FILTER (WHERE i.last_login_at >= now() - interval '24 hours') AS identities_24h,
    max(i.last_login_at) AS last_login_at,
    (SELECT count(*) FROM muster.token_revocation r WHERE r.provider = i.provider) AS revocations
FROM muster.identity i LEFT JOIN muster.session_token t ON t.identity_id = i.id
GROUP BY i.provider;
COMMENT ON VIEW ops.sign_ins IS 'Providers that people sign in with: people, identities, open logins, and tokens that wait to be revoked.';

DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'muster_ops') THEN
        GRANT SELECT ON ops.sign_ins TO muster_ops;
        GRANT SELECT (id, user_id, provider, created_at, last_login_at) ON muster.identity TO muster_ops;
    END IF;
END $$;

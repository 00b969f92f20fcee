-- A picture is a path of this server. From elsewhere friends' browsers would fetch it, and tell that place who looks at
-- whom; so addresses of other hosts are dropped, and refused from now on.
UPDATE muster.account SET avatar = NULL WHERE avatar IS NOT NULL AND (avatar !~ '^/[^/\\]' OR avatar ~ '\\');

ALTER TABLE muster.account ADD CONSTRAINT account_avatar_own CHECK (avatar ~ '^/[^/\\]' AND avatar !~ '\\');
COMMENT ON COLUMN muster.account.avatar IS 'The path of the picture on this server; null for none.';

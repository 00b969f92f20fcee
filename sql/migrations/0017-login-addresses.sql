-- Whoever tries passwords at an account must not lock its owner out: an address from which somebody is logged in may go on.
ALTER TABLE muster.session_token ADD COLUMN address_hash bytea CHECK (octet_length(address_hash) = 16);
COMMENT ON COLUMN muster.session_token.address_hash IS 'BLAKE2b-128 of the address that logged in, keyed with the server''s secret; NULL when that was not known.';

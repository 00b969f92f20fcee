-- What a person says about sharing may have to be stored again, once storage is back: the latest word stands.

ALTER TABLE muster.membership ADD COLUMN sharing_word bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN muster.membership.sharing_word IS 'Which word of the member sharing and sharing_until are from; an earlier one changes nothing. Time-ordered.';

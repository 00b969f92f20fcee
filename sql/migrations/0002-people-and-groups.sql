-- Who there is: accounts, logins, devices, groups, memberships, invites. Written by the directory.
-- Ids are made by the server: milliseconds, node, counter (Sources/MusterCore/Identity).

CREATE SCHEMA IF NOT EXISTS muster;
COMMENT ON SCHEMA muster IS 'The tables of the presence server. People who look, look at the schema ops.';

CREATE TYPE muster.device_kind AS ENUM ('phone', 'watch', 'browser', 'tracker');
CREATE TYPE muster.member_role AS ENUM ('owner', 'member');
CREATE TYPE muster.sharing_mode AS ENUM ('live', 'approximate', 'paused');

CREATE TABLE muster.account (
    id bigint PRIMARY KEY,
    username text NOT NULL UNIQUE CHECK (username ~ '^[a-z0-9_.-]{3,32}$'),
    password_hash text NOT NULL,
    name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 80),
    avatar text CHECK (char_length(avatar) BETWEEN 1 AND 500),
    last_notification bigint NOT NULL DEFAULT 0 CHECK (last_notification >= 0),
    created_at timestamptz NOT NULL
);
COMMENT ON TABLE muster.account IS 'A person. Deleting the row deletes everything that hangs on it; fixes are deleted beside it.';
COMMENT ON COLUMN muster.account.id IS 'Made by the server, rising with time.';
COMMENT ON COLUMN muster.account.username IS 'What the person logs in with.';
COMMENT ON COLUMN muster.account.password_hash IS 'Argon2id with salt and cost, as libsodium writes it.';
COMMENT ON COLUMN muster.account.name IS 'What others see.';
COMMENT ON COLUMN muster.account.avatar IS 'Address of the picture; NULL when there is none.';
COMMENT ON COLUMN muster.account.last_notification IS 'The highest notification number ever given; never falls, also when notifications are deleted.';
COMMENT ON COLUMN muster.account.created_at IS 'When the person signed up.';

CREATE TABLE muster.session_token (
    id bigint PRIMARY KEY,
    user_id bigint NOT NULL REFERENCES muster.account ON DELETE CASCADE,
    token_hash bytea NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
    expires_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL
);
CREATE INDEX session_token_user_id ON muster.session_token (user_id);
CREATE INDEX session_token_expires_at ON muster.session_token (expires_at);
COMMENT ON TABLE muster.session_token IS 'A login. The token itself is known to the client alone.';
COMMENT ON COLUMN muster.session_token.id IS 'The login; logging out closes the sockets that came by it.';
COMMENT ON COLUMN muster.session_token.user_id IS 'Who logged in.';
COMMENT ON COLUMN muster.session_token.token_hash IS 'BLAKE2b-256 of the token (256 random bits, so no salt is needed).';
COMMENT ON COLUMN muster.session_token.expires_at IS 'From then on the token is worth nothing.';
COMMENT ON COLUMN muster.session_token.created_at IS 'When the login was made.';

CREATE TABLE muster.device (
    id bigint PRIMARY KEY,
    user_id bigint NOT NULL REFERENCES muster.account ON DELETE CASCADE,
    key text NOT NULL CHECK (char_length(key) BETWEEN 1 AND 64),
    name text CHECK (char_length(name) <= 80),
    kind muster.device_kind NOT NULL,
    acked_seq bigint NOT NULL DEFAULT 0 CHECK (acked_seq >= 0),
    last_seen timestamptz NOT NULL,
    created_at timestamptz NOT NULL,
    UNIQUE (user_id, key)
) WITH (fillfactor = 70);
COMMENT ON TABLE muster.device IS 'One device of a person, by its client''s own key. Idle ones are forgotten after 30 days.';
COMMENT ON COLUMN muster.device.id IS 'Made by the server.';
COMMENT ON COLUMN muster.device.user_id IS 'Whose it is.';
COMMENT ON COLUMN muster.device.key IS 'The client''s own stable name for it.';
COMMENT ON COLUMN muster.device.name IS 'What a person would call it.';
COMMENT ON COLUMN muster.device.kind IS 'What it is.';
COMMENT ON COLUMN muster.device.acked_seq IS 'The highest fix number that is in muster.fix; raised in the same transaction.';
COMMENT ON COLUMN muster.device.last_seen IS 'When it last said hello or reported a fix.';
COMMENT ON COLUMN muster.device.created_at IS 'When it first said hello.';

CREATE TABLE muster.grp (
    id bigint PRIMARY KEY,
    name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 80),
    radius double precision NOT NULL CHECK (radius BETWEEN 20 AND 2000),
    dwell integer NOT NULL CHECK (dwell BETWEEN 0 AND 3600),
    max_absent integer NOT NULL CHECK (max_absent BETWEEN 1 AND 10),
    cooldown integer NOT NULL CHECK (cooldown BETWEEN 0 AND 86400),
    revision bigint NOT NULL DEFAULT 1 CHECK (revision >= 1),
    created_at timestamptz NOT NULL
);
COMMENT ON TABLE muster.grp IS 'A group of friends.';
COMMENT ON COLUMN muster.grp.id IS 'Made by the server.';
COMMENT ON COLUMN muster.grp.name IS 'What its members call it.';
COMMENT ON COLUMN muster.grp.radius IS 'Metres within which two members count as together.';
COMMENT ON COLUMN muster.grp.dwell IS 'Seconds that something must last before it counts.';
COMMENT ON COLUMN muster.grp.max_absent IS 'The most members who may be missing for an alert to be sent.';
COMMENT ON COLUMN muster.grp.cooldown IS 'Seconds for which a second alert of one variant to one member is dropped.';
COMMENT ON COLUMN muster.grp.revision IS 'Rises in the transaction of every change to the group or to what it shows of its members.';
COMMENT ON COLUMN muster.grp.created_at IS 'When it was made.';

CREATE TABLE muster.membership (
    group_id bigint NOT NULL REFERENCES muster.grp ON DELETE CASCADE,
    user_id bigint NOT NULL REFERENCES muster.account ON DELETE CASCADE,
    role muster.member_role NOT NULL DEFAULT 'member',
    sharing muster.sharing_mode NOT NULL DEFAULT 'live',
    sharing_until timestamptz,
    visible_since timestamptz NOT NULL,
    joined_at timestamptz NOT NULL,
    PRIMARY KEY (group_id, user_id)
);
CREATE INDEX membership_user_id ON muster.membership (user_id);
CREATE UNIQUE INDEX membership_one_owner ON muster.membership (group_id) WHERE role = 'owner';
COMMENT ON TABLE muster.membership IS 'Who is in which group, and what they let it see. A group has one owner.';
COMMENT ON COLUMN muster.membership.group_id IS 'The group.';
COMMENT ON COLUMN muster.membership.user_id IS 'The member.';
COMMENT ON COLUMN muster.membership.role IS 'The owner may change the group and remove members.';
COMMENT ON COLUMN muster.membership.sharing IS 'What the group sees until sharing_until; live from then on.';
COMMENT ON COLUMN muster.membership.sharing_until IS 'When sharing returns to live; NULL means never by itself.';
COMMENT ON COLUMN muster.membership.visible_since IS 'No fix taken before this is ever shown to the group: when sharing was last taken up again.';
COMMENT ON COLUMN muster.membership.joined_at IS 'When they joined; ownership passes to the one who joined first.';

CREATE TABLE muster.invite (
    code text PRIMARY KEY CHECK (code ~ '^[A-Za-z0-9_-]{12,64}$'),
    group_id bigint NOT NULL REFERENCES muster.grp ON DELETE CASCADE,
    created_by bigint NOT NULL REFERENCES muster.account ON DELETE CASCADE,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    uses_left integer CHECK (uses_left >= 0),
    revoked_at timestamptz
);
CREATE INDEX invite_group_id ON muster.invite (group_id);
CREATE INDEX invite_created_by ON muster.invite (created_by);
COMMENT ON TABLE muster.invite IS 'A way into a group: whoever has the code may join.';
COMMENT ON COLUMN muster.invite.code IS 'The secret in the link.';
COMMENT ON COLUMN muster.invite.group_id IS 'The group that it opens.';
COMMENT ON COLUMN muster.invite.created_by IS 'Who made it; it dies with their account.';
COMMENT ON COLUMN muster.invite.created_at IS 'When it was made.';
COMMENT ON COLUMN muster.invite.expires_at IS 'From then on it lets nobody in.';
COMMENT ON COLUMN muster.invite.uses_left IS 'How many more people it lets in; NULL for any number.';
COMMENT ON COLUMN muster.invite.revoked_at IS 'When the owner took it back.';

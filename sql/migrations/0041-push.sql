-- Notifications for people whose app is closed. A statement trigger puts each new notification of a user with a target into
-- push_outbox, in the transaction that stores it. The planner moves it to push_delivery, once for each target; the sender
-- leases deliveries, and deletes each when it was sent, or when it is not to be sent any more.

CREATE TABLE muster.push_target (
    id bigint PRIMARY KEY,
    user_id bigint NOT NULL REFERENCES muster.account ON DELETE CASCADE,
    login_id bigint,
    kind text NOT NULL CHECK (kind IN ('webpush', 'gateway', 'webhook')),
    address_hash bytea NOT NULL UNIQUE CHECK (octet_length(address_hash) = 32),
    secret bytea NOT NULL,
    place text NOT NULL CHECK (char_length(place) BETWEEN 1 AND 255),
    name text CHECK (char_length(name) BETWEEN 1 AND 80),
    language text NOT NULL DEFAULT 'en' CHECK (language ~ '^[a-z]{2}$'),
    revision integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    last_seen_at timestamptz NOT NULL DEFAULT now(),
    succeeded_at timestamptz,
    failing_since timestamptz,
    refusals integer NOT NULL DEFAULT 0,
    trouble text CHECK (trouble ~ '^[a-z0-9_]{1,40}$'),
    disabled_at timestamptz
);
CREATE INDEX push_target_user_id ON muster.push_target (user_id);
CREATE INDEX push_target_login_id ON muster.push_target (login_id) WHERE login_id IS NOT NULL;
COMMENT ON TABLE muster.push_target IS 'The devices and servers that a user wants notifications to be sent to.';
COMMENT ON COLUMN muster.push_target.id IS 'Its id.';
COMMENT ON COLUMN muster.push_target.user_id IS 'The user who gets notifications there.';
COMMENT ON COLUMN muster.push_target.login_id IS 'The login that registered it; its logout deletes the target, its expiry does not.';
COMMENT ON COLUMN muster.push_target.kind IS 'webpush: a browser; gateway: an app, by a push gateway of the operator; webhook: a server of the user.';
COMMENT ON COLUMN muster.push_target.address_hash IS 'SHA-256 of the address, which is in the secret: an address belongs to one user.';
COMMENT ON COLUMN muster.push_target.secret IS 'The address and its keys as JSON, sealed with a key that the database does not contain.';
COMMENT ON COLUMN muster.push_target.place IS 'The host of the address, or the name of the app.';
COMMENT ON COLUMN muster.push_target.name IS 'The name that the user sees.';
COMMENT ON COLUMN muster.push_target.language IS 'The language of titles and texts.';
COMMENT ON COLUMN muster.push_target.revision IS 'Rises when the device renews its address.';
COMMENT ON COLUMN muster.push_target.created_at IS 'When it was registered first.';
COMMENT ON COLUMN muster.push_target.last_seen_at IS 'When a device of the user was last heard; after 90 days the target is deleted.';
COMMENT ON COLUMN muster.push_target.succeeded_at IS 'When it last accepted a notification.';
COMMENT ON COLUMN muster.push_target.failing_since IS 'The first failure after the last success; an hour of them disables the target.';
COMMENT ON COLUMN muster.push_target.refusals IS 'The answers 401 and 403 in a row; five disable the target.';
COMMENT ON COLUMN muster.push_target.trouble IS 'The last failure, as a word.';
COMMENT ON COLUMN muster.push_target.disabled_at IS 'When it was disabled; nothing is sent to it until it is registered anew.';

CREATE TABLE muster.push_setting (
    user_id bigint PRIMARY KEY REFERENCES muster.account ON DELETE CASCADE,
    kinds jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(kinds) = 'object'),
    muted jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(muted) = 'object'),
    quiet jsonb CHECK (jsonb_typeof(quiet) = 'object'),
    spot_times timestamptz[] NOT NULL DEFAULT '{}'
);
CREATE INDEX push_setting_spots ON muster.push_setting (user_id) WHERE kinds ->> 'new_spot' = 'true';
COMMENT ON TABLE muster.push_setting IS 'What users want to be told while their app is closed; without a row, the usual.';
COMMENT ON COLUMN muster.push_setting.user_id IS 'The user.';
COMMENT ON COLUMN muster.push_setting.kinds IS 'Kinds of notifications that the user has chosen (true) or refused (false).';
COMMENT ON COLUMN muster.push_setting.muted IS 'Groups of which nothing is pushed, and the end of that in milliseconds, or null.';
COMMENT ON COLUMN muster.push_setting.spot_times IS 'When new spots were pushed within the last hour, of which six are.';
COMMENT ON COLUMN muster.push_setting.quiet IS 'Hours in which some kinds are not pushed: start, end, tz, kinds.';

CREATE TABLE muster.push_outbox (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id bigint NOT NULL REFERENCES muster.account ON DELETE CASCADE,
    kind text NOT NULL,
    number bigint,
    group_id bigint,
    payload jsonb,
    at timestamptz NOT NULL,
    expires_at timestamptz,
    FOREIGN KEY (user_id, number) REFERENCES muster.notification ON DELETE CASCADE,
    CHECK ((number IS NULL) = (payload IS NOT NULL))
);
CREATE INDEX push_outbox_user_id ON muster.push_outbox (user_id, number);
COMMENT ON TABLE muster.push_outbox IS 'Notifications of users with a target, before they are planned. They are deleted with the notification.';
COMMENT ON COLUMN muster.push_outbox.id IS 'The order in which they are planned.';
COMMENT ON COLUMN muster.push_outbox.user_id IS 'The recipient.';
COMMENT ON COLUMN muster.push_outbox.kind IS 'The kind of the notification.';
COMMENT ON COLUMN muster.push_outbox.group_id IS 'The group that it is about; NULL when it is about none.';
COMMENT ON COLUMN muster.push_outbox.at IS 'The time of the notification.';
COMMENT ON COLUMN muster.push_outbox.number IS 'The notification; NULL for what is not stored as one.';
COMMENT ON COLUMN muster.push_outbox.payload IS 'The fields of what is not stored as a notification.';
COMMENT ON COLUMN muster.push_outbox.expires_at IS 'When it is of no use any more; NULL for the rule of its kind.';

CREATE TABLE muster.push_delivery (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    target_id bigint NOT NULL REFERENCES muster.push_target ON DELETE CASCADE,
    user_id bigint NOT NULL REFERENCES muster.account ON DELETE CASCADE,
    kind text NOT NULL,
    number bigint,
    group_id bigint,
    payload jsonb,
    at timestamptz NOT NULL,
    due_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    leased_until timestamptz,
    attempts integer NOT NULL DEFAULT 0,
    has_waited boolean NOT NULL DEFAULT false,
    without_body boolean NOT NULL DEFAULT false,
    UNIQUE (target_id, number),
    FOREIGN KEY (user_id, number) REFERENCES muster.notification ON DELETE CASCADE
) WITH (fillfactor = 70);
CREATE INDEX push_delivery_due_at ON muster.push_delivery (due_at, id);
CREATE INDEX push_delivery_user_id ON muster.push_delivery (user_id, number);
COMMENT ON TABLE muster.push_delivery IS 'Notifications to be sent to a target, until they are sent or of no use any more.';
COMMENT ON COLUMN muster.push_delivery.id IS 'The id of the push, the same in each attempt.';
COMMENT ON COLUMN muster.push_delivery.target_id IS 'The target.';
COMMENT ON COLUMN muster.push_delivery.user_id IS 'The recipient.';
COMMENT ON COLUMN muster.push_delivery.kind IS 'The kind of the notification, or test.';
COMMENT ON COLUMN muster.push_delivery.number IS 'The notification; NULL for what is not stored as one.';
COMMENT ON COLUMN muster.push_delivery.group_id IS 'The group that it is about; NULL when it is about none.';
COMMENT ON COLUMN muster.push_delivery.payload IS 'The fields of what is not stored as a notification.';
COMMENT ON COLUMN muster.push_delivery.at IS 'The time of the notification.';
COMMENT ON COLUMN muster.push_delivery.due_at IS 'When it is sent, or sent again.';
COMMENT ON COLUMN muster.push_delivery.expires_at IS 'When it is of no use any more.';
COMMENT ON COLUMN muster.push_delivery.leased_until IS 'Until then a server is sending it; after that any server sends it again.';
COMMENT ON COLUMN muster.push_delivery.attempts IS 'How often a server has leased it.';
COMMENT ON COLUMN muster.push_delivery.has_waited IS 'Whether it has waited because the app was open.';
COMMENT ON COLUMN muster.push_delivery.without_body IS 'Whether its text is left out, because it was too long for the push service.';

CREATE FUNCTION muster.enqueue_pushes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO muster.push_outbox (user_id, kind, number, group_id, at)
    SELECT n.user_id, n.kind, n.number, n.group_id, n.at FROM added n
    WHERE EXISTS (SELECT FROM muster.push_target t WHERE t.user_id = n.user_id AND t.disabled_at IS NULL);
    RETURN NULL;
END $$;
COMMENT ON FUNCTION muster.enqueue_pushes IS 'Puts new notifications into push_outbox.';
CREATE TRIGGER notification_push AFTER INSERT ON muster.notification
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION muster.enqueue_pushes();

CREATE VIEW ops.push_pending AS
SELECT d.kind, count(*) AS waiting, count(*) FILTER (WHERE d.attempts > 0) AS tried,
    ops.span(date_trunc('second', now() - min(d.at))) AS oldest, min(d.due_at) AS next_at
FROM muster.push_delivery d GROUP BY d.kind
UNION ALL
SELECT 'not planned', count(*), 0, ops.span(date_trunc('second', now() - min(o.at))), NULL
FROM muster.push_outbox o HAVING count(*) > 0;
COMMENT ON VIEW ops.push_pending IS 'Pushes that wait, by kind.';

CREATE VIEW ops.push_targets AS
SELECT t.id AS target_id, t.user_id, a.username, t.kind, t.language, t.created_at, t.succeeded_at, t.failing_since, t.trouble,
    t.disabled_at, (SELECT count(*) FROM muster.push_delivery d WHERE d.target_id = t.id) AS waiting
FROM muster.push_target t JOIN muster.account a ON a.id = t.user_id;
COMMENT ON VIEW ops.push_targets IS 'The devices and servers that get pushes, and the last failure of each.';

DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'muster_ops') THEN
        GRANT SELECT ON ops.push_pending, ops.push_targets TO muster_ops;
        GRANT SELECT (id, user_id, kind, language, revision, created_at, last_seen_at, succeeded_at, failing_since, refusals,
            trouble, disabled_at) ON muster.push_target TO muster_ops;
        GRANT SELECT ON muster.push_setting TO muster_ops;
        GRANT SELECT (id, user_id, kind, number, group_id, at, expires_at) ON muster.push_outbox TO muster_ops;
        GRANT SELECT (id, target_id, user_id, kind, number, group_id, at, due_at, expires_at, leased_until, attempts, has_waited,
            without_body) ON muster.push_delivery TO muster_ops;
    END IF;
END $$;

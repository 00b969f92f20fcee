-- One inbox for notifications of all kinds. Storage numbers them, in the transaction of what they tell: the journal's batch, or
-- a change of the directory. So numbers rise in the order of commits, and who knows of one can read all below it.

DROP VIEW ops.gathering_history, ops.notifications_pending;

ALTER TABLE muster.notification
    ALTER COLUMN kind TYPE text USING kind::text,
    ALTER COLUMN group_id DROP NOT NULL,
    ADD COLUMN from_id bigint REFERENCES muster.account ON DELETE CASCADE,
    ADD COLUMN subject text CHECK (char_length(subject) BETWEEN 1 AND 200);

-- What was a column becomes a part of the subject, and stays in the payload; the head of the frame goes out of that. Of two
-- with the same subject only the first gets it.
UPDATE muster.notification n SET
    subject = CASE WHEN x.repeat = 1
        THEN n.gathering_id || ':' || n.variant || ':' || trunc(extract(epoch FROM n.at) * 1000)::bigint END,
    payload = (n.payload - '{notification,user,group,groupName,at}'::text[])
        || jsonb_build_object('gathering', n.gathering_id::text, 'variant', n.variant::text)
        || CASE WHEN jsonb_typeof(n.payload -> 'distance') = 'number'
            THEN jsonb_build_object('distance', round((n.payload ->> 'distance')::numeric, 1)) ELSE '{}' END
FROM (
    SELECT user_id, number, row_number() OVER (PARTITION BY user_id, kind, gathering_id, variant, at ORDER BY number) AS repeat
    FROM muster.notification
) x
WHERE n.user_id = x.user_id AND n.number = x.number;

ALTER TABLE muster.notification DROP COLUMN gathering_id, DROP COLUMN variant;
DROP TYPE muster.notification_kind;
DROP TYPE muster.notification_variant;

CREATE TABLE muster.notification_kind (
    kind text PRIMARY KEY CHECK (kind ~ '^[a-z_]{1,40}$'),
    description text NOT NULL
);
INSERT INTO muster.notification_kind (kind, description)
VALUES ('left_without_you', 'Members of a group are together, and this one is not there.');
COMMENT ON TABLE muster.notification_kind IS 'What kinds of notifications there are; a feature adds its row.';
COMMENT ON COLUMN muster.notification_kind.kind IS 'The type of the frame that tells it.';
COMMENT ON COLUMN muster.notification_kind.description IS 'When one gets it.';

ALTER TABLE muster.notification
    ADD FOREIGN KEY (kind) REFERENCES muster.notification_kind,
    ADD CONSTRAINT notification_subject UNIQUE (user_id, kind, subject);
CREATE INDEX notification_from_id ON muster.notification (from_id) WHERE from_id IS NOT NULL;
CREATE INDEX notification_at ON muster.notification USING brin (at);
COMMENT ON TABLE muster.notification IS 'What a person was told, and whether they saw it. Stored before it is sent, by muster.notify alone.';
COMMENT ON COLUMN muster.notification.number IS 'Rises per person in the order of commits.';
COMMENT ON COLUMN muster.notification.group_id IS 'The group that it is about; whoever leaves that loses what they have not seen. NULL when it is about none.';
COMMENT ON COLUMN muster.notification.from_id IS 'Who caused it; deleted with their account. NULL when nobody did.';
COMMENT ON COLUMN muster.notification.subject IS 'What makes a repeat known as one. Of an alert: gathering, variant and time. NULL when there can be no repeat.';
COMMENT ON COLUMN muster.notification.payload IS 'What the client is told beside the head that all kinds have.';

-- Called last in a transaction: it locks accounts, in the order of their ids, until the commit. Who is gone, left the group
-- meanwhile, or is told by an account that is gone, gets nothing.
CREATE FUNCTION muster.notify(
    users bigint[],
    kinds text[],
    groups bigint[],
    senders bigint[],
    subjects text[],
    moments timestamptz[],
    payloads jsonb[]
) RETURNS TABLE (place integer, given bigint) LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM muster.account a WHERE a.id = ANY (users) ORDER BY a.id FOR NO KEY UPDATE;
    FOR i IN 1 .. cardinality(users) LOOP
        place := i;
        SELECT n.number INTO given
        FROM muster.notification n
        WHERE n.user_id = users[i] AND n.kind = kinds[i] AND n.subject = subjects[i];
        IF NOT FOUND THEN
            UPDATE muster.account a SET last_notification = a.last_notification + 1
            WHERE a.id = users[i]
                AND (senders[i] IS NULL OR EXISTS (SELECT FROM muster.account s WHERE s.id = senders[i]))
                AND (groups[i] IS NULL
                    OR EXISTS (SELECT FROM muster.membership m WHERE m.group_id = groups[i] AND m.user_id = users[i]))
            RETURNING a.last_notification INTO given;
            CONTINUE WHEN NOT FOUND;
            INSERT INTO muster.notification (user_id, number, kind, group_id, from_id, subject, at, payload)
            VALUES (users[i], given, kinds[i], groups[i], senders[i], subjects[i], moments[i], payloads[i]);
        END IF;
        RETURN NEXT;
    END LOOP;
END $$;
COMMENT ON FUNCTION muster.notify IS 'Stores notifications and returns the number of each by its place, also of one that was stored before with the same subject.';

CREATE VIEW ops.gathering_history AS
SELECT x.id AS gathering_id, x.group_id, g.name AS group_name, x.since, x.ended_at,
    date_trunc('second', x.ended_at - x.since) AS lasted, x.place_name, x.lat, x.lon,
    (SELECT count(*) FROM muster.gathering_member m WHERE m.gathering_id = x.id AND m.took_part) AS took_part,
    (SELECT count(*) FROM muster.notification n
        WHERE n.group_id = x.group_id AND n.kind = 'left_without_you' AND n.payload ->> 'gathering' = x.id::text) AS alerts,
    x.place, who.participants, who.absent
FROM muster.gathering x
    JOIN muster.grp g ON g.id = x.group_id
    CROSS JOIN LATERAL (
        SELECT array_agg(a.name ORDER BY a.id) FILTER (WHERE m.took_part) AS participants,
            array_agg(a.name ORDER BY a.id) FILTER (WHERE m.standing = 'absent') AS absent
        FROM muster.gathering_member m JOIN muster.account a ON a.id = m.user_id
        WHERE m.gathering_id = x.id
    ) AS who
WHERE x.ended_at IS NOT NULL;
COMMENT ON VIEW ops.gathering_history IS 'Gatherings that are over: how long, where, who took part, who was absent when it ended, how many were alerted.';

CREATE VIEW ops.notifications_pending AS
SELECT n.user_id, a.username, a.name, n.number, n.kind, n.payload ->> 'variant' AS variant, g.name AS group_name, n.at,
    date_trunc('second', now() - n.at) AS waits, coalesce(s.state, 'offline') AS presence
FROM muster.notification n
    JOIN muster.account a ON a.id = n.user_id
    LEFT JOIN muster.grp g ON g.id = n.group_id
    LEFT JOIN muster.presence s ON s.user_id = n.user_id
WHERE n.seen_at IS NULL;
COMMENT ON VIEW ops.notifications_pending IS 'Notifications that were decided and not yet seen, and whether the person can be reached.';

DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'muster_ops') THEN
        GRANT SELECT ON ops.gathering_history, ops.notifications_pending, muster.notification_kind TO muster_ops;
        -- Payloads will hold private words.
        REVOKE SELECT ON muster.notification FROM muster_ops;
        GRANT SELECT (user_id, number, kind, group_id, from_id, subject, at, seen_at) ON muster.notification TO muster_ops;
    END IF;
END $$;

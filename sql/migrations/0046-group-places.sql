-- Places of groups, whom each member notifies of arrivals, and the states that decide it.

CREATE TABLE muster.group_place (
    id bigint PRIMARY KEY,
    group_id bigint NOT NULL REFERENCES muster.grp ON DELETE CASCADE,
    key text NOT NULL CHECK (length(key) BETWEEN 1 AND 64),
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
    icon text NOT NULL CHECK (icon IN ('home', 'work', 'school', 'sport', 'food', 'shop', 'health', 'station', 'other')),
    lat double precision NOT NULL CHECK (lat BETWEEN -90 AND 90),
    lon double precision NOT NULL CHECK (lon BETWEEN -180 AND 180),
    radius double precision NOT NULL CHECK (radius BETWEEN 50 AND 2000),
    created_by bigint REFERENCES muster.account ON DELETE SET NULL,
    created_at timestamptz NOT NULL,
    revision bigint NOT NULL DEFAULT 1,
    UNIQUE (id, group_id)
);
CREATE UNIQUE INDEX group_place_key ON muster.group_place (group_id, created_by, key);
CREATE INDEX group_place_created_by ON muster.group_place (created_by);
COMMENT ON TABLE muster.group_place IS 'The places of groups. A place of a deleted account belongs to the owner of the group.';
COMMENT ON COLUMN muster.group_place.id IS 'The place.';
COMMENT ON COLUMN muster.group_place.group_id IS 'The group.';
COMMENT ON COLUMN muster.group_place.key IS 'The name that the adding client chose: adding it again changes nothing.';
COMMENT ON COLUMN muster.group_place.name IS 'The name.';
COMMENT ON COLUMN muster.group_place.icon IS 'The picture.';
COMMENT ON COLUMN muster.group_place.lat IS 'The latitude of the centre in degrees.';
COMMENT ON COLUMN muster.group_place.lon IS 'The longitude of the centre in degrees.';
COMMENT ON COLUMN muster.group_place.radius IS 'The radius in metres.';
COMMENT ON COLUMN muster.group_place.created_by IS 'The member who added it and may change it; null once the account or the membership has ended.';
COMMENT ON COLUMN muster.group_place.created_at IS 'The time of adding it.';
COMMENT ON COLUMN muster.group_place.revision IS 'Rises with every change of the place; choices do not count.';

CREATE TABLE muster.place_consent (
    place_id bigint NOT NULL,
    user_id bigint NOT NULL REFERENCES muster.account ON DELETE CASCADE,
    group_id bigint NOT NULL,
    everybody boolean NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (place_id, user_id),
    FOREIGN KEY (place_id, group_id) REFERENCES muster.group_place (id, group_id) ON DELETE CASCADE,
    FOREIGN KEY (group_id, user_id) REFERENCES muster.membership (group_id, user_id) ON DELETE CASCADE
);
CREATE INDEX place_consent_member ON muster.place_consent (user_id, group_id);
COMMENT ON TABLE muster.place_consent IS 'Members who notify others when they arrive at a place and leave it. Without a row nobody is notified.';
COMMENT ON COLUMN muster.place_consent.place_id IS 'The place.';
COMMENT ON COLUMN muster.place_consent.user_id IS 'The member who arrives and leaves.';
COMMENT ON COLUMN muster.place_consent.group_id IS 'The group of the place.';
COMMENT ON COLUMN muster.place_consent.everybody IS 'Whether all members are notified, later ones too; otherwise those in place_receiver.';
COMMENT ON COLUMN muster.place_consent.at IS 'The time of the choice.';

CREATE TABLE muster.place_receiver (
    place_id bigint NOT NULL,
    user_id bigint NOT NULL REFERENCES muster.account ON DELETE CASCADE,
    receiver_id bigint NOT NULL,
    group_id bigint NOT NULL,
    PRIMARY KEY (place_id, user_id, receiver_id),
    FOREIGN KEY (place_id, user_id) REFERENCES muster.place_consent ON DELETE CASCADE,
    FOREIGN KEY (group_id, receiver_id) REFERENCES muster.membership (group_id, user_id) ON DELETE CASCADE
);
CREATE INDEX place_receiver_receiver ON muster.place_receiver (receiver_id, group_id);
COMMENT ON TABLE muster.place_receiver IS 'The members whom a member notifies, unless everybody is notified.';
COMMENT ON COLUMN muster.place_receiver.place_id IS 'The place.';
COMMENT ON COLUMN muster.place_receiver.user_id IS 'The member who arrives and leaves.';
COMMENT ON COLUMN muster.place_receiver.receiver_id IS 'A member who is notified.';
COMMENT ON COLUMN muster.place_receiver.group_id IS 'The group of the place.';

CREATE TABLE muster.place_mute (
    place_id bigint NOT NULL,
    user_id bigint NOT NULL REFERENCES muster.account ON DELETE CASCADE,
    group_id bigint NOT NULL,
    PRIMARY KEY (place_id, user_id),
    FOREIGN KEY (place_id, group_id) REFERENCES muster.group_place (id, group_id) ON DELETE CASCADE,
    FOREIGN KEY (group_id, user_id) REFERENCES muster.membership (group_id, user_id) ON DELETE CASCADE
);
CREATE INDEX place_mute_member ON muster.place_mute (user_id, group_id);
COMMENT ON TABLE muster.place_mute IS 'Members who receive no notification about a place; nobody else learns of it.';
COMMENT ON COLUMN muster.place_mute.place_id IS 'The place.';
COMMENT ON COLUMN muster.place_mute.user_id IS 'The member who receives nothing.';
COMMENT ON COLUMN muster.place_mute.group_id IS 'The group of the place.';

CREATE TABLE muster.place_state (
    user_id bigint NOT NULL REFERENCES muster.account ON DELETE CASCADE,
    place_id bigint NOT NULL,
    inside boolean,
    since timestamptz NOT NULL,
    proof jsonb NOT NULL,
    PRIMARY KEY (user_id, place_id),
    FOREIGN KEY (place_id, user_id) REFERENCES muster.place_consent ON DELETE CASCADE
);
CREATE INDEX place_state_place_id ON muster.place_state (place_id, user_id);
CREATE INDEX place_state_pending ON muster.place_state (place_id) WHERE proof ? 'proof';
COMMENT ON TABLE muster.place_state IS 'The present state of members at places where they notify others; not a history.';
COMMENT ON COLUMN muster.place_state.user_id IS 'The member.';
COMMENT ON COLUMN muster.place_state.place_id IS 'The place.';
COMMENT ON COLUMN muster.place_state.inside IS 'Whether the member is inside; null while that is unknown.';
COMMENT ON COLUMN muster.place_state.since IS 'The time of the first fix that proved the state.';
COMMENT ON COLUMN muster.place_state.proof IS 'The pending proof of the next state, and the time of the last fix that was applied.';

-- A member who leaves the group keeps no right to a place.
CREATE FUNCTION muster.release_places() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    UPDATE muster.group_place SET created_by = NULL WHERE group_id = OLD.group_id AND created_by = OLD.user_id;
    DELETE FROM muster.notification n
    WHERE n.group_id = OLD.group_id AND n.from_id = OLD.user_id AND n.seen_at IS NULL
        AND n.kind IN ('place_arrived', 'place_left');
    RETURN NULL;
END $$;
COMMENT ON FUNCTION muster.release_places() IS 'Trigger that passes the places of a member who leaves to the owner, and takes back the member''s unseen arrivals.';
CREATE TRIGGER membership_places AFTER DELETE ON muster.membership
    FOR EACH ROW EXECUTE FUNCTION muster.release_places();

INSERT INTO muster.notification_kind (kind, description) VALUES
    ('place_arrived', 'A member arrived at a place of the group and notifies this member.'),
    ('place_left', 'A member left a place of the group and notifies this member.');

-- Whether a block forbids an arrival or departure is decided at the commit, with the membership.
CREATE OR REPLACE FUNCTION muster.notify(
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
                AND (kinds[i] NOT IN ('place_arrived', 'place_left') OR EXISTS (
                    SELECT FROM muster.place_consent c
                    WHERE c.place_id = (payloads[i] -> 'place' ->> 'id')::bigint AND c.user_id = senders[i]
                        AND (c.everybody OR EXISTS (SELECT FROM muster.place_receiver r
                            WHERE r.place_id = c.place_id AND r.user_id = c.user_id AND r.receiver_id = users[i]))
                        AND NOT EXISTS (SELECT FROM muster.place_mute t
                            WHERE t.place_id = c.place_id AND t.user_id = users[i])
                        AND NOT EXISTS (SELECT FROM muster.block k
                            WHERE (k.user_id, k.blocked_id) IN ((users[i], senders[i]), (senders[i], users[i])))))
            RETURNING a.last_notification INTO given;
            CONTINUE WHEN NOT FOUND;
            INSERT INTO muster.notification (user_id, number, kind, group_id, from_id, subject, at, payload)
            VALUES (users[i], given, kinds[i], groups[i], senders[i], subjects[i], moments[i], payloads[i]);
        END IF;
        RETURN NEXT;
    END LOOP;
END $$;

CREATE VIEW ops.places_now AS
SELECT p.group_id, g.name AS group_name, p.id AS place_id, p.name, p.icon, p.lat, p.lon, p.radius,
    (SELECT count(*) FROM muster.place_consent c WHERE c.place_id = p.id) AS consents,
    (SELECT count(*) FROM muster.place_state s WHERE s.place_id = p.id AND s.inside) AS inside
FROM muster.group_place p JOIN muster.grp g ON g.id = p.group_id;
COMMENT ON VIEW ops.places_now IS 'The places of groups: how many members notify others there, and how many of them are inside.';

DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'muster_ops') THEN
        GRANT SELECT ON ops.places_now, muster.group_place, muster.place_consent, muster.place_receiver,
            muster.place_mute TO muster_ops;
        GRANT SELECT (user_id, place_id, inside, since) ON muster.place_state TO muster_ops;
    END IF;
END $$;

-- Plans for a day out: what people were suggested, what they keep, and the copies that groups have. Written by the directory.

-- Of the places round a point those are asked for by which one can do something; and which time zone a point lies in.
CREATE INDEX place_category ON muster.place USING gist (place) WHERE category IS NOT NULL;
CREATE INDEX place_timezone ON muster.place USING gist (place) WHERE timezone IS NOT NULL;

CREATE UNLOGGED TABLE muster.suggestion (
    id bigint PRIMARY KEY,
    user_id bigint NOT NULL REFERENCES muster.account ON DELETE CASCADE,
    plans jsonb CHECK (jsonb_typeof(plans) = 'array'),
    created_at timestamptz NOT NULL
);
CREATE INDEX suggestion_user_id ON muster.suggestion (user_id, id);
CREATE INDEX suggestion_created_at ON muster.suggestion (created_at);
COMMENT ON TABLE muster.suggestion IS 'Plans that somebody was suggested, for an hour, so that they can keep one of them. Empty after a crash of the database.';
COMMENT ON COLUMN muster.suggestion.id IS 'Made by the server, rising with time.';
COMMENT ON COLUMN muster.suggestion.user_id IS 'Whom.';
COMMENT ON COLUMN muster.suggestion.plans IS 'The plans, the best first; NULL once the hour is over, or twenty newer ones are there. Without origin and first leg when the origin was guessed from a network address.';
COMMENT ON COLUMN muster.suggestion.created_at IS 'When they asked.';

CREATE TABLE muster.plan (
    id bigint PRIMARY KEY,
    user_id bigint NOT NULL REFERENCES muster.account ON DELETE CASCADE,
    name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 80),
    body jsonb NOT NULL CHECK (jsonb_typeof(body) = 'object'),
    saved_at timestamptz NOT NULL
);
CREATE INDEX plan_user_id ON muster.plan (user_id, id);
COMMENT ON TABLE muster.plan IS 'Plans for a day out that people keep; at most 100 a person. They go with their account.';
COMMENT ON COLUMN muster.plan.id IS 'Made by the server, rising with time.';
COMMENT ON COLUMN muster.plan.user_id IS 'Whose it is.';
COMMENT ON COLUMN muster.plan.name IS 'What its person calls it.';
COMMENT ON COLUMN muster.plan.body IS 'Where and when one sets out, the stops, and the ways to them.';
COMMENT ON COLUMN muster.plan.saved_at IS 'Since when it is kept.';

CREATE TABLE muster.plan_share (
    plan_id bigint NOT NULL REFERENCES muster.plan ON DELETE CASCADE,
    group_id bigint NOT NULL REFERENCES muster.grp ON DELETE CASCADE,
    user_id bigint NOT NULL REFERENCES muster.account ON DELETE CASCADE,
    body jsonb NOT NULL CHECK (
        jsonb_typeof(body) = 'object' AND NOT body ? 'origin' AND NOT body ? 'startsAt' AND NOT body #> '{stops,0}' ? 'leg'
    ),
    shared_at timestamptz NOT NULL,
    PRIMARY KEY (plan_id, group_id)
);
CREATE INDEX plan_share_group_id ON muster.plan_share (group_id, plan_id);
CREATE INDEX plan_share_user_id ON muster.plan_share (user_id);
COMMENT ON TABLE muster.plan_share IS 'Copies of plans that were proposed to groups. They go with the plan, and stay when its person leaves the group.';
COMMENT ON COLUMN muster.plan_share.plan_id IS 'The plan.';
COMMENT ON COLUMN muster.plan_share.group_id IS 'The group.';
COMMENT ON COLUMN muster.plan_share.user_id IS 'Who proposed it: the person of the plan.';
COMMENT ON COLUMN muster.plan_share.body IS 'The plan without origin, start and first leg, which are nobody''s but its person''s.';
COMMENT ON COLUMN muster.plan_share.shared_at IS 'When it was proposed.';

CREATE TABLE muster.plan_answer (
    plan_id bigint NOT NULL,
    group_id bigint NOT NULL,
    user_id bigint NOT NULL REFERENCES muster.account ON DELETE CASCADE,
    answer text NOT NULL CHECK (answer IN ('in', 'maybe', 'out')),
    answered_at timestamptz NOT NULL,
    PRIMARY KEY (plan_id, group_id, user_id),
    FOREIGN KEY (plan_id, group_id) REFERENCES muster.plan_share ON DELETE CASCADE,
    FOREIGN KEY (group_id, user_id) REFERENCES muster.membership ON DELETE CASCADE
);
CREATE INDEX plan_answer_member ON muster.plan_answer (group_id, user_id);
CREATE INDEX plan_answer_user_id ON muster.plan_answer (user_id);
COMMENT ON TABLE muster.plan_answer IS 'What members say to plans that were proposed to their group. It goes when they leave.';
COMMENT ON COLUMN muster.plan_answer.plan_id IS 'The plan.';
COMMENT ON COLUMN muster.plan_answer.group_id IS 'The group that it was proposed to.';
COMMENT ON COLUMN muster.plan_answer.user_id IS 'Who.';
COMMENT ON COLUMN muster.plan_answer.answer IS 'in, maybe or out.';
COMMENT ON COLUMN muster.plan_answer.answered_at IS 'When they said so last.';

INSERT INTO muster.notification_kind (kind, description)
VALUES ('plan_proposed', 'Somebody proposes a plan for a day out to a group of theirs.');

CREATE VIEW ops.plans_shared AS
SELECT s.plan_id, s.group_id, g.name AS group_name, s.user_id, a.name, p.name AS plan,
    (SELECT string_agg(x.stop #>> '{place,name}', ', ' ORDER BY x.n)
        FROM jsonb_array_elements(s.body -> 'stops') WITH ORDINALITY AS x(stop, n)) AS places,
    (SELECT count(*) FROM muster.plan_answer r WHERE r.plan_id = s.plan_id AND r.group_id = s.group_id AND r.answer = 'in') AS going,
    (SELECT count(*) FROM muster.plan_answer r WHERE r.plan_id = s.plan_id AND r.group_id = s.group_id AND r.answer = 'maybe') AS maybe,
    (SELECT count(*) FROM muster.plan_answer r WHERE r.plan_id = s.plan_id AND r.group_id = s.group_id AND r.answer = 'out') AS staying_away,
    s.shared_at, date_trunc('second', now() - s.shared_at) AS age
FROM muster.plan_share s
    JOIN muster.plan p ON p.id = s.plan_id
    JOIN muster.grp g ON g.id = s.group_id
    JOIN muster.account a ON a.id = s.user_id;
COMMENT ON VIEW ops.plans_shared IS 'Plans that were proposed to groups, where they lead, and how many members come along.';

DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'muster_ops') THEN
        GRANT SELECT ON muster.plan_share, muster.plan_answer, ops.plans_shared TO muster_ops;
        -- Where a plan begins is its person's affair.
        GRANT SELECT (id, user_id, name, saved_at) ON muster.plan TO muster_ops;
        GRANT SELECT (id, user_id, created_at) ON muster.suggestion TO muster_ops;
    END IF;
END $$;

-- A group of three with an open gathering, as example data for the views: psql … -f sql/seed/demo.sql
-- Logging in as these users is impossible; `muster simulate` creates users that move.
BEGIN;
SELECT muster.maintain_partitions('30 days');
INSERT INTO muster.account (id, username, password_hash, name, last_notification, created_at) VALUES
    (7, 'ada', '!', 'Ada', 0, now() - interval '40 days'), (8, 'bob', '!', 'Bo', 0, now() - interval '39 days'),
    (9, 'cyd', '!', 'Cy', 12, now() - interval '3 days');
INSERT INTO muster.grp (id, name, radius, dwell, max_absent, cooldown, revision, created_at)
VALUES (81, 'Sunday climbers', 100, 180, 1, 1800, 4, now() - interval '38 days');
INSERT INTO muster.membership (group_id, user_id, role, visible_since, joined_at) VALUES
    (81, 7, 'owner', now() - interval '38 days', now() - interval '38 days'),
    (81, 8, 'member', now() - interval '37 days', now() - interval '37 days'),
    (81, 9, 'member', now() - interval '3 days', now() - interval '3 days');
INSERT INTO muster.invite (code, group_id, created_by, created_at, expires_at)
VALUES ('kX3_demo-2Qw', 81, 7, now(), now() + interval '7 days');
INSERT INTO muster.device (id, user_id, key, name, kind, acked_seq, last_seen, created_at) VALUES
    (31, 7, 'phone-a', 'Ada''s phone', 'phone', 60, now(), now() - interval '40 days'),
    (32, 8, 'phone-b', 'Bo''s phone', 'phone', 60, now(), now() - interval '39 days'),
    (33, 9, 'web-5f1c', 'Firefox on Linux', 'browser', 60, now(), now() - interval '3 days');
INSERT INTO muster.device (id, user_id, key, name, kind, last_seen, created_at)
VALUES (34, 7, 'tracker-a', 'Ada''s bike', 'tracker', now() - interval '10 minutes', now() - interval '2 days');
INSERT INTO muster.device_token (device_id, user_id, token_hash, app, created_at, reported_at, problems, last_problem, last_problem_at)
VALUES (34, 7, decode(repeat('0a', 32), 'hex'), 'owntracks', now() - interval '2 days', now() - interval '10 minutes', 1,
    'Messages of the type ''x'' are unknown.', now() - interval '1 hour');
INSERT INTO muster.fix (device_id, seq, user_id, at, received_at, lat, lon, accuracy, trigger, verdict)
SELECT d.id, n, d.user_id, now() - (60 - n) * interval '10 seconds',
    now() - (60 - n) * interval '10 seconds' + interval '80 ms',
    CASE d.user_id WHEN 9 THEN 40.73 ELSE 40.7128 END + n * 1e-6, -74.006 + d.user_id * 1e-5, 8, 'move',
    (CASE WHEN n % 20 = 0 THEN 'inaccurate' ELSE 'ok' END)::muster.fix_verdict
FROM muster.device d, generate_series(1, 60) n WHERE d.id BETWEEN 31 AND 33;
INSERT INTO muster.position (user_id, device_id, seq, at, lat, lon, accuracy, speed, battery, stationary, verdict)
SELECT user_id, device_id, seq, at, lat, lon, accuracy, 0.4, 0.81, user_id = 9, verdict FROM muster.fix
WHERE seq = 59 AND device_id BETWEEN 31 AND 33;
INSERT INTO muster.presence (user_id, state, last_seen, changed_at)
VALUES (7, 'online', now(), now()), (8, 'away', now(), now()), (9, 'offline', now() - interval '4 minutes', now());
INSERT INTO muster.live_session (session_id, user_id, device_id, is_watch, opened_at)
VALUES (9001, 7, 31, false, now() - interval '12 minutes'), (9002, 8, 32, false, now() - interval '9 minutes');
INSERT INTO muster.gathering (id, group_id, state, since, ended_at, updated_at, lat, lon, place_name) VALUES
    (6000, 81, 'ended', now() - interval '2 days', now() - interval '46 hours', now() - interval '46 hours', 40.72, -74, NULL),
    (6001, 81, 'together', now() - interval '8 minutes', NULL, now() - interval '5 minutes', 40.7128, -74.006, 'Blue Bottle');
INSERT INTO muster.gathering_member (gathering_id, user_id, took_part, standing) VALUES
    (6000, 7, true, 'together'), (6000, 8, true, 'together'), (6000, 9, true, 'absent'),
    (6001, 7, true, 'together'), (6001, 8, true, 'together'), (6001, 9, false, 'absent');
INSERT INTO muster.notification (user_id, number, kind, group_id, subject, at, payload)
VALUES (9, 12, 'left_without_you', 81, '6001:gathered:1732060800000', now() - interval '5 minutes',
    '{"gathering":"6001","variant":"gathered","since":1732060620000,
      "place":{"lat":40.7128,"lon":-74.006,"name":"Blue Bottle"},
      "together":[{"id":"7","name":"Ada"},{"id":"8","name":"Bo"}],"distance":1912,
      "you":{"lat":40.73,"lon":-74.006,"at":1732060790000}}');
INSERT INTO muster.spot (id, author_id, lat, lon, comment, category, created_at)
VALUES (501, 7, 40.7128, -74.006, E'Blue Bottle\nThe corner table has the socket.', 'café', now() - interval '30 days');
INSERT INTO muster.spot_vote (spot_id, user_id, vote) VALUES (501, 7, 'like'), (501, 8, 'like');
INSERT INTO muster.pin (id, user_id, text, label, lat, lon, link, posted_at, revision) VALUES
    (601, 7, 'At the fair until six', 'near New York', 40.7128, -74.006, 'https://example.org/fair',
        now() - interval '20 minutes', 1);
INSERT INTO muster.plan (id, user_id, name, body, saved_at)
VALUES (701, 7, 'Saturday by the sea', '{"origin":{"latitude":40.71,"longitude":-74.01},"isTimed":false,"pace":"balanced","score":0.9,
    "stops":[{"place":{"name":"Battery Park"},"leg":{"distance":700,"duration":520,"isRouted":false}}]}', now() - interval '1 hour');
INSERT INTO muster.plan_share (plan_id, group_id, user_id, body, shared_at)
VALUES (701, 81, 7, '{"isTimed":false,"pace":"balanced","score":1.3,"stops":[{"place":{"name":"Battery Park"}}]}',
    now() - interval '50 minutes');
INSERT INTO muster.plan_answer (plan_id, group_id, user_id, answer, answered_at)
VALUES (701, 81, 8, 'in', now() - interval '40 minutes'), (701, 81, 9, 'out', now() - interval '30 minutes');
INSERT INTO muster.group_place (id, group_id, key, name, icon, lat, lon, radius, created_by, created_at)
VALUES (751, 81, 'wall', 'Wall Works', 'sport', 40.7128, -74.006, 120, 7, now() - interval '8 days');
INSERT INTO muster.place_consent (place_id, user_id, group_id, everybody, at)
VALUES (751, 7, 81, true, now() - interval '8 days'), (751, 8, 81, false, now() - interval '7 days');
INSERT INTO muster.place_receiver (place_id, user_id, receiver_id, group_id) VALUES (751, 8, 7, 81);
INSERT INTO muster.place_mute (place_id, user_id, group_id) VALUES (751, 9, 81);
INSERT INTO muster.place_state (user_id, place_id, inside, since, proof) VALUES
    (7, 751, true, now() - interval '25 minutes', '{}'), (8, 751, false, now() - interval '2 hours', '{}');
INSERT INTO muster.provider_cache (key, provider, category, lat, lon, radius, places, bytes, answer, fetched_at)
SELECT 'overpass/' || category || '/40.715,-74.005/1900', 'overpass', category, 40.715, -74.005, 1900, 1, 2, '[]', now() - age
FROM (VALUES ('cafe', interval '1 hour'), ('park', interval '2 days')) answer (category, age);
INSERT INTO muster.provider_state (node, host, provider, failures, reason, open_until, changed_at) VALUES
    (0, 'overpass.example', 'overpass', 0, NULL, NULL, now() - interval '3 hours'),
    (0, 'photon.example:2322', 'photon', 5, 'timeout', now() + interval '20 seconds', now() - interval '10 seconds');
INSERT INTO muster.message (room_id, seq, version, key, kind, author_id, at, text, mentions) VALUES
    (81, 4, 4, 'c-1', 'text', 7, now() - interval '6 minutes', 'We are at the Blue Bottle. @Cy, where are you?', '{9}'),
    (81, 5, 5, 'c-2', 'text', 8, now() - interval '4 minutes', 'The corner table is free.', '{}');
UPDATE muster.room SET last_seq = 5, version = 5 WHERE id = 81;
INSERT INTO muster.report (id, user_id, about_id, what, subject_id, reason, text, at)
VALUES (701, 8, 7, 'pin', 601, 'The fair is over', 'At the fair until six', now() - interval '10 minutes');
INSERT INTO muster.take_down (what, subject_id, reason, at, spot_id)
VALUES ('spot', 591, 'insults', now() - interval '5 minutes', 591);
INSERT INTO muster.event (id, host_id, group_id, title, lat, lon, place, starts_at, ends_at, tz, capacity, created_at, changed_at)
VALUES (901, 7, 81, 'Climbing at six', 40.7128, -74.006, 'The wall', now() + interval '6 hours', now() + interval '8 hours',
    'America/New_York', 2, now() - interval '1 day', now() - interval '1 day');
INSERT INTO muster.event_guest (event_id, user_id, rsvp, asked_at) VALUES
    (901, 7, 'yes', now() - interval '20 hours'), (901, 8, 'yes', now() - interval '3 hours'),
    (901, 9, 'waiting', now() - interval '2 hours');
INSERT INTO muster.journal_state (writer, batch, records, taken_at, committed_at, batch_records, batch_delay_ms)
VALUES (4711, 190, 181, now() - interval '1 hour', now() - interval '2 seconds', 3, 12) ON CONFLICT DO NOTHING;
COMMIT;

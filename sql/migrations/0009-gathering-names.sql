-- Who took part and who was absent, by name, beside how many. New columns of a view come last.
CREATE OR REPLACE VIEW ops.gathering_history AS
SELECT x.id AS gathering_id, x.group_id, g.name AS group_name, x.since, x.ended_at,
    date_trunc('second', x.ended_at - x.since) AS lasted, x.place_name, x.lat, x.lon,
    (SELECT count(*) FROM muster.gathering_member m WHERE m.gathering_id = x.id AND m.took_part) AS took_part,
    (SELECT count(*) FROM muster.notification n WHERE n.gathering_id = x.id AND n.group_id = x.group_id) AS alerts,
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

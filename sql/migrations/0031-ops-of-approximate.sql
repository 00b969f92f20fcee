-- Operators see of somebody what those see who see most of them: where nobody sees more than a cell of the grid, neither do they.
CREATE OR REPLACE VIEW ops.live_positions AS
SELECT p.user_id, a.username, a.name, h.sharing,
    CASE WHEN h.is_shown THEN ops.freshness(p.at, p.stationary) ELSE 'unknown' END AS freshness,
    CASE WHEN h.is_shown THEN date_trunc('second', now() - p.at) END AS age,
    CASE WHEN h.is_shown THEN p.at END AS at,
    CASE WHEN h.is_exact THEN p.lat WHEN h.is_shown THEN g.lat END AS lat,
    CASE WHEN h.is_exact THEN p.lon WHEN h.is_shown THEN g.lon END AS lon,
    CASE WHEN h.is_exact THEN p.accuracy WHEN h.is_shown THEN greatest(p.accuracy, 800::real) END AS accuracy,
    CASE WHEN h.is_exact THEN p.speed END AS speed,
    CASE WHEN h.is_exact THEN p.battery END AS battery,
    CASE WHEN h.is_exact THEN p.stationary END AS stationary,
    CASE WHEN h.is_shown THEN p.verdict END AS verdict,
    d.kind AS device_kind, d.name AS device, coalesce(s.state, 'offline') AS presence,
    CASE WHEN h.is_exact THEN p.place
        WHEN h.is_shown THEN ST_SetSRID(ST_MakePoint(g.lon, g.lat), 4326)::geography END AS place
FROM muster.position p
    JOIN muster.account a ON a.id = p.user_id
    JOIN muster.device d ON d.id = p.device_id
    LEFT JOIN muster.presence s ON s.user_id = p.user_id
    CROSS JOIN LATERAL (SELECT round(p.lat * 100) / 100 AS lat, round(p.lon * 100) / 100 AS lon) g
    CROSS JOIN LATERAL (
        -- The widest of what somebody's groups see of them, and whether one of them sees this position, or all of it.
        SELECT CASE
                WHEN count(*) = 0 THEN 'nobody'
                WHEN bool_or(x.mode = 'live') THEN 'live'
                WHEN bool_or(x.mode = 'approximate') THEN 'approximate'
                ELSE 'paused'
            END AS sharing,
            count(*) = 0 OR bool_or(x.mode <> 'paused' AND p.at >= x.visible_since) AS is_shown,
            count(*) = 0 OR bool_or(x.mode = 'live' AND p.at >= x.visible_since) AS is_exact
        FROM (
            SELECT CASE WHEN m.sharing_until <= now() THEN 'live' ELSE m.sharing END AS mode,
                CASE WHEN m.sharing = 'paused' AND m.sharing_until <= now()
                    THEN greatest(m.visible_since, m.sharing_until) ELSE m.visible_since END AS visible_since
            FROM muster.membership m
            WHERE m.user_id = p.user_id
        ) x
    ) h;
COMMENT ON VIEW ops.live_positions IS 'Where everybody is now, with what they share at most, the age of the position and the device that took it; of those who are approximate everywhere the nearest point of the 0.01 degree grid, of those who are paused everywhere only who they are.';

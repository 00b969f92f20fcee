"""A crowd for the map: a group of many with positions, written into the database before anybody asks for it."""

import itertools
import random

MANY = """
    INSERT INTO muster.account (id, username, password_hash, name, created_at)
    SELECT :base + n, 'crowd-' || (:base + n), 'x', 'P' || lpad(n::text, 3, '0'), now() FROM generate_series(1, :count) n;
    INSERT INTO muster.device (id, user_id, key, kind, last_seen, created_at)
    SELECT :base + n, :base + n, 'phone', 'phone', now(), now() FROM generate_series(1, :count) n;
    INSERT INTO muster.grp (id, name, radius, dwell, max_absent, cooldown, created_at) VALUES (:base, 'Crowd', 100, 180, 1, 1800, now());
    INSERT INTO muster.membership (group_id, user_id, role, visible_since, joined_at)
    SELECT :base, id, CASE WHEN username = :'owner' THEN 'owner' ELSE 'member' END::muster.member_role, now() - interval '1 day', now() - interval '1 day'
    FROM muster.account WHERE username = :'owner' OR (id > :base AND id <= :base + :count);
"""

#: The ids of the groups, each followed by those of its people: no two tests of one server may use the same.
_bases = itertools.count(1_000_000, 10_000)


def gather(server, owner, count, seed):
    """Makes a group of `count` people and `owner`, some in one street, some in one town, some anywhere. Gives its id."""
    base = next(_bases)
    chance = random.Random(seed)
    rows = []
    for number in range(1, count + 1):
        spread = (0.0, 0.0015, 0.02, 0.3, 8)[number % 5]
        lat = 48.2082 + chance.gauss(0, spread or 0.00001)
        lon = 16.3738 + chance.gauss(0, (spread or 0.00001) * 1.6)
        rows.append(f"({base + number}, {base + number}, 1, now(), {lat:.6f}, {lon:.6f}, 8, true, 'ok')")
    server.sql(MANY, base=base, count=count, owner=owner)
    server.sql("INSERT INTO muster.position (user_id, device_id, seq, at, lat, lon, accuracy, stationary, verdict) VALUES "
               + ", ".join(rows) + ";")
    return base

"""Spots for the map: a few by the protocol, which the map hears of at once, or very many by SQL, before the server reads them."""

#: A user may add thirty an hour.
EACH = 25

PLANT = """async ([places, name]) => {
  const M = await import("/muster.js");
  const ids = [];
  for (let at = 0; at < places.length; at += 25) {
    const { token } = await M.signUp(location.origin, { username: `${name}-${at}`, password: "correct horse battery", name: "Planter" });
    const client = new M.Client({ url: location.origin, token, device: { key: "planter", kind: "browser" } });
    client.start();
    for (const [lat, lon, comment] of places.slice(at, at + 25)) ids.push((await client.request("spot.add", { lat, lon, comment })).spot.id);
    client.stop();
  }
  return ids;
}"""

MANY = """
    INSERT INTO muster.account (id, username, password_hash, name, created_at) VALUES (1, 'planter', 'x', 'Planter', now());
    SELECT setseed(0.5);
    INSERT INTO muster.spot (id, author_id, lat, lon, comment, created_at)
    SELECT n, 1, lat + sqrt(-2 * ln(1 - random())) * cos(6.2832 * random()) * spread,
           lon + sqrt(-2 * ln(1 - random())) * cos(6.2832 * random()) * spread * 1.5, 'Spot ' || n, now()
    FROM generate_series(1, :count) n
    JOIN (VALUES (0, 48.2082, 16.3738, 0.02), (1, 48.2082, 16.3738, 0.1), (2, 48.15, 16.5, 0.5), (3, 47.07, 15.44, 0.05), (4, 47.5, 14.5, 1.5))
        town (number, lat, lon, spread) ON town.number = n % 5;
"""


def plant(window, name, places):
    """Adds spots, each `(lat, lon, comment)`; gives their ids."""
    return window.page.evaluate(PLANT, [places, name])


def plant_many(server, count):
    """Fills the database of a server that runs, which shows them when it is started again."""
    server.sql(MANY, count=count)
    server.sql("ANALYZE muster.spot;")

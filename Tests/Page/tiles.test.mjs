/** The client's tiles equal those of the server: on a played server, frame by frame. */
import assert from "node:assert/strict";
import test from "node:test";
import { ORIGIN, START, play, replace, settled } from "./page.mjs";

const { clusterLeaves, tileCover } = await import("/muster.js");

const VIENNA = [16.0, 48.0, 16.4, 48.3];
/** A box within one tile. */
const SPOT = [16.3, 48.2, 16.3, 48.2];

const feature = (id, lon = 16.2) => ({ type: "Feature", id, geometry: { type: "Point", coordinates: [lon, 48.2] }, properties: { cluster: false, id } });

const tile = ([z, x, y], features, { full = true, gone = [], version = 1 } = {}) => ({ z, x, y, version, full, features, gone });

const tiles = (...put) => ({ type: "tiles", layer: "spots", tiles: put });

const covered = (zoom, bbox) => [...tileCover(zoom, bbox)].map((name) => name.split("/").map(Number));

const radians = (degrees) => (degrees / 180) * Math.PI;

/** The tiles that a server covers a box with, which computes rows otherwise than the client. */
function coveredByServer(zoom, [west, south, east, north]) {
  const size = 2 ** zoom;
  const index = (part) => Math.min(size - 1, Math.max(0, Math.trunc(part * size)));
  const column = (lon) => index((lon + 180) / 360);
  const row = (lat) => {
    const sine = Math.sin(radians(Math.min(85.0511287798, Math.max(-85.0511287798, lat))));
    return index(0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI));
  };
  const range = (first, end) => Array.from({ length: end - first }, (_, n) => first + n);
  const [first, last] = [column(west), column(east)];
  const columns = west <= east ? range(first, last + 1) : first <= last ? range(0, size) : [...range(first, size), ...range(0, last + 1)];
  return range(row(north), row(south) + 1).flatMap((y) => columns.map((x) => [zoom, x, y]));
}

/** A client on a played server: as `play` returns, with the changes of tiles and the cached features of a layer. */
async function playTiles(t) {
  const played = await play(t);
  return {
    ...played,
    changes: () => played.told.filter(([type]) => type === "tiles").length,
    held: (layer = "spots") => [...(played.client.tiles(layer)?.features() ?? [])].map(({ id }) => id).sort(),
    watch: (zoom, bbox, layer = "spots") => played.client.watchTiles({ layer, zoom, bbox }),
  };
}

test("a box is covered by tiles", () => {
  for (const [zoom, bbox, count] of [
    [0, [-180, -90, 180, 90], 1], [2, [-180, -85, 180, 85], 16], [3, [170, -1, -170, 1], 4], [1, [100, -1, 90, 1], 4], [12, [16.3, 48.2, 16.3, 48.2], 1],
  ]) assert.equal(covered(zoom, bbox).length, count, `${bbox} at ${zoom}`);
});

test("the requested box has the tiles that the client expects", async (t) => {
  const { server, watch } = await playTiles(t);
  const edges = [3, 7, 12, 17, 22].flatMap((zoom) => [1, 2, 2 ** zoom / 2, Math.floor(2 ** zoom / 3)].map((row) => {
    const lat = (Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / 2 ** zoom))) / Math.PI) * 180;
    return [zoom, [0, lat, 360 / 2 ** zoom, lat]];
  }));
  const boxes = [
    [0, [-180, -90, 180, 90]], [0, [170, -10, -170, 10]], [1, [100, -1, 90, 1]], [1, [-180, -90, 180, 90]], [3, [170, -1, -170, 1]],
    [3, [-180, -90, 180, -80]], [5, [-180, 84, -170, 90]], [5, [180, -90, 180, -84]], [4, [179.99, 80, -179.99, 90]], ...edges,
  ];
  for (const [index, [zoom, bbox]] of boxes.entries()) {
    const isInForce = watch(zoom, bbox);
    const asked = await server.answer("tiles.watch", index + 1, { watch: String(index), tiles: covered(zoom, bbox).length });
    assert.equal(await isInForce, true);
    assert.deepEqual(coveredByServer(zoom, asked.bbox), covered(zoom, bbox), `${bbox} at ${zoom}`);
    const [west, south, east, north] = asked.bbox;
    // Far from any edge, so that rounding cannot select another tile.
    const size = 2 ** zoom;
    const isFar = (part) => Math.abs(((part * size) % 1) - 0.5) < 0.01;
    for (const lon of [west, east]) assert.ok(isFar((lon + 180) / 360), `${lon} at ${zoom}`);
    for (const lat of [south, north]) assert.ok(isFar(0.5 - Math.asinh(Math.tan(radians(lat))) / (2 * Math.PI)), `${lat} at ${zoom}`);
  }
});

test("tiles are put, changed and dropped with their subscription", async (t) => {
  const { server, client, clock, changes, held, watch } = await playTiles(t);
  const isInForce = watch(10, VIENNA);
  const asked = await server.received("tiles.watch");
  const [first, ...others] = covered(10, VIENNA);
  assert.deepEqual([asked.layer, asked.zoom], ["spots", 10]);
  assert.deepEqual(coveredByServer(10, asked.bbox), [first, ...others]);
  assert.ok(others.length > 0);
  server.say({ type: "ok", id: asked.id, watch: "1", tiles: 1 + others.length });
  server.say(tiles(tile(first, [feature("s:1"), feature("s:2")])));
  assert.equal(await isInForce, true);
  await clock.until(() => changes() === 1);
  assert.equal(client.tiles("spots").isComplete, false);
  server.say(tiles(...others.map((each) => tile(each, []))));
  // Tiles of another layer, another area or an unknown tile are ignored.
  server.say({ type: "tiles", layer: "pins", tiles: [tile(first, [feature("p:1")])] });
  server.say(tiles(tile([10, 1, 1], [feature("s:9")]), tile([9, Math.floor(first[1] / 2), Math.floor(first[2] / 2)], [feature("s:9")])));
  server.say(tiles(tile(first, [feature("s:3"), feature("s:1", 16.3)], { full: false, gone: ["s:2"], version: 2 })));
  await clock.until(() => changes() === 3);
  assert.equal(client.tiles("spots").isComplete, true);
  assert.deepEqual(held(), ["s:1", "s:3"]);
  assert.equal(client.tiles("spots").tile(...first).features.get("s:1").geometry.coordinates[0], 16.3);
  server.say(tiles(tile(first, [feature("s:4")], { version: 3 })));
  await clock.until(() => changes() === 4);
  assert.deepEqual(held(), ["s:4"], "a full tile replaces the cached one");

  watch(10, [100, 10, 100.1, 10.1]);
  await server.received("tiles.watch", 2);
  server.say(tiles(tile(first, [feature("s:5")], { full: false, version: 4 })));
  await clock.until(() => changes() === 5);
  assert.deepEqual(held(), ["s:4", "s:5"], "until the server has accepted the new subscription, the old one is in force");
  await server.answer("tiles.watch", 2, { watch: "2", tiles: 1 });
  await clock.until(() => changes() === 6);
  assert.deepEqual(held(), []);
  const isOver = client.unwatchTiles("spots");
  await server.answer("tiles.unwatch", 1, {});
  await isOver;
  assert.equal(client.tiles("spots"), null);
});

test("a reconnect renews the subscription, and what arrives replaces the cached tiles", async (t) => {
  const { server, clock, changes, held, watch } = await playTiles(t);
  watch(12, SPOT);
  const [only] = covered(12, SPOT);
  await server.answer("tiles.watch", 1, { watch: "1", tiles: 1 });
  server.say(tiles(tile(only, [feature("s:1")], { version: 7 })));
  await clock.until(() => changes() === 1);
  server.close(1012);
  await server.received("tiles.watch", 2);
  assert.deepEqual(held(), ["s:1"], "cached tiles stay until newer ones arrive");
  server.say(tiles(tile(only, [feature("s:2")], { version: 1 })));
  await server.answer("tiles.watch", 2, { watch: "2", tiles: 1 });
  await clock.until(() => changes() === 2);
  assert.deepEqual(held(), ["s:2"]);
});

test("of several requests during one, only the newest is sent", async (t) => {
  const { server, clock, watch } = await playTiles(t);
  const boxes = [10, 11, 12, 13].map((lon) => [lon, 48.2, lon, 48.2]);
  watch(12, boxes[0]);
  const first = await server.received("tiles.watch");
  const outcomes = boxes.slice(1).map((box) => watch(12, box));
  server.say({ type: "ok", id: first.id, watch: "1", tiles: 1 });
  const asked = await server.answer("tiles.watch", 2, { watch: "2", tiles: 1 });
  assert.deepEqual(coveredByServer(12, asked.bbox), covered(12, boxes.at(-1)));
  assert.equal(await outcomes.at(-1), true);
  await clock.run(10_000);
  assert.equal(server.sent("tiles.watch").length, 2);
});

test("a layer that is being loaded is requested again", async (t) => {
  const { server, client, watch } = await playTiles(t);
  const outcome = watch(12, SPOT).catch(({ code }) => code);
  let asked = await server.received("tiles.watch");
  server.say({ type: "error", id: asked.id, code: "unavailable", message: "loading", retry: true, retryAfter: 30 });
  asked = await server.received("tiles.watch", 2);
  server.say({ type: "error", id: asked.id, code: "too_many_tiles", message: "too many", retry: false });
  assert.equal(await outcome, "too_many_tiles");
  assert.equal(client.tiles("spots"), null);
});

test("a subscription that is not answered is ended and requested anew", async (t) => {
  const { server, client, clock, changes, held, watch } = await playTiles(t);
  const [only] = covered(12, SPOT);
  const isInForce = watch(12, SPOT);
  await server.received("tiles.watch");
  const pass = async (times, milliseconds) => {
    for (let n = 0; n < times; n += 1) {
      await clock.run(milliseconds);
      if (server.sent("ping").length > 0) server.say({ type: "pong", at: START });
    }
  };
  await pass(4, 4_000);
  // It arrives while nothing is requested: the server assumes that the client has it.
  server.say(tiles(tile(only, [feature("s:1")])));
  await pass(2, 3_000);
  const ended = await server.received("tiles.unwatch");
  assert.equal(server.sent("tiles.watch").length, 1);
  server.say({ type: "ok", id: ended.id });
  await server.answer("tiles.watch", 2, { watch: "2", tiles: 1 });
  server.say(tiles(tile(only, [feature("s:1")], { version: 2 })));
  assert.equal(await isInForce, true);
  await clock.until(() => changes() === 1);
  assert.deepEqual(held(), ["s:1"]);
  assert.equal(client.tiles("spots").isComplete, true);
});

test("when a tile changes that is not cached, all are sent again", async (t) => {
  const { server, clock, changes, held, watch } = await playTiles(t);
  const isInForce = watch(10, VIENNA);
  const [first, second] = covered(10, VIENNA);
  await server.answer("tiles.watch", 1, { watch: "1", tiles: 2 });
  server.say(tiles(tile(first, [feature("s:1")])));
  assert.equal(await isInForce, true);
  await clock.until(() => changes() === 1);
  for (const version of [2, 3]) server.say(tiles(tile(second, [feature("s:2")], { full: false, version })));
  const ended = await server.received("tiles.unwatch");
  assert.deepEqual(held(), ["s:1"], "cached tiles stay until newer ones arrive");
  server.say({ type: "ok", id: ended.id });
  await server.answer("tiles.watch", 2, { watch: "2", tiles: 2 });
  server.say(tiles(tile(first, []), tile(second, [feature("s:2")], { version: 3 })));
  await clock.until(() => changes() === 2);
  assert.deepEqual(held(), ["s:2"]);
  server.say(tiles(tile(second, [feature("s:3")], { full: false, version: 4 })));
  await clock.until(() => changes() === 3);
  assert.deepEqual(held(), ["s:2", "s:3"]);
  assert.deepEqual([server.sent("tiles.unwatch").length, server.sent("tiles.watch").length], [1, 2]);
});

test("a user who loses a group has nothing of its map", async (t) => {
  const { server, client, clock, changes, held, watch } = await playTiles(t);
  const layer = "group:81";
  watch(12, SPOT, layer);
  await server.answer("tiles.watch", 1, { watch: "1", tiles: 1 });
  server.say({ type: "tiles", layer, tiles: [tile(covered(12, SPOT)[0], [feature("u:7")])] });
  await clock.until(() => changes() === 1);
  assert.deepEqual(held(layer), ["u:7"]);
  server.say({ type: "roster", group: "81", epoch: "e", version: 1, full: true, gathering: null, members: [{ user: "7", name: "Ada" }] });
  server.say({ type: "update", group: "81", version: 2, members: [], gone: ["7"] });
  await clock.until(() => changes() === 2);
  assert.equal(client.tiles(layer), null);
});

test("a cluster is requested and its leaves come in pages", async (t) => {
  const { server, client } = await playTiles(t);
  const answer = client.cluster("spots", "c:12:1:2");
  const asked = await server.answer("tiles.cluster", 1, { count: 37, expansion_zoom: 14, bbox: [1, 2, 3, 4] });
  assert.deepEqual([asked.layer, asked.cluster], ["spots", "c:12:1:2"]);
  assert.equal((await answer).expansion_zoom, 14);
  const requests = [];
  replace(t, globalThis, {
    fetch: async (address, { method, headers }) => {
      requests.push([method, String(address), headers.Authorization]);
      return new Response(JSON.stringify({ leaves: [feature("s:1")], next: null }));
    },
  });
  const page = await clusterLeaves(ORIGIN, "group:81", "c:12:u7", { token: "t", after: "a-1", limit: 5 });
  assert.equal(page.leaves.length, 1);
  assert.deepEqual(requests, [["GET", `${ORIGIN}/v1/clusters/group%3A81/c%3A12%3Au7/leaves?limit=5&after=a-1`, "Bearer t"]]);
});

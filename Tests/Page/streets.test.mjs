/** The street map: its tiles, widths, colours and names, and the worker that draws it. */
import assert from "node:assert/strict";
import test from "node:test";
import { PlayedClock, replace } from "./page.mjs";
import { contrast } from "./contrast.mjs";
import { dice } from "./dice.mjs";
import { readFileSync } from "node:fs";
import { encodeTile } from "./tile-writer.mjs";

const { decodeTile } = await import("/app/streets/mvt.js");
const { THEMES, roadColours, width } = await import("/app/streets/style.js");
const { chosenTheme } = await import("/app/streets/theme.js");
const { candidates, placeNames } = await import("/app/streets/labels.js");
const { Line, placeAlong } = await import("/app/streets/along.js");
const { Painter } = await import("/app/streets/painter.js");
const { streetDesign } = await import("./street-design.mjs");
const { isInParts, tileURL } = await import("/app/streets/source.js");

// The design, which share pictures have, too

test("share pictures have the design of the page's light theme", () => {
  const table = JSON.parse(readFileSync(new URL("../Fixtures/streets.json", import.meta.url), "utf8"));
  assert.deepEqual(streetDesign(), table);
});

// Tiles

test("a tile is decoded as it was encoded", () => {
  const square = [[0, 0], [100, 0], [100, 100], [0, 100]];
  const attributes = { kind: "primary", name: "Straße 8", bridge: true, tunnel: false, population: 1_234_567, height: 2.5, level: -3 };
  const layers = decodeTile(encodeTile([
    { name: "streets", features: [{ type: "line", attributes, parts: [[[-64, 10], [4160, 20], [7, 5]], [[1, 2], [3, 4]]] }] },
    { name: "buildings", features: [{ type: "area", parts: [square, square.toReversed()] }] },
    { name: "pois", extent: 512, features: [{ type: "point", parts: [[[128, 256]]] }] },
    // A tile of two imports has the layers of both.
    { name: "streets", features: [{ type: "line", attributes: { kind: "path" }, parts: [[[0, 0], [1, 1]]] }] },
  ]));
  assert.deepEqual([...layers.keys()], ["streets", "buildings", "pois"]);
  const [street, path] = layers.get("streets");
  assert.deepEqual(street.attributes, attributes);
  assert.deepEqual(street.parts, [
    { points: [-64, 10, 4160, 20, 7, 5], isClosed: false, left: -64, top: 5, right: 4160, bottom: 20 },
    { points: [1, 2, 3, 4], isClosed: false, left: 1, top: 2, right: 3, bottom: 4 },
  ]);
  assert.equal(path.attributes.kind, "path");
  assert.deepEqual(layers.get("buildings")[0].parts.map(({ isClosed, points }) => [isClosed, points.length]), [[true, 8], [true, 8]]);
  assert.deepEqual(layers.get("pois")[0].parts[0].points, [1024, 2048]);
});

const wrongTiles = [
  ["an unknown type of field", [0x1f, 0]],
  ["a layer that is longer than the tile", [0x1a, 200, 1]],
  ["a number without an end", [0x1a, 0x80]],
  ["a number of 11 bytes", [0x1a, ...new Array(10).fill(0x80), 1]],
  ["an extent of 0", [0x1a, 2, 0x28, 0]],
  ["an attribute that its layer does not have", [0x1a, 6, 0x12, 4, 0x12, 2, 0, 0]],
  ["a line without a start", [0x1a, 7, 0x12, 5, 0x22, 3, 0x0a, 2, 2]],
  ["fewer positions than counted", [0x1a, 6, 0x12, 4, 0x22, 2, 0xf9, 0x7f]],
];

for (const [what, bytes] of wrongTiles) {
  test(`a tile with ${what} is an error`, () => assert.throws(() => decodeTile(new Uint8Array(bytes).buffer), RangeError));
}

const measure = (font, text) => text.length * Number(font.match(/([\d.]+)px/)[1]) * 0.55;

/** A tile of a town: names along straight and bent streets, and points; the same for the same seed. */
function town(seed, { streets = 60, points = 60 } = {}) {
  const random = dice(seed);
  const any = (most) => Math.floor(random() * most);
  const line = () => {
    const made = [[any(4096), any(4096)]];
    let direction = random() * 2 * Math.PI;
    for (let step = 0; step < 12; step += 1) {
      direction += random() - 0.5;
      made.push([Math.round(made.at(-1)[0] + 250 * Math.cos(direction)), Math.round(made.at(-1)[1] + 250 * Math.sin(direction))]);
    }
    return made;
  };
  const kinds = ["primary", "secondary", "tertiary", "residential", "pedestrian"];
  return encodeTile([
    { name: "street_labels", features: Array.from({ length: streets }, (_, at) => ({ type: "line", attributes: { kind: kinds[at % 5], name: `Street ${any(40)}` }, parts: [line()] })) },
    { name: "place_labels", features: [{ type: "point", attributes: { kind: "suburb", name: "Old Town", population: 900 }, parts: [[[any(4096), any(4096)]]] }] },
    { name: "public_transport", features: [{ type: "point", attributes: { kind: "station", name: "Central" }, parts: [[[any(4096), any(4096)]]] }] },
    { name: "pois", features: Array.from({ length: points }, (_, at) => ({ type: "point", attributes: { amenity: "cafe", name: `Café of the ${at} friends` }, parts: [[[any(4096), any(4096)]]] })) },
  ]);
}

const WHOLE = { left: -1e9, top: -1e9, right: 1e9, bottom: 1e9 };

test("mutated tiles give features or an error, and names, in time", () => {
  const random = dice(11);
  const original = new Uint8Array(town(3, { streets: 6, points: 6 }));
  const outcomes = { features: 0, error: 0 };
  let slowest = 0;
  for (let round = 0; round < 3_000; round += 1) {
    const mutated = original.slice(0, random() < 0.2 ? Math.floor(random() * original.length) : original.length);
    for (let change = 0; change < 1 + random() * 8; change += 1) mutated[Math.floor(random() * mutated.length)] = Math.floor(random() * 256);
    const begun = performance.now();
    try {
      const layers = decodeTile(mutated.buffer);
      placeNames(candidates(layers, { x: 0, y: 0 }, 512, 18, WHOLE), measure, WHOLE);
      outcomes.features += 1;
    } catch (error) {
      assert.ok(error instanceof RangeError, error.stack);
      outcomes.error += 1;
    }
    slowest = Math.max(slowest, performance.now() - begun);
  }
  assert.ok(outcomes.features > 100 && outcomes.error > 100, JSON.stringify(outcomes));
  assert.ok(slowest < 500, `one took ${slowest} ms`);
});

// Style

test("the widths of lines", () => {
  for (const [kind, zoom, wanted] of [
    ["primary", 10, 0.7], ["primary", 12, 1.6], ["primary", 13, 2.4], ["primary", 14, 3.6], ["primary", 18, 24], ["primary", 19, 48],
    ["residential", 10, 0], ["residential", 10.5, 0], ["residential", 11, 0.3], ["residential", 16, 5.5], ["service", 12, 0], ["path", 15, 0.66],
    ["motorway", 9, 1.12], ["nothing", 16, 0], ["constructor", 16, 0],
  ]) assert.ok(Math.abs(width(kind, zoom) - wanted) < 0.01, `${kind} at ${zoom}: ${width(kind, zoom)}, not ${wanted}`);
});

test("no line becomes narrower on the way in", () => {
  for (const kind of ["motorway", "primary", "secondary", "tertiary", "residential", "service", "path", "rail", "river"]) {
    for (let zoom = 4; zoom < 19; zoom += 0.25) assert.ok(width(kind, zoom + 0.25) >= width(kind, zoom), `${kind} at ${zoom}`);
  }
});

test("edges begin at zoom 14, and one zoom earlier for the main roads", () => {
  const { light } = THEMES;
  assert.deepEqual(roadColours("residential", 13, light), { fill: light.streetEdge, edge: null });
  assert.deepEqual(roadColours("residential", 14, light), { fill: light.street, edge: light.streetEdge });
  assert.deepEqual(roadColours("primary", 12, light), { fill: light.major, edge: null });
  assert.deepEqual(roadColours("primary", 13, light), { fill: light.major, edge: light.majorEdge });
});

test("the reader's settings select the theme", () => {
  for (const [isDark, isStrong, wanted] of [[false, false, "light"], [true, false, "dark"], [false, true, "contrast"], [true, true, "contrastDark"]]) {
    assert.equal(chosenTheme(isDark, isStrong), wanted);
  }
});

// Names, and the grounds on which they usually stand: the outline of their letters, and what is around it.
const grounds = {
  text: ["halo", "street", "land", "built"], textMajor: ["halo", "major", "middle", "land", "built"], place: ["halo", "land", "built", "building"],
  poi: ["halo", "land", "built", "building"], nature: ["halo", "park", "grass"], transit: ["halo", "land", "built"],
};

for (const [name, theme] of Object.entries(THEMES)) {
  test(`names are readable in the theme ${name}`, () => {
    for (const [text, on] of Object.entries(grounds)) {
      for (const ground of on) {
        const ratio = contrast(theme[text], theme[ground]);
        assert.ok(ratio >= (name.startsWith("contrast") ? 7 : 4.5), `${text} on ${ground}: ${ratio.toFixed(2)}`);
      }
    }
  });
}

// Names

/** The names of a few tiles around the corner of the view, as they are placed at a zoom. */
function placed({ left, top }, { zoom = 18, seeds = [1, 2, 3, 4], before = [] } = {}) {
  const bounds = { left: left - 200, top: top - 200, right: left + 1000, bottom: top + 800 };
  const found = seeds.flatMap((seed, at) => candidates(decodeTile(town(seed)), { x: (at % 2) * 1024, y: Math.floor(at / 2) * 1024 }, 1024, zoom, bounds));
  return placeNames(found, measure, bounds, { before });
}

const touch = (one, other) => one[0] < other[2] && one[2] > other[0] && one[1] < other[3] && one[3] > other[1];

function disjoint(names) {
  names.forEach((one, at) => {
    for (const other of names.slice(at + 1)) {
      for (const box of one.boxes) assert.ok(!other.boxes.some((each) => touch(box, each)), `${one.text} and ${other.text}`);
      if (one.text === other.text && one.kind === "street") assert.ok(Math.hypot(one.middle.x - other.middle.x, one.middle.y - other.middle.y) >= 280, one.text);
    }
  });
}

test("no two names meet, and none comes again near itself", () => {
  const names = placed({ left: 300, top: 400 });
  assert.ok(names.length >= 30, `${names.length} names`);
  assert.deepEqual(new Set(names.map(({ kind }) => kind)), new Set(["stop", "street", "point"]));
  disjoint(names);
});

test("names stay where they are while one moves", () => {
  const inside = (name, { left, top }) => name.boxes.every((box) => box[0] > left && box[1] > top && box[2] < left + 800 && box[3] < top + 600);
  const identity = ({ text, middle }) => `${text} ${middle.x.toFixed(3)} ${middle.y.toFixed(3)}`;
  let [kept, fresh] = [0, 0];
  let before = { left: 100, top: 100 };
  let old = placed(before);
  for (let step = 0; step < 12; step += 1) {
    const after = { left: before.left + 50, top: before.top + 30 };
    const names = placed(after, { before: old });
    const now = new Set(names.map(identity));
    for (const name of old.filter((each) => inside(each, before) && inside(each, after))) {
      assert.ok(now.has(identity(name)), `step ${step}: ${name.text} is gone`);
      kept += 1;
    }
    fresh += names.length - names.filter((name) => old.includes(name)).length;
    disjoint(names);
    [before, old] = [after, names];
  }
  assert.ok(kept > 200 && fresh > 20, `${kept} kept, ${fresh} new`);
  assert.deepEqual(placed(before, { before: old }).map(identity).sort(), old.map(identity).sort(), "the same once more");
});

test("of two names for one place the more important one is drawn", () => {
  const names = (first, second) => {
    const point = ({ layer, ...attributes }) => ({ name: layer, features: [{ type: "point", attributes, parts: [[[2000, 2000]]] }] });
    return placeNames(candidates(decodeTile(encodeTile([point(first), point(second)])), { x: 0, y: 0 }, 512, 16, WHOLE), measure, WHOLE).map(({ text }) => text);
  };
  const town = { layer: "place_labels", kind: "quarter", name: "Old Town" };
  const station = { layer: "public_transport", kind: "station", name: "Central" };
  const museum = { layer: "pois", tourism: "museum", name: "Museum" };
  assert.deepEqual(names(station, town), ["Old Town"]);
  assert.deepEqual(names(museum, station), ["Central"]);
});

test("points in the border of a tile are left to its neighbour", () => {
  const tile = encodeTile([{ name: "pois", features: [[-3, 5], [4096, 5], [0, 5]].map((at, number) => ({ type: "point", attributes: { amenity: "cafe", name: `Café ${number}` }, parts: [[at]] })) }]);
  assert.deepEqual(candidates(decodeTile(tile), { x: 0, y: 0 }, 512, 18, WHOLE).map(({ text }) => text), ["Café 2"]);
});

test("text on a line is upright, and follows only gentle bends", () => {
  const along = (points, text = "Long Street") => placeAlong(new Line({ points }, { x: 0, y: 0 }, 1), text, 11, 100, (words) => words.length * 6);
  const straight = along([200, 0, 0, 0]);
  assert.equal(straight.pieces.length, 1);
  assert.ok(Math.cos(straight.pieces[0].angle) > 0.99, "written from left to right on a line from right to left");
  assert.equal(along([0, 0, 40, 0]), null, "too short");
  const bent = along([0, 0, 60, 4, 100, 16, 140, 36, 180, 64, 240, 110]);
  assert.equal(bent.pieces.map(({ text }) => text).join(""), "Long Street");
  assert.ok(bent.pieces.every(({ x }, at) => at === 0 || x > bent.pieces[at - 1].x));
  const back = along([240, 110, 180, 64, 140, 36, 100, 16, 60, 4, 0, 0]);
  assert.equal(back.pieces.toReversed().map(({ text }) => text).join(""), "Long Street", "the last letter stands first on the line");
  assert.equal(along([0, 0, 100, 0, 100, 100]), null, "a corner");
  assert.equal(along([0, 0, 60, 4, 100, 16, 140, 36, 180, 64, 240, 110], "شارع طويل هنا"), null, "joined letters do not bend");
});

// Where tiles come from

test("addresses of tiles, and which of them the map has", (t) => {
  replace(t, globalThis, { location: { href: "http://played.example/" } });
  const map = { tiles: ["/v1/map/v7/{z}/{x}/{y}.mvt"], version: "v7", parts: [{ name: "monaco", bounds: [7.4, 43.7, 7.45, 43.76] }] };
  assert.equal(tileURL(map, 14, 8530, 5973), "http://played.example/v1/map/v7/14/8530/5973.mvt");
  assert.equal(tileURL(map, 2, -1, 1), "http://played.example/v1/map/v7/2/3/1.mvt");
  for (const [zoom, x, y, wanted] of [[0, 0, 0, true], [1, 1, 0, true], [1, -1, 0, true], [1, 0, 0, false], [14, 8530, 5973, true], [14, 8540, 5973, false], [14, 8530, 5900, false]]) {
    assert.equal(isInParts(map, zoom, x, y), wanted, `${zoom}/${x}/${y}`);
  }
});

// The worker

/** A worker that answers only when the test wants it to. */
class PlayedWorker extends EventTarget {
  static all = [];
  received = [];
  isTerminated = false;

  constructor() {
    super();
    PlayedWorker.all.push(this);
  }

  postMessage(message) {
    this.received.push(message);
  }

  terminate() {
    this.isTerminated = true;
  }

  say(data) {
    this.dispatchEvent(Object.assign(new Event("message"), { data }));
  }
}

function playPainter(t) {
  const clock = new PlayedClock(t);
  PlayedWorker.all = [];
  replace(t, globalThis, { Worker: PlayedWorker, OffscreenCanvas: class {} });
  const painter = new Painter();
  t.after(() => painter.close());
  return { clock, painter, workers: PlayedWorker.all };
}

const pictures = (worker) => worker.received.filter(({ kind }) => kind === "picture").map(({ side }) => side);

test("a worker that is silent for five seconds is replaced once, and draws what was asked for", async (t) => {
  const { clock, painter, workers } = playPainter(t);
  const { answer } = painter.request("picture", { side: 1 });
  await clock.run(4_900);
  assert.equal(workers.length, 1);
  await clock.run(200);
  assert.equal(workers.length, 2);
  assert.ok(workers[0].isTerminated);
  assert.deepEqual(pictures(workers[1]), [1]);
  await clock.run(60_000);
  assert.equal(workers.length, 2, "its successor is given all the time it needs");
  workers[1].say({ id: workers[1].received[0].id, bitmap: "drawn" });
  assert.deepEqual(await answer, { bitmap: "drawn" });
});

test("a worker that loads for long, but answers, is kept", async (t) => {
  const { clock, painter, workers } = playPainter(t);
  painter.request("picture", { side: 1 });
  for (let round = 0; round < 5; round += 1) {
    workers[0].say({ kind: "pong" });
    await clock.run(5_000);
  }
  assert.equal(workers.length, 1);
});

test("a request that is cancelled is never answered", async (t) => {
  const { painter, workers } = playPainter(t);
  let answered = 0;
  const { answer, cancel } = painter.request("picture", { side: 1 });
  answer.then(() => (answered += 1));
  cancel();
  const closed = [];
  workers[0].say({ id: 1, bitmap: { close: () => closed.push(1) } });
  await Promise.resolve();
  assert.deepEqual([answered, closed.length], [0, 1]);
  assert.deepEqual(workers[0].received.at(-1), { kind: "cancel", id: 1 });
});

test("without its script the worker is opened again with the next request", async (t) => {
  const { painter, workers } = playPainter(t);
  const { answer } = painter.request("picture", { side: 1 });
  workers[0].dispatchEvent(new Event("error"));
  assert.equal(workers.length, 2);
  workers[1].dispatchEvent(new Event("error"));
  await assert.rejects(answer, /could not be loaded/);
  painter.request("picture", { side: 2 });
  assert.deepEqual(pictures(workers[2]), [2]);
});

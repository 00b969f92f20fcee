// Builds supercluster's index of the points of `muster bench tiles` and reads its tiles: what that costs, as one JSON object.
//
//   npm install --prefix FOLDER supercluster@8
//   muster bench tiles --beside 'node --expose-gc scripts/supercluster.mjs FOLDER'
//
// Standard input: each point as two little-endian doubles, longitude and latitude in degrees. Times are processor time of the
// whole process, in milliseconds; read_zN is tiles a second of zoom N, each tile in which there are points once, and read_all_ms
// what all of them take together.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const DEEPEST = 12;

const folder = process.argv[2];
if (folder === undefined) {
  console.error("supercluster: name the folder whose node_modules has supercluster");
  process.exit(2);
}
const found = createRequire(resolve(folder, "package.json")).resolve("supercluster");
const { default: Supercluster } = await import(pathToFileURL(found));

// What this script has left behind is not collected on supercluster's time.
function milliseconds(work) {
  globalThis.gc?.();
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

function tile(lon, lat, zoom) {
  const sine = Math.sin((lat * Math.PI) / 180);
  const side = 2 ** zoom;
  const clamp = (value) => Math.min(side - 1, Math.max(0, Math.floor(value * side)));
  return clamp((lon + 180) / 360) * side + clamp(0.5 - Math.log((1 + sine) / (1 - sine)) / 4 / Math.PI);
}

const bytes = readFileSync(0);
const points = [];
for (let at = 0; at + 16 <= bytes.length; at += 16) {
  points.push({
    type: "Feature",
    properties: null,
    geometry: { type: "Point", coordinates: [bytes.readDoubleLE(at), bytes.readDoubleLE(at + 8)] },
  });
}

// The distance between clusters of Muster's rule: 40/512 of a tile.
const build = () => new Supercluster({ radius: 40, extent: 512, maxZoom: 16 }).load(points);
let index;
const figures = { points: points.length, load_ms: milliseconds(() => (index = build())) };
// The compiler of the language knows the code by now; the better of two counts.
figures.rebuild_ms = Math.min(milliseconds(() => (index = build())), milliseconds(() => (index = build())));
let all = 0;
for (let zoom = 0; zoom <= DEEPEST; zoom += 1) {
  const tiles = [...new Set(points.map(({ geometry }) => tile(...geometry.coordinates, zoom)))].sort((a, b) => a - b);
  const spent = milliseconds(() => {
    for (const place of tiles) index.getTile(zoom, Math.floor(place / 2 ** zoom), place % 2 ** zoom);
  });
  all += spent;
  if (spent > 0) figures[`read_z${zoom}`] = (tiles.length / spent) * 1000;
}
figures.read_all_ms = all;
figures.resident_mb = process.memoryUsage().rss / 1e6;
console.log(JSON.stringify(figures));

/**
 * The design of the street map: colours by theme, widths by zoom, and the zooms and sizes of names.
 *
 * All zooms are Leaflet's: tiles of zoom 14 are shown at zoom 15. All sizes are CSS pixels. Tables that are searched by
 * the words of a tile have no prototype, so that no word finds a method.
 */

import { GROUND, THEME_NAMES } from "./theme.js";

/** The colours of all themes, in the order of `THEME_NAMES`. */
const COLOURS = {
  ...GROUND,

  // Areas.
  built: ["#efece4", "#1e2731", "#ffffff", "#000000"],
  industrial: ["#ebe8e1", "#1f2730", "#f4f4f4", "#0d0d0d"],
  farmland: ["#f2f0e2", "#1e2a2c", "#ffffff", "#000000"],
  campus: ["#f0ebe3", "#222a34", "#f4f4f4", "#0d0d0d"],
  park: ["#d9ead0", "#1d3129", "#cdeac0", "#0c2e10"],
  forest: ["#cfe3c6", "#1a2d26", "#bfe0b0", "#0a260d"],
  grass: ["#e2eed8", "#1f2f2a", "#def2d3", "#081f0a"],
  pitch: ["#cbe3c4", "#22382e", "#bfe0b0", "#0f3a14"],
  cemetery: ["#dbe6d4", "#202e2a", "#dceccf", "#102010"],
  beach: ["#f3ebd0", "#292b2a", "#fff3c4", "#2b2400"],
  rock: ["#e6e3dc", "#242b33", "#ececec", "#161616"],
  glacier: ["#eef5f8", "#26323c", "#eef8ff", "#0b1c26"],
  wetland: ["#dbe8dc", "#1b2d2d", "#d4ecdc", "#06211c"],

  // Buildings, squares, piers.
  building: ["#e5e0d6", "#25303b", "#d9d9d9", "#242424"],
  buildingEdge: ["#d6d0c3", "#2d3945", "#5f5f5f", "#9a9a9a"],
  square: ["#f8f7f3", "#27323d", "#f4f4f4", "#141414"],
  pier: ["#efece4", "#222c36", "#ececec", "#141414"],

  // Streets and their edges, borders of countries.
  street: ["#ffffff", "#36434f", "#ffffff", "#303030"],
  streetEdge: ["#d9d4c8", "#161d25", "#4a4a4a", "#d0d0d0"],
  middle: ["#fffaea", "#3d4a56", "#fff3c9", "#4a4100"],
  middleEdge: ["#dccfae", "#161d25", "#3a3000", "#ffe28a"],
  major: ["#fcecc0", "#4a5763", "#ffe28a", "#5e4e00"],
  majorEdge: ["#dfcb94", "#161d25", "#3a3000", "#ffe28a"],
  motorway: ["#f9dc9c", "#57626a", "#ffc04d", "#6e4300"],
  motorwayEdge: ["#ddb968", "#161d25", "#3a2600", "#ffc04d"],
  path: ["#c9b99c", "#46525c", "#7a4a00", "#ffcf8a"],
  border: ["#a99fb5", "#5d5a72", "#5b2d82", "#d5b3ff"],

  // Names, the dots of points, and the outline of letters.
  text: ["#565c66", "#aab4c0", "#000000", "#ffffff"],
  textMajor: ["#474d57", "#dde3ea", "#000000", "#ffffff"],
  place: ["#2b323c", "#e3e8ee", "#000000", "#ffffff"],
  poi: ["#6a5a48", "#b5a894", "#4a2c00", "#ffd9a8"],
  poiDot: ["#a48e72", "#8c7f6d", "#4a2c00", "#ffd9a8"],
  nature: ["#3c6b3b", "#86b48c", "#004d0b", "#a6f0ae"],
  transit: ["#2f5f9e", "#86b1e6", "#003a8c", "#a8d1ff"],
  halo: ["#ffffff", "#161d25", "#ffffff", "#000000"],
};

/** The width of the outline of letters, in the order of `THEME_NAMES`. */
const HALO_WIDTHS = [3, 3, 4, 4];

/** The themes: objects with a colour for each name in `COLOURS`, and `haloWidth`. */
export const THEMES = Object.fromEntries(THEME_NAMES.map((name, index) => [name, {
  ...Object.fromEntries(Object.entries(COLOURS).map(([part, colours]) => [part, colours[index]])),
  haloWidth: HALO_WIDTHS[index],
}]));

/** The zooms for which `WIDTHS` has values. */
const WIDTH_ZOOMS = [10, 12, 14, 16, 18];

/** The widths of lines at `WIDTH_ZOOMS`; 0: not drawn. */
const WIDTHS = {
  __proto__: null,
  motorway: [1.4, 2.4, 4.4, 9, 24],
  trunk: [1, 2, 4, 9, 24],
  primary: [0.7, 1.6, 3.6, 9, 24],
  secondary: [0, 1.1, 2.8, 8, 22],
  tertiary: [0, 0.8, 2.2, 7, 20],
  residential: [0, 0.5, 1.3, 5.5, 17],
  living_street: [0, 0.4, 1.1, 5, 15],
  pedestrian: [0, 0.4, 1.1, 4.5, 13],
  service: [0, 0, 0.5, 2.4, 8],
  track: [0, 0, 0.5, 1.3, 2.6],
  path: [0, 0, 0.4, 1.1, 2.2],
  rail: [0.4, 0.6, 0.8, 1.3, 2.4],
  river: [0.8, 1.2, 2, 4, 9],
  stream: [0, 0, 0.8, 1.4, 3],
};

/** The factor between the widths of neighbouring zooms below the first of `WIDTH_ZOOMS`. */
const SHRINKING = 0.8;

/**
 * The width of a line.
 *
 * Widths grow geometrically between two zooms. From a width of 0, a line appears halfway, with 0.6 of the next width.
 */
export function width(kind, zoom) {
  const widths = WIDTHS[kind];
  if (!widths) return 0;
  const last = WIDTH_ZOOMS.length - 1;
  if (zoom <= WIDTH_ZOOMS[0]) return widths[0] * SHRINKING ** (WIDTH_ZOOMS[0] - zoom);
  if (zoom >= WIDTH_ZOOMS[last]) return widths[last] * 2 ** (zoom - WIDTH_ZOOMS[last]);
  const above = WIDTH_ZOOMS.findIndex((each) => each > zoom);
  const [low, high] = [widths[above - 1], widths[above]];
  const share = (zoom - WIDTH_ZOOMS[above - 1]) / (WIDTH_ZOOMS[above] - WIDTH_ZOOMS[above - 1]);
  if (low === 0) return share < 0.5 ? 0 : high * 0.6;
  return low * (high / low) ** share;
}

/** The kinds of roads with edges, from the lowest to the highest in the drawing. */
export const ROADS = ["service", "pedestrian", "living_street", "residential", "tertiary", "secondary", "primary", "trunk", "motorway"];

/** The kinds that are drawn as another kind. */
const SAME = {
  __proto__: null,
  unclassified: "residential", road: "residential", busway: "service",
  footway: "path", cycleway: "path", bridleway: "path", steps: "path",
  canal: "river", ditch: "stream", drain: "stream",
};

/** The kind whose width, colours and names a kind has. */
export function drawnKind(kind) {
  return SAME[kind] ?? kind;
}

/** The colours of roads that differ from those of a street, as names in a theme. */
const ROAD_COLOURS = {
  __proto__: null,
  motorway: ["motorway", "motorwayEdge"], trunk: ["major", "majorEdge"], primary: ["major", "majorEdge"], secondary: ["middle", "middleEdge"],
};

/** The zoom from which on streets have their own colour; below it their edge's colour is easier to see. */
const COLOURED = 14;

/** The zoom from which on streets have edges, and the kinds whose edges begin one zoom earlier. */
const EDGED = 14;
const EDGED_EARLIER = new Set(["primary", "trunk", "motorway"]);

/** The colours of a road: `fill`, and `edge`, null where it has none. */
export function roadColours(kind, zoom, theme) {
  const [fill, edge] = ROAD_COLOURS[kind] ?? ["street", "streetEdge"];
  const isEarly = EDGED_EARLIER.has(kind);
  return {
    fill: zoom < COLOURED && !isEarly ? theme.streetEdge : theme[fill],
    edge: zoom >= (isEarly ? EDGED - 1 : EDGED) ? theme[edge] : null,
  };
}

/** The width of a road's edge on either side. */
export function edgeWidth(zoom) {
  return Math.min(1.2, Math.max(0.5, 0.5 + (zoom - 13) * 0.2));
}

/** The areas in the order of their drawing: the kind in a tile, and its colour in a theme. */
export const AREAS = [
  ["residential", "built"], ["commercial", "built"], ["retail", "built"], ["industrial", "industrial"], ["farmland", "farmland"], ["campus", "campus"],
  ["grass", "grass"], ["forest", "forest"], ["park", "park"], ["cemetery", "cemetery"], ["wetland", "wetland"], ["beach", "beach"], ["rock", "rock"],
  ["glacier", "glacier"], ["pitch", "pitch"],
];

/**
 * The names of streets: the zoom of the first, the size, and the rank.
 *
 * The higher rank wins: places have 100 and less, stations 80, points of interest 40 and less.
 */
export const STREET_NAMES = {
  __proto__: null,
  motorway: { from: 13, size: 11.5, rank: 72 },
  trunk: { from: 13, size: 11.5, rank: 70 },
  primary: { from: 14, size: 11.5, rank: 68 },
  secondary: { from: 14.5, size: 11.5, rank: 64 },
  tertiary: { from: 15, size: 11, rank: 56 },
  residential: { from: 16, size: 11, rank: 52 },
  living_street: { from: 16, size: 11, rank: 51 },
  pedestrian: { from: 16, size: 11, rank: 53 },
  service: { from: 17.5, size: 10.5, rank: 20 },
  track: { from: 17.5, size: 10, rank: 12 },
  path: { from: 17.5, size: 10, rank: 10 },
};

/** The rank from which on a street is a main street. */
export const MAIN_STREET = 64;

/** The names of places: the zoom of the first, the size, the zoom of the last, and the rank. */
export const PLACE_NAMES = {
  __proto__: null,
  city: { from: 3, size: 16, to: 14, rank: 100 },
  town: { from: 7, size: 14, to: 14.9, rank: 98 },
  suburb: { from: 11.5, size: 13, to: 16.4, rank: 96 },
  quarter: { from: 13, size: 12, to: 16.9, rank: 94 },
  village: { from: 11, size: 13, to: 16.4, rank: 92 },
  island: { from: 12, size: 12, to: 16.9, rank: 90 },
  hamlet: { from: 13, size: 11.5, to: 17.9, rank: 88 },
  neighbourhood: { from: 14, size: 11.5, to: 17.4, rank: 86 },
};

/** The names of stops of public transport: the zoom of the first, the size, and the rank. */
export const STOP_NAMES = {
  __proto__: null,
  station: { from: 13.5, size: 11.5, rank: 80 },
  halt: { from: 14.5, size: 11, rank: 79 },
  tram_stop: { from: 17, size: 10.5, rank: 18 },
  bus_stop: { from: 17.5, size: 10.5, rank: 17 },
};

/** The zooms of the first name of points of interest; others begin at `POI_ZOOM`. */
const POI_ZOOMS = {
  __proto__: null,
  museum: 15.5, attraction: 15.5, theatre: 16, university: 16, hospital: 15.5, stadium: 15.5, mall: 16, zoo: 15, townhall: 16,
  cinema: 16.5, library: 16.5, park: 15, garden: 16, marketplace: 16, place_of_worship: 16.5, department_store: 16, supermarket: 17,
};
const POI_ZOOM = 17.5;

const NATURE = new Set(["park", "garden", "playground", "zoo"]);

/** The name of a point of interest: the zoom of the first, the size, the rank, and whether it is a park or similar. */
export function pointName(kind) {
  const from = POI_ZOOMS[kind] ?? POI_ZOOM;
  const isNature = NATURE.has(kind);
  return { from, size: 11, rank: (isNature ? 48 : 40) - (from - 15) * 4, isNature };
}

/** The fonts of all names. */
export const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif';

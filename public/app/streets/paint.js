import { AREAS, ROADS, drawnKind, edgeWidth, roadColours, width } from "./style.js";

/** The distance in CSS pixels around the picture within which parts of a tile are drawn: more than half of any line's width. */
const MARGIN = 24;

/** The zooms from which on buildings, their edges, and paths are drawn. */
const BUILDINGS = 14.5;
const BUILDING_EDGES = 16;
const PATHS = 15;

/** The zoom from which on rails have sleepers. */
const SLEEPERS = 15.5;

/** The levels of streets in the order of their drawing. */
const LEVELS = ["tunnel", "ground", "bridge"];

/** The opacity of tunnels. */
const TUNNEL = 0.35;

/** The dashes of lines, in multiples of their width. */
const PATH_DASHES = [2.2, 1.6];
const TRACK_DASHES = [4, 1.5];
const SLEEPER_DASHES = [0.8, 5];

/** The dashes of borders, in pixels. */
const BORDER_DASHES = [6, 3, 2, 3];

/**
 * Draws a decoded tile: areas, water, squares, buildings, then tunnels, streets on the ground and bridges. Edges of one
 * level come before all of its fills, so that streets join.
 * @param {CanvasRenderingContext2D|OffscreenCanvasRenderingContext2D} context scaled to CSS pixels
 * @param {Map} layers of `decodeTile`
 * @param {{scale: number, left: number, top: number, side: number, zoom: number}} view a square of the tile, with the
 *   corner `left`, `top` in CSS pixels from the tile's corner; `scale` is the size of a tile's unit in CSS pixels
 * @param {object} theme of `THEMES`
 */
export function paintTile(context, layers, view, theme) {
  const pen = new Pen(context, view);
  const { zoom } = view;
  context.lineJoin = "round";
  context.lineCap = "butt";
  const areas = [...features(layers, "land"), ...features(layers, "sites")];
  for (const [kind, colour] of AREAS) pen.fill(areas.filter(({ attributes }) => attributes.kind === kind), theme[colour]);
  pen.fill(features(layers, "ocean"), theme.water);
  pen.fill(features(layers, "water_polygons"), theme.water);
  const waterLines = byKind(features(layers, "water_lines").filter(({ attributes }) => !attributes.tunnel));
  for (const [kind, lines] of waterLines) pen.stroke(lines, theme.water, width(kind, zoom));
  pen.fill(features(layers, "pier_polygons"), theme.pier);
  pen.fill(features(layers, "street_polygons"), theme.square);
  if (zoom >= BUILDINGS) {
    pen.fill(features(layers, "buildings"), theme.building);
    if (zoom >= BUILDING_EDGES) pen.stroke(features(layers, "buildings"), theme.buildingEdge, zoom >= 17 ? 1 : 0.6);
  }
  paintStreets(pen, context, features(layers, "streets"), zoom, theme);
  pen.stroke(features(layers, "boundaries"), theme.border, 1, BORDER_DASHES);
}

function paintStreets(pen, context, streets, zoom, theme) {
  for (const level of LEVELS) {
    const kinds = byKind(streets.filter((street) => levelOf(street) === level));
    if (kinds.size === 0) continue;
    context.globalAlpha = level === "tunnel" ? TUNNEL : 1;
    context.lineCap = "butt";
    if (zoom >= PATHS) {
      for (const [kind, dashes] of [["path", PATH_DASHES], ["track", TRACK_DASHES]]) {
        const wide = width(kind, zoom);
        pen.stroke(kinds.get(kind), theme.path, wide, dashes.map((each) => each * wide));
      }
    }
    // A round cap of an edge would show beyond a bridge's ends.
    if (level === "ground") context.lineCap = "round";
    const roads = ROADS.filter((kind) => kinds.has(kind)).map((kind) => ({ lines: kinds.get(kind), wide: width(kind, zoom), ...roadColours(kind, zoom, theme) }));
    if (level !== "tunnel") {
      for (const { lines, wide, edge } of roads) if (edge !== null && wide > 1.2) pen.stroke(lines, edge, wide + 2 * edgeWidth(zoom));
    }
    context.lineCap = "round";
    for (const { lines, wide, fill } of roads) pen.stroke(lines, fill, wide);
    context.lineCap = "butt";
    paintRails(pen, kinds, zoom, theme);
  }
  context.globalAlpha = 1;
}

function paintRails(pen, kinds, zoom, theme) {
  const wide = width("rail", zoom);
  pen.stroke(kinds.get("tram"), theme.rail, wide * 0.6);
  pen.stroke(kinds.get("rail"), theme.rail, wide);
  if (zoom >= SLEEPERS) pen.stroke(kinds.get("rail"), theme.rail, wide * 3, SLEEPER_DASHES.map((each) => each * wide));
}

function features(layers, name) {
  return layers.get(name) ?? [];
}

function levelOf({ attributes }) {
  return attributes.tunnel ? "tunnel" : attributes.bridge ? "bridge" : "ground";
}

/** Features by the kind that they are drawn as. */
function byKind(lines) {
  const kinds = new Map();
  for (const line of lines) {
    const { kind, rail } = line.attributes;
    const drawn = rail ? (kind === "tram" ? "tram" : "rail") : drawnKind(kind);
    const known = kinds.get(drawn);
    if (known) known.push(line);
    else kinds.set(drawn, [line]);
  }
  return kinds;
}

/** Fills and strokes the parts of features that are in the view, all of one call as one path. */
class Pen {
  #context;
  #view;

  constructor(context, view) {
    this.#context = context;
    this.#view = view;
  }

  /** The holes of an area wind the other way, so areas that overlap have none. */
  fill(areas, colour) {
    if (!this.#trace(areas)) return;
    this.#context.fillStyle = colour;
    this.#context.fill("nonzero");
  }

  stroke(lines, colour, wide, dashes = []) {
    if (!(wide > 0) || !this.#trace(lines)) return;
    this.#context.strokeStyle = colour;
    this.#context.lineWidth = wide;
    this.#context.setLineDash(dashes);
    this.#context.stroke();
  }

  #trace(drawn = []) {
    const { scale, left, top } = this.#view;
    const context = this.#context;
    context.beginPath();
    let isEmpty = true;
    for (const { parts } of drawn) {
      for (const part of parts) {
        if (!this.#isSeen(part)) continue;
        isEmpty = false;
        const { points } = part;
        context.moveTo(points[0] * scale - left, points[1] * scale - top);
        for (let at = 2; at < points.length; at += 2) context.lineTo(points[at] * scale - left, points[at + 1] * scale - top);
        if (part.isClosed) context.closePath();
      }
    }
    return !isEmpty;
  }

  #isSeen(part) {
    const { scale, left, top, side } = this.#view;
    return part.right * scale > left - MARGIN && part.left * scale < left + side + MARGIN
      && part.bottom * scale > top - MARGIN && part.top * scale < top + side + MARGIN;
  }
}

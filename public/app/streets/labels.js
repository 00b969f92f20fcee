import { Line, placeAlong } from "./along.js";
import { Boxes, meets } from "./boxes.js";
import { EXTENT } from "./mvt.js";
import { FONT, MAIN_STREET, PLACE_NAMES, STOP_NAMES, STREET_NAMES, drawnKind, pointName } from "./style.js";

/** A long street has its name once in this many pixels, but a line not more often than `MOST_REPEATS`. */
const SPACING = 340;
const MOST_REPEATS = 64;

/** The shifts of a street's name from its place that are tried, in multiples of `SPACING`. */
const SHIFTS = [0, -0.3, 0.3];

/** The distances in pixels within which a name is not drawn again. */
const APART = { place: 400, street: 280, point: 160 };

/** The widths in pixels at which names of places and of points break into lines, and the most lines. */
const LINE_WIDTH = { place: 140, point: 96 };
const MOST_LINES = 3;
const LINE_HEIGHT = 1.18;

/** The spaces around a text, and the half side of a point's dot, in pixels. */
const SPACE = { x: 4, y: 3 };
const DOT = 5;

/**
 * The names that may be drawn of a tile at a zoom, as `{kind, text, size, rank, x, y}`; those of streets have `line` and
 * `distance` instead of a position. All positions are pixels of the world, and none depends on the view: `bounds` only
 * leaves out streets that are wholly outside.
 * @param {Map} layers of `decodeTile`
 * @param {{x: number, y: number}} origin the tile's corner in pixels of the world
 * @param {number} side the tile's side in pixels
 * @param {number} zoom Leaflet's
 * @param {{left: number, top: number, right: number, bottom: number}} bounds in pixels of the world
 */
export function candidates(layers, origin, side, zoom, bounds) {
  const scale = side / EXTENT;
  return [
    ...points(layers, "place_labels", origin, scale, ({ kind, population }) => placeName(kind, population, zoom)),
    ...points(layers, "public_transport", origin, scale, ({ kind }) => shownFrom(STOP_NAMES[kind], zoom, "stop")),
    ...points(layers, "pois", origin, scale, (attributes) => pointOfInterest(attributes, zoom)),
    ...streetNames(layers, origin, scale, zoom, bounds),
  ];
}

function placeName(kind, population, zoom) {
  const rule = shownFrom(PLACE_NAMES[kind], zoom, "place");
  if (rule === null || zoom > rule.to) return null;
  // Of two places of one kind the larger wins.
  return { ...rule, rank: rule.rank + (population > 0 ? Math.min(1.9, Math.log10(population) / 5) : 0) };
}

function pointOfInterest({ tourism, shop, amenity, leisure }, zoom) {
  const rule = pointName(tourism ?? shop ?? amenity ?? leisure);
  return shownFrom(rule, zoom, rule.isNature ? "nature" : "point");
}

function shownFrom(rule, zoom, kind) {
  return rule && zoom >= rule.from ? { ...rule, kind } : null;
}

function points(layers, name, origin, scale, ruleOf) {
  const made = [];
  for (const { attributes, parts } of layers.get(name) ?? []) {
    const rule = isName(attributes.name) ? ruleOf(attributes) : null;
    if (rule === null) continue;
    for (const { points: [x, y] } of parts) {
      // The border around a tile belongs to its neighbours.
      if (x < 0 || y < 0 || x >= EXTENT || y >= EXTENT) continue;
      made.push({ kind: rule.kind, text: attributes.name, size: rule.size, rank: rule.rank, x: origin.x + x * scale, y: origin.y + y * scale });
    }
  }
  return made;
}

function streetNames(layers, origin, scale, zoom, bounds) {
  const made = [];
  for (const { attributes: { kind, name }, parts } of layers.get("street_labels") ?? []) {
    const rule = STREET_NAMES[drawnKind(kind)];
    if (!rule || zoom < rule.from || !isName(name)) continue;
    const size = rule.size + (zoom >= 17 ? 1 : 0);
    // No letter is narrower on average.
    const least = name.length * size * 0.35;
    for (const part of parts) {
      const box = [origin.x + part.left * scale, origin.y + part.top * scale, origin.x + part.right * scale, origin.y + part.bottom * scale];
      if (!meets(widened(box, size), bounds)) continue;
      if (Math.hypot(part.right - part.left, part.bottom - part.top) * scale < least * 0.7) continue;
      const line = new Line(part, origin, scale);
      if (line.length < least) continue;
      const count = Math.min(MOST_REPEATS, Math.max(1, Math.floor(line.length / SPACING)));
      for (let at = 0; at < count; at += 1) {
        // Of two streets of one kind the longer wins.
        const rank = rule.rank + Math.min(line.length, 999) / 1000;
        made.push({ kind: "street", isMain: rule.rank >= MAIN_STREET, text: name, size, rank, line, distance: ((at + 0.5) * line.length) / count });
      }
    }
  }
  return made;
}

function isName(name) {
  return typeof name === "string" && name.length > 0 && name.length < 200;
}

/**
 * Places names so that no two boxes meet: those of the highest rank first, and none again near itself.
 *
 * Names wholly outside of `bounds` are left out. A placed name is its candidate with `boxes`, as `[left, top, right,
 * bottom]`, `font`, and what `drawNames` needs. Names that are already placed at this zoom stay, so that none goes or
 * moves while the map is moved.
 * @param {object[]} found `candidates` of all tiles in the bounds
 * @param {(font: string, text: string) => number} measure the width of a text
 * @param {{left: number, top: number, right: number, bottom: number}} bounds in pixels of the world
 * @param {{textScale?: number, before?: object[]}} options the reader's text size as a multiple of the usual one, and
 *   the names that are already placed
 */
export function placeNames(found, measure, bounds, { textScale = 1, before = [] } = {}) {
  const taken = new Boxes();
  const drawn = new Map();
  const placed = [];
  const place = (name) => {
    for (const box of name.boxes) taken.add(box);
    drawn.set(name.text, [...(drawn.get(name.text) ?? []), name.middle]);
    placed.push(name);
  };
  for (const name of before) if (name.boxes.some((box) => meets(box, bounds))) place(name);
  for (const candidate of found.map((each) => ({ ...each, size: each.size * textScale })).sort(byRank)) {
    for (const name of candidate.kind === "street" ? alongStreet(candidate, measure) : aroundPoint(candidate, measure)) {
      if (!name.boxes.some((box) => meets(box, bounds))) continue;
      const { x, y } = name.middle;
      const same = drawn.get(name.text) ?? [];
      if (same.some((other) => Math.hypot(other.x - x, other.y - y) < (APART[name.kind] ?? APART.point))) continue;
      if (name.boxes.some((box) => taken.meets(box))) continue;
      place(name);
      break;
    }
  }
  return placed;
}

function byRank(one, other) {
  return other.rank - one.rank || compare(one.text, other.text) || compare(one.x ?? one.distance, other.x ?? other.distance) || compare(one.y ?? 0, other.y ?? 0);
}

function compare(one, other) {
  return one < other ? -1 : one > other ? 1 : 0;
}

function widened([left, top, right, bottom], by) {
  return [left - by, top - by, right + by, bottom + by];
}

function* alongStreet(candidate, measure) {
  const font = `${candidate.isMain ? 600 : 500} ${candidate.size}px ${FONT}`;
  for (const shift of SHIFTS) {
    const name = placeAlong(candidate.line, candidate.text, candidate.size, candidate.distance + shift * SPACING, (text) => measure(font, text));
    if (name !== null) yield { ...candidate, font, ...name };
  }
}

/** A place's name stands on it; that of a point below, above, right or left of its dot. */
function* aroundPoint(candidate, measure) {
  const { kind, text, size, x, y } = candidate;
  const isPlace = kind === "place";
  const font = `${isPlace || kind === "stop" ? 600 : 500} ${size}px ${FONT}`;
  const lines = broken(text, isPlace ? LINE_WIDTH.place : LINE_WIDTH.point, (line) => measure(font, line));
  if (lines.length > MOST_LINES) return;
  const wide = Math.max(...lines.map((line) => measure(font, line)));
  const tall = lines.length * size * LINE_HEIGHT;
  const hasDot = kind === "point" || kind === "stop";
  const [across, down] = [DOT + SPACE.x + wide / 2, DOT + SPACE.y + tall / 2];
  const middles = hasDot ? [[x, y + down], [x, y - down], [x + across, y], [x - across, y]] : [[x, y]];
  for (const [cx, cy] of middles) {
    const boxes = [[cx - wide / 2 - SPACE.x, cy - tall / 2 - SPACE.y, cx + wide / 2 + SPACE.x, cy + tall / 2 + SPACE.y]];
    if (hasDot) boxes.push([x - DOT, y - DOT, x + DOT, y + DOT]);
    const pieces = lines.map((line, at) => ({ text: line, x: cx, y: cy + (at - (lines.length - 1) / 2) * size * LINE_HEIGHT, angle: 0 }));
    yield { ...candidate, font, pieces, boxes, middle: { x, y }, dot: hasDot ? { x, y } : null };
  }
}

function broken(text, limit, measure) {
  const lines = [];
  for (const word of text.split(/\s+/)) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && measure(longer) <= limit) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/**
 * Draws placed names: outlines first, so that no outline covers a letter.
 * @param {object[]} names of `placeNames`
 * @param {{x: number, y: number}} corner of the picture, in pixels of the world
 * @param {object} theme of `THEMES`
 */
export function drawNames(context, names, corner, theme) {
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.lineJoin = "round";
  context.strokeStyle = theme.halo;
  for (const { font, pieces, dot, ...name } of names) {
    const colour = nameColour(name, theme);
    if (dot) drawDot(context, dot.x - corner.x, dot.y - corner.y, name.kind === "stop" ? colour : theme.poiDot);
    context.font = font;
    context.lineWidth = theme.haloWidth;
    context.fillStyle = colour;
    for (const draw of ["strokeText", "fillText"]) {
      for (const { text, x, y, angle } of pieces) {
        context.save();
        context.translate(x - corner.x, y - corner.y);
        context.rotate(angle);
        context[draw](text, 0, 0);
        context.restore();
      }
    }
  }
}

/** The colour of a name in a theme. */
export function nameColour({ kind, isMain }, theme) {
  const colours = { street: isMain ? theme.textMajor : theme.text, place: theme.place, stop: theme.transit, nature: theme.nature, point: theme.poi };
  return colours[kind];
}

function drawDot(context, x, y, colour) {
  context.beginPath();
  context.arc(x, y, 3, 0, 2 * Math.PI);
  context.lineWidth = 2.5;
  context.stroke();
  context.fillStyle = colour;
  context.fill();
}

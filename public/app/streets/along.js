/**
 * Text along a line: where each letter of a street's name stands.
 *
 * Positions are pixels of the world at a zoom, so they depend on the tile and the zoom alone, never on the view.
 */

/** The most that two neighbouring letters may differ in their direction, in radians. */
const MOST_BEND = 0.35;

/** The part of the text's length from its first to its last letter's position, below which a line bends too much. */
const LEAST_CHORD = 0.7;

/** A line is straight, and its text drawn in one piece, when its points are at most this many pixels off. */
const STRAIGHT = 1.6;

/** The space at both ends of a text, in pixels. */
const ENDS = 2;

/** Scripts whose letters do not depend on their neighbours, and run from left to right: only they follow a bend. */
const BENDABLE = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Common}\p{Script=Inherited}]*$/u;

/** The half side of a letter's box, in text sizes. */
const HALF = 0.62;

/** A line of a tile in pixels of the world, with the distance of each point from its start. */
export class Line {
  #points;
  #origin;
  #scale;
  #distances;

  /**
   * @param {{points: number[]}} part of a decoded tile
   * @param {{x: number, y: number}} origin the tile's corner
   * @param {number} scale the size of a tile's unit
   */
  constructor({ points }, origin, scale) {
    this.#points = points;
    this.#origin = origin;
    this.#scale = scale;
    this.#distances = new Float64Array(points.length / 2);
    for (let at = 1; at < this.#distances.length; at += 1) {
      const step = Math.hypot(points[2 * at] - points[2 * at - 2], points[2 * at + 1] - points[2 * at - 1]);
      this.#distances[at] = this.#distances[at - 1] + step * scale;
    }
  }

  get length() {
    return this.#distances[this.#distances.length - 1];
  }

  /** The point at a distance from the start. */
  at(distance) {
    let [low, high] = [0, this.#distances.length - 2];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#distances[middle + 1] < distance) low = middle + 1;
      else high = middle;
    }
    const step = this.#distances[low + 1] - this.#distances[low];
    const share = step > 0 ? (distance - this.#distances[low]) / step : 0;
    const coordinate = (axis) => {
      const [from, to] = [this.#points[2 * low + axis], this.#points[2 * low + 2 + axis]];
      return (from + (to - from) * share) * this.#scale;
    };
    return { x: this.#origin.x + coordinate(0), y: this.#origin.y + coordinate(1) };
  }
}

/**
 * Places text on a line, its middle at a distance from the line's start: `{pieces, boxes, middle}`.
 *
 * A piece is `{text, x, y, angle}`, drawn around its middle: the whole text on a straight line, else a letter. Null where
 * the line is too short or bends too much.
 */
export function placeAlong(line, text, size, distance, measure) {
  const need = measure(text) + 2 * ENDS;
  if (line.length < need) return null;
  const start = Math.min(Math.max(distance - need / 2, 0), line.length - need);
  const [first, last, middle] = [line.at(start), line.at(start + need), line.at(start + need / 2)];
  const chord = Math.hypot(last.x - first.x, last.y - first.y);
  if (chord < need * LEAST_CHORD) return null;
  const isFlipped = last.x < first.x;
  const pieces = isStraight(line, start, need, first, last)
    ? [{ text, ...middle, angle: upright(Math.atan2(last.y - first.y, last.x - first.x), isFlipped) }]
    : letters(line, text, start + ENDS, isFlipped, measure);
  if (pieces === null) return null;
  return { pieces, boxes: boxesAlong(line, start, need, size), middle };
}

function isStraight(line, start, need, first, last) {
  return [0.25, 0.5, 0.75].every((share) => {
    const { x, y } = line.at(start + need * share);
    return Math.hypot(x - (first.x + (last.x - first.x) * share), y - (first.y + (last.y - first.y) * share)) <= STRAIGHT;
  });
}

function letters(line, text, start, isFlipped, measure) {
  if (!BENDABLE.test(text)) return null;
  const segments = [...graphemes(text)];
  if (isFlipped) segments.reverse();
  const pieces = [];
  let reached = start;
  let before = null;
  for (const letter of segments) {
    const wide = measure(letter);
    const [from, to] = [line.at(Math.max(0, reached - wide * 0.6)), line.at(Math.min(line.length, reached + wide * 1.6))];
    const direction = Math.atan2(to.y - from.y, to.x - from.x);
    if (before !== null && Math.abs(turn(before, direction)) > MOST_BEND) return null;
    before = direction;
    pieces.push({ text: letter, ...line.at(reached + wide / 2), angle: upright(direction, isFlipped) });
    reached += wide;
  }
  return pieces;
}

/** The letters as a reader sees them: a mark belongs to its letter. */
function* graphemes(text) {
  if (typeof Intl.Segmenter !== "function") return yield* text;
  for (const { segment } of new Intl.Segmenter().segment(text)) yield segment;
}

function upright(angle, isFlipped) {
  return isFlipped ? angle + Math.PI : angle;
}

/** The turn from one direction to another, from −π to π. */
function turn(one, other) {
  return Math.atan2(Math.sin(other - one), Math.cos(other - one));
}

function boxesAlong(line, start, need, size) {
  const steps = Math.max(1, Math.ceil(need / size));
  return Array.from({ length: steps + 1 }, (_, step) => {
    const { x, y } = line.at(start + (need * step) / steps);
    return [x - size * HALF, y - size * HALF, x + size * HALF, y + size * HALF];
  });
}

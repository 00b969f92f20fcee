/** Markers closer than this on the screen hide each other, in pixels. */
const CLOSE = 34;

/** How much of a ring each marker takes, in pixels. */
const SEAT = 46;

/**
 * Lets everybody be seen who stands with others: they are put on a ring around the middle of them all, or around the
 * one among them who must not be moved.
 *
 * @param {{key: string, x: number, y: number, isFixed?: boolean}[]} points on the screen
 * @returns {Map<string, {x: number, y: number}>} how far to move whom; those who stand alone are not in it
 */
export function spread(points) {
  const offsets = new Map();
  for (const huddle of huddles(points)) {
    if (huddle.length === 1) continue;
    const fixed = huddle.find((point) => point.isFixed);
    const middle = fixed ?? { x: mean(huddle.map((point) => point.x)), y: mean(huddle.map((point) => point.y)) };
    // By key and not by place: somebody who shifts in the chair does not change chairs.
    const seated = huddle.filter((point) => point !== fixed).sort((a, b) => (a.key < b.key ? -1 : 1));
    const radius = Math.max(fixed ? SEAT : SEAT / 2, (seated.length * SEAT) / (2 * Math.PI));
    seated.forEach((point, seat) => {
      const angle = (2 * Math.PI * seat) / seated.length - Math.PI / 2;
      offsets.set(point.key, {
        x: Math.round(middle.x + radius * Math.cos(angle) - point.x),
        y: Math.round(middle.y + radius * Math.sin(angle) - point.y),
      });
    });
  }
  return offsets;
}

/** The points in groups, each connected by steps that are close. */
function huddles(points) {
  const left = new Set(points);
  const found = [];
  for (const first of points) {
    if (!left.delete(first)) continue;
    const huddle = [first];
    for (const point of huddle) {
      for (const other of left) {
        if (Math.hypot(point.x - other.x, point.y - other.y) >= CLOSE) continue;
        left.delete(other);
        huddle.push(other);
      }
    }
    found.push(huddle);
  }
  return found;
}

function mean(numbers) {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

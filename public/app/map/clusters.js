/**
 * Groups points that are too close to each other on the screen into bubbles.
 *
 * The rule is that of the server's tiles, a pure function of the points, applied here to the members of one group:
 *
 * 1. Points fall into cells. The weight of a cell is that of its points, its position their mean.
 * 2. In order of weight, heaviest first, a cell becomes a centre unless its position is nearer than `RADIUS` to a
 *    centre's.
 * 3. Every other cell is assigned to the nearest centre.
 *
 * So no two centres are nearer than `RADIUS`. A point is at most a cell's diagonal from its cell's position, which is
 * less than `RADIUS` from its centre. With cells of 20 pixels, no point is further than 69 pixels from its bubble.
 *
 * A fixed point (the user's own during a move by hand) is a cell of its own and the first centre.
 *
 * Where the drawings are larger than that, such as faces with names, `merge` then joins those that would overlap.
 */
const RADIUS = 40;
const CELL = 20;

/**
 * @param {{key: string, x: number, y: number, weight?: number, isFixed?: boolean}[]} points in pixels
 * @returns {{x: number, y: number, weight: number, points: object[]}[]} the bubbles and single points
 */
export function cluster(points) {
  const centres = [];
  const absorbed = [];
  for (const cell of heaviestFirst(cellsOf(points))) {
    if (nearestCentre(centres, cell) === null) centres.push({ x: cell.x, y: cell.y, weight: cell.weight, points: [...cell.points] });
    else absorbed.push(cell);
  }
  for (const cell of absorbed) {
    const centre = nearestCentre(centres, cell);
    centre.weight += cell.weight;
    centre.points.push(...cell.points);
  }
  return centres;
}

function nearestCentre(centres, { x, y }) {
  let found = null;
  let least = RADIUS;
  for (const centre of centres) {
    const far = Math.hypot(centre.x - x, centre.y - y);
    if (far >= least) continue;
    found = centre;
    least = far;
  }
  return found;
}

function cellsOf(points) {
  const cells = new Map();
  for (const point of points) {
    const column = Math.floor(point.x / CELL);
    const row = Math.floor(point.y / CELL);
    const name = point.isFixed ? `fixed ${point.key}` : `${column} ${row}`;
    let cell = cells.get(name);
    if (!cell) cells.set(name, (cell = { points: [], weight: 0, x: 0, y: 0, isFixed: point.isFixed === true, order: mixed(column, row) }));
    cell.points.push(point);
    cell.weight += point.weight ?? 1;
    // A running mean: sums of world coordinates would lose the fractions.
    cell.x += (point.x - cell.x) / cell.points.length;
    cell.y += (point.y - cell.y) / cell.points.length;
  }
  return [...cells.values()];
}

/** A hash breaks ties: with an order by position, one change could propagate across the whole map. */
function heaviestFirst(cells) {
  return cells.sort((a, b) => Number(b.isFixed) - Number(a.isFixed) || b.weight - a.weight || b.order - a.order || a.x - b.x || a.y - b.y);
}

function mixed(column, row) {
  let bits = Math.imul(column, 0x9e3779b1) ^ Math.imul(row, 0x85ebca77);
  bits = Math.imul(bits ^ (bits >>> 15), 0x2c1b3c6d);
  return (bits ^ (bits >>> 13)) >>> 0;
}

/**
 * Joins groups whose drawings would overlap, until none do. A group of a fixed point stays as it is.
 * @param {{x: number, y: number, weight: number, points: object[]}[]} groups as of `cluster`
 * @param {(points: object[]) => {width: number, above: number, below: number}} sizeOf the extent of a drawing around
 *   its position, in pixels
 */
export function merge(groups, sizeOf) {
  let items = groups.map((group) => ({ ...group, size: sizeOf(group.points), isFixed: group.points.some((point) => point.isFixed) }));
  for (;;) {
    items.sort((a, b) => a.y - b.y || a.x - b.x);
    const joined = joinOnce(items, sizeOf);
    if (joined === null) return items;
    items = joined;
  }
}

function joinOnce(items, sizeOf) {
  const gone = new Set();
  let isChanged = false;
  for (let first = 0; first < items.length; first += 1) {
    if (gone.has(first) || items[first].isFixed) continue;
    for (let second = first + 1; second < items.length; second += 1) {
      if (gone.has(second) || items[second].isFixed) continue;
      const [one, other] = [items[first], items[second]];
      if (other.y - one.y > HIGHEST) break;
      if (!isOver(one, other)) continue;
      gone.add(second);
      isChanged = true;
      const weight = one.weight + other.weight;
      const mean = (axis) => (one[axis] * one.weight + other[axis] * other.weight) / weight;
      const points = [...one.points, ...other.points];
      items[first] = { x: mean("x"), y: mean("y"), weight, points, size: sizeOf(points), isFixed: false };
    }
  }
  return isChanged ? items.filter((_, index) => !gone.has(index)) : null;
}

/** The greatest height of a drawing, in pixels. */
const HIGHEST = 100;

/** Whether two drawings at their positions overlap. */
export function isOver(one, other) {
  return Math.abs(one.x - other.x) < (one.size.width + other.size.width) / 2
    && one.y - one.size.above < other.y + other.size.below && other.y - other.size.above < one.y + one.size.below;
}

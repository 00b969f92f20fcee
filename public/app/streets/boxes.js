/** Boxes on the map, as `[left, top, right, bottom]` in pixels of the world at one zoom. */

/** Whether a box and bounds meet. */
export function meets(box, { left, top, right, bottom }) {
  return box[0] < right && box[2] > left && box[1] < bottom && box[3] > top;
}

/**
 * The names that yield to labels of people: the places of those in the list of which a box meets one of `taken`.
 * @param {{boxes: number[][]}[]} names
 * @param {number[][]} taken
 */
export function yielding(names, taken) {
  const grid = new Boxes();
  for (const box of taken) grid.add(box);
  return [...names.keys()].filter((at) => names[at].boxes.some((box) => grid.meets(box)));
}

/** Boxes in a grid, so that a search looks only at near ones. */
export class Boxes {
  static #CELL = 64;
  #cells = new Map();

  add(box) {
    for (const cell of Boxes.#cellsOf(box)) {
      const known = this.#cells.get(cell);
      if (known) known.push(box);
      else this.#cells.set(cell, [box]);
    }
  }

  meets([left, top, right, bottom]) {
    for (const cell of Boxes.#cellsOf([left, top, right, bottom])) {
      if (this.#cells.get(cell)?.some((box) => meets(box, { left, top, right, bottom }))) return true;
    }
    return false;
  }

  static *#cellsOf([left, top, right, bottom]) {
    for (let x = Math.floor(left / Boxes.#CELL); x * Boxes.#CELL <= right; x += 1) {
      for (let y = Math.floor(top / Boxes.#CELL); y * Boxes.#CELL <= bottom; y += 1) yield x * 2 ** 24 + y;
    }
  }
}

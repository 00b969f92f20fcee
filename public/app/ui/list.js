/**
 * A list whose rows are identified by a key: a remaining row keeps its element, its focus and the screen reader's
 * position.
 */
export class KeyedList {
  #view;
  #make;
  #rows = new Map();

  /**
   * @param {HTMLElement} view the parent of the rows
   * @param {(key: string) => {item: HTMLElement, show: (value: object, about: object) => void}} make creates a row
   */
  constructor(view, make) {
    this.#view = view;
    this.#make = make;
  }

  /** Shows exactly these values in this order. */
  show(values, keyOf, about) {
    const items = values.map((value) => {
      const key = keyOf(value);
      let row = this.#rows.get(key);
      if (!row) this.#rows.set(key, (row = this.#make(key)));
      row.show(value, about);
      return row.item;
    });
    const shown = new Set(values.map(keyOf));
    for (const key of this.#rows.keys()) if (!shown.has(key)) this.#rows.delete(key);
    // Moving an element loses the focus, so the order is touched only when it differs.
    if (items.length === this.#view.children.length && items.every((item, index) => item === this.#view.children[index])) return;
    const focused = document.activeElement;
    const held = this.#view.contains(focused);
    this.#view.replaceChildren(...items);
    if (held && focused.isConnected) focused.focus();
  }
}

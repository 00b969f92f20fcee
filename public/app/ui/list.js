/**
 * A list whose rows live as long as what they show: a row that stays keeps its element, its focus and the reader's place.
 */
export class KeyedList {
  #view;
  #make;
  #rows = new Map();

  /**
   * @param {HTMLElement} view takes the rows
   * @param {(key: string) => {item: HTMLElement, show: (value: object, about: object) => void}} make makes a row
   */
  constructor(view, make) {
    this.#view = view;
    this.#make = make;
  }

  /** Shows these values in this order, and no others. */
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

/**
 * One area of the browser's storage. A browser may refuse it, or have no room in it: then values last as long as the page.
 */
export class Kept {
  #area;
  #instead = new Map();

  /** @param {() => Storage} area may throw: some browsers refuse even the name of the area */
  constructor(area) {
    this.#area = area;
  }

  /** The text of a key; null when there is none. */
  getItem(key) {
    return this.#instead.get(key) ?? this.#try((area) => area.getItem(key)) ?? null;
  }

  /** Stores a text. What cannot be stored leaves no older text behind. */
  setItem(key, text) {
    this.#instead.delete(key);
    if (this.#try((area) => area.setItem(key, text) ?? true)) return;
    this.removeItem(key);
    this.#instead.set(key, String(text));
  }

  /** Removes a key. */
  removeItem(key) {
    this.#instead.delete(key);
    this.#try((area) => area.removeItem(key));
  }

  /** The value of a key that `set` has stored; `otherwise` when there is none, or it cannot be read. */
  get(key, otherwise = null) {
    try {
      return JSON.parse(this.getItem(key)) ?? otherwise;
    } catch {
      return otherwise;
    }
  }

  /** Stores a value as JSON. */
  set(key, value) {
    this.setItem(key, JSON.stringify(value));
  }

  /** Removes Muster's keys but these. */
  clear(except = []) {
    const all = this.#try((area) => Array.from({ length: area.length }, (_, index) => area.key(index))) ?? [];
    for (const key of [...all, ...this.#instead.keys()]) if (key.startsWith("muster.") && !except.includes(key)) this.removeItem(key);
  }

  #try(act) {
    try {
      return act(this.#area());
    } catch {
      return undefined;
    }
  }
}

/** What this browser keeps, and what this tab keeps. */
export const local = new Kept(() => localStorage);
export const tab = new Kept(() => sessionStorage);

import { element } from "../ui/dom.js";

const STATES = ["peek", "half", "full"];
const NEXT = { peek: "half", half: "full", full: "peek" };
const WORDS = { peek: "Show the list", half: "Show more of the list", full: "Show the map" };

/** The minimum distance of a drag to the next state, in pixels; a shorter one is a press. */
const DRAG = 30;

/**
 * The panel on a phone, a sheet over the lower part of the map in three states: its foot, half of the page, or nearly
 * all of it.
 */
export class Sheet {
  #panel;
  handle = element("button", { type: "button", class: "handle", "aria-controls": "panel-body", "data-testid": "sheet-handle" });
  #from = null;

  /** @param {HTMLElement} panel carries the state as `data-sheet` */
  constructor(panel) {
    this.#panel = panel;
    this.state = "half";
    this.handle.addEventListener("click", () => (this.state = NEXT[this.state]));
    this.handle.addEventListener("keydown", (event) => {
      const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      this.#move(step);
    });
    this.handle.addEventListener("pointerdown", (event) => {
      this.#from = event.clientY;
      this.handle.setPointerCapture(event.pointerId);
    });
    this.handle.addEventListener("pointerup", (event) => {
      const way = this.#from === null ? 0 : this.#from - event.clientY;
      this.#from = null;
      if (Math.abs(way) < DRAG) return;
      this.#move(Math.sign(way) * (Math.abs(way) > innerHeight / 3 ? 2 : 1));
      // The click event at the end of a drag is not a press.
      this.handle.addEventListener("click", (click) => click.stopImmediatePropagation(), { capture: true, once: true });
    });
  }

  /** The state: `peek`, `half` or `full`. */
  get state() {
    return this.#panel.dataset.sheet;
  }

  set state(state) {
    this.#panel.dataset.sheet = state;
    this.handle.setAttribute("aria-expanded", String(state !== "peek"));
    this.handle.setAttribute("aria-label", WORDS[state]);
  }

  #move(steps) {
    this.state = STATES[Math.min(2, Math.max(0, STATES.indexOf(this.state) + steps))];
  }
}

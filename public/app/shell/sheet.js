import { element, setAttribute } from "../ui/dom.js";
import { phrase } from "../ui/words.js";

/** The stops from the lowest to the highest, with their words for screen readers. */
const STOPS = ["peek", "half", "full"];

/** The heights of the lowest stop and of what stays free above the highest, in pixels, and the middle one as a part of the page. */
const PEEK = 72;
const ABOVE_FULL = 64;
const HALF = 0.44;

/** The minimum distance of a drag, in pixels; a shorter one is a press. */
const DRAG = 8;

/**
 * The panel on a phone: a sheet over the lower part of the map with three stops.
 *
 * It is dragged by its handle or its head, and moved by the keys of a slider. `onChange` receives each new stop.
 */
export class Sheet {
  #panel;
  #onChange;
  #stop = "half";
  handle = element("div", {
    class: "handle", role: "slider", tabindex: "0", "aria-label": phrase("sheet.title"), "aria-orientation": "vertical", "aria-controls": "panel-body",
    "aria-valuemin": "0", "aria-valuemax": "2", "data-testid": "sheet-handle",
  });

  /** @param {HTMLElement} panel carries the stop as `data-sheet` @param {(stop: string) => void} onChange */
  constructor(panel, onChange = () => {}) {
    this.#panel = panel;
    this.#onChange = onChange;
    this.state = "half";
    this.handle.addEventListener("keydown", (event) => {
      const at = STOPS.indexOf(this.#stop);
      const next = { ArrowUp: at + 1, ArrowRight: at + 1, ArrowDown: at - 1, ArrowLeft: at - 1, Home: 0, End: 2 }[event.key];
      if (next === undefined) return;
      event.preventDefault();
      this.#become(next);
    });
    panel.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || event.defaultPrevented || this.handle.offsetParent === null) return;
      this.#become(STOPS.indexOf(this.#stop) - 1);
    });
  }

  /** Lets an element drag the sheet: the handle, or the head. A press of the handle goes to the next stop. */
  dragBy(grip) {
    grip.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || this.handle.offsetParent === null) return;
      const ended = new AbortController();
      const from = { y: event.clientY, height: this.#panel.offsetHeight };
      let isDrag = false;
      // On the window: the pointer soon leaves the narrow handle.
      addEventListener("pointermove", ({ clientY }) => {
        const way = from.y - clientY;
        if (!isDrag && Math.abs(way) < DRAG) return;
        isDrag = true;
        this.#panel.classList.add("dragged");
        this.#panel.style.height = `${Math.max(PEEK, Math.min(this.#heightOf("full"), from.height + way))}px`;
      }, { signal: ended.signal });
      for (const type of ["pointerup", "pointercancel"]) {
        addEventListener(type, ({ clientY }) => {
          ended.abort();
          this.#panel.classList.remove("dragged");
          this.#panel.style.height = "";
          if (isDrag) this.#rest(from.height + from.y - clientY, from.y - clientY);
          else if (grip === this.handle && type === "pointerup") this.#become((STOPS.indexOf(this.#stop) + 1) % STOPS.length);
        }, { signal: ended.signal });
      }
    });
  }

  // The click at the end of a drag is not a press.
  #rest(height, way) {
    const ignore = (click) => click.stopImmediatePropagation();
    addEventListener("click", ignore, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", ignore, { capture: true }));
    this.state = this.#nearest(height, way);
  }

  /** The stop: `peek`, `half` or `full`. */
  get state() {
    return this.#stop;
  }

  set state(stop) {
    this.#stop = stop;
    setAttribute(this.#panel, "data-sheet", stop);
    setAttribute(this.handle, "aria-valuenow", STOPS.indexOf(stop));
    setAttribute(this.handle, "aria-valuetext", phrase(`sheet.${stop}`));
    this.#onChange(stop);
  }

  /** The height at the current stop, in pixels. */
  get height() {
    return this.#heightOf(this.#stop);
  }

  /** Raises the sheet to a stop, if it is lower. */
  raise(stop) {
    if (STOPS.indexOf(this.#stop) < STOPS.indexOf(stop)) this.state = stop;
  }

  /** Lowers the sheet to a stop, if it is higher. */
  lower(stop) {
    if (STOPS.indexOf(this.#stop) > STOPS.indexOf(stop)) this.state = stop;
  }

  #become(index) {
    this.state = STOPS[Math.min(2, Math.max(0, index))];
  }

  #heightOf(stop) {
    const page = this.#panel.parentElement.clientHeight;
    return { peek: PEEK, half: page * HALF, full: page - parseFloat(getComputedStyle(this.#panel).bottom || "0") - ABOVE_FULL }[stop];
  }

  // A fling counts as half of the page.
  #nearest(height, way) {
    const aim = height + Math.sign(way) * 40;
    return STOPS.reduce((best, stop) => (Math.abs(this.#heightOf(stop) - aim) < Math.abs(this.#heightOf(best) - aim) ? stop : best));
  }
}

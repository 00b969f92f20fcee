/** Whether one prefers that nothing moves. */
export const still = matchMedia("(prefers-reduced-motion: reduce)");

/** No point is further than this from its cluster, in pixels at the cluster's zoom. */
const REACH = 70;

/** Farther than this on the screen is no way to follow with the eyes. */
const FAR = 400;

/** More than so many at once nobody follows either: they are just there. */
const MOST = 150;

const DURATION = 250;

/**
 * How clusters split and merge for the eye: what is new comes out of the cluster that covered it, and what is gone goes
 * into the one that covers it now. The server names no parents; a cluster covers what is nearest to it within `REACH`.
 */
export class Passage {
  #onGone;
  #before = [];
  #reach = REACH;
  #sight = null;
  #left = 0;
  #flights = new Set();

  /** @param {(pin: object) => void} onGone told when a pin that goes is not seen any more */
  constructor(onGone) {
    this.#onGone = onGone;
  }

  /**
   * Begins with the pins as they are, before tiles of another zoom, or changed ones, are shown. What was out of sight
   * until now, or is from now on, comes and goes with the map and not by parting: `sight` is what was seen before.
   */
  begin(before, zooms, sight) {
    this.#sight = zooms === 0 ? sight : null;
    this.#before = still.matches || document.hidden ? [] : before.map(({ point }) => ({ point }));
    this.#reach = Math.min(FAR, REACH * 2 ** Math.max(0, zooms));
    this.#left = MOST;
  }

  /** A pin is new. */
  arrive({ point, latlng, element }) {
    if (this.#sight !== null && !this.#sight.contains(latlng)) return;
    const from = this.#takes(point, this.#before, this.#reach);
    if (from !== null) this.#fly(element, [{ translate: way(point, from.point) }, { translate: "0 0" }]);
  }

  /** These pins are not wanted any more, and those have taken their places; `sight` is what is seen now. */
  end(leaving, now, sight) {
    for (const pin of leaving) {
      const to = this.#before.length === 0 || !sight.contains(pin.latlng) ? null : this.#takes(pin.point, now, REACH);
      if (to === null) {
        this.#onGone(pin);
        continue;
      }
      // It is a picture from here on: neither pressed, read nor found.
      pin.element.inert = true;
      pin.element.className = "tile-pin leaflet-zoom-animated going";
      for (const name of Object.keys(pin.element.dataset)) delete pin.element.dataset[name];
      this.#fly(pin.element, [{ translate: "0 0" }, { translate: way(pin.point, to.point), opacity: 0 }], () => this.#onGone(pin));
    }
  }

  /** Ends what is under way: the map moves, and with it the places. */
  stop() {
    this.#before = [];
    for (const flight of [...this.#flights]) flight.finish();
  }

  #takes(point, pins, reach) {
    if (this.#left <= 0) return null;
    let found = null;
    let least = reach;
    for (const pin of pins) {
      const far = pin.point.distanceTo(point);
      if (far >= least) continue;
      found = pin;
      least = far;
    }
    if (found !== null) this.#left -= 1;
    return found;
  }

  #fly(element, frames, onEnd = () => {}) {
    const flight = element.firstElementChild.animate(frames, { duration: DURATION, easing: "ease-out", fill: "none" });
    this.#flights.add(flight);
    flight.onfinish = flight.oncancel = () => {
      flight.onfinish = flight.oncancel = null;
      this.#flights.delete(flight);
      onEnd();
    };
  }
}

function way(from, to) {
  return `${to.x - from.x}px ${to.y - from.y}px`;
}

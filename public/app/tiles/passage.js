/** Whether the user prefers reduced motion. */
export const still = matchMedia("(prefers-reduced-motion: reduce)");

/** The maximum distance of a point from its cluster, in pixels at the cluster's zoom. */
const REACH = 70;

/** The maximum distance of an animation, in pixels on the screen. */
const FAR = 400;

/** The maximum number of simultaneous animations; further pins appear without one. */
const MOST = 150;

const DURATION = 250;

/**
 * The animation of clusters that split and merge.
 *
 * A new pin moves out of the cluster that covered it; a removed pin moves into the cluster that covers it now. The
 * server names no parents: a pin is assigned to the nearest cluster within `REACH`.
 */
export class Passage {
  #onGone;
  #before = [];
  #reach = REACH;
  #sight = null;
  #left = 0;
  #flights = new Set();

  /** @param {(pin: object) => void} onGone called when a removed pin is no longer visible */
  constructor(onGone) {
    this.#onGone = onGone;
  }

  /**
   * Begins with the current pins, before tiles of another zoom, or changed ones, are shown.
   *
   * `sight` is the area visible before. A pin that enters or leaves it appears or disappears with the map, without an
   * animation.
   */
  begin(before, zooms, sight) {
    this.#sight = zooms === 0 ? sight : null;
    this.#before = still.matches || document.hidden ? [] : before.map(({ point }) => ({ point }));
    this.#reach = Math.min(FAR, REACH * 2 ** Math.max(0, zooms));
    this.#left = MOST;
  }

  /** Animates a new pin. */
  arrive({ point, latlng, element }) {
    if (this.#sight !== null && !this.#sight.contains(latlng)) return;
    const from = this.#takes(point, this.#before, this.#reach);
    if (from !== null) this.#fly(element, [{ translate: way(point, from.point) }, { translate: "0 0" }]);
  }

  /** Animates removed pins into the pins that replace them; `sight` is the area visible now. */
  end(leaving, now, sight) {
    for (const pin of leaving) {
      const to = this.#before.length === 0 || !sight.contains(pin.latlng) ? null : this.#takes(pin.point, now, REACH);
      if (to === null) {
        this.#onGone(pin);
        continue;
      }
      // From here on it is decorative: it cannot be pressed, and screen readers and searches do not find it.
      pin.element.inert = true;
      pin.element.className = "tile-pin leaflet-zoom-animated going";
      for (const name of Object.keys(pin.element.dataset)) delete pin.element.dataset[name];
      this.#fly(pin.element, [{ translate: "0 0" }, { translate: way(pin.point, to.point), opacity: 0 }], () => this.#onGone(pin));
    }
  }

  /** Finishes all animations, because the map and with it all positions move. */
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

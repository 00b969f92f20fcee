import { element } from "../ui/dom.js";
import { blank, paint } from "../photos/picture.js";
import { phrase } from "../ui/words.js";

/** The maximum zoom, relative to the picture that just fills the square. */
export const MOST_ZOOM = 4;

/** The side of the result in pixels, equal to that of a stored avatar. */
const SIDE = 512;

/** The step of an arrow key, as a fraction of the square, alone and with Shift. */
const STEP = 0.04;
const LEAP = 0.2;

/**
 * A square viewport of a picture. It is moved by dragging or arrow keys, and zoomed with two fingers, the wheel, `+`
 * and `-`.
 *
 * The picture always fills the square.
 */
export class CropStage {
  #bitmap;
  #center;
  #zoom = 1;
  #fingers = new Map();
  #onZoom;
  /** The visible part, at the stored size. */
  canvas = blank(SIDE, SIDE);
  view;

  /**
   * @param {ImageBitmap} bitmap
   * @param {(zoom: number) => void} onZoom receives the zoom after a change by the user
   */
  constructor(bitmap, onZoom) {
    this.#bitmap = bitmap;
    this.#onZoom = onZoom;
    this.#center = { x: bitmap.width / 2, y: bitmap.height / 2 };
    this.canvas.setAttribute("aria-hidden", "true");
    this.view = element("div", {
      class: "crop-stage", role: "group", tabindex: 0, "aria-label": phrase("crop.stage"), "data-testid": "crop-stage",
      onpointerdown: (event) => this.#touch(event), onpointermove: (event) => this.#drag(event),
      onpointerup: (event) => this.#fingers.delete(event.pointerId), onpointercancel: (event) => this.#fingers.delete(event.pointerId),
      onkeydown: (event) => this.#press(event),
    }, this.canvas);
    this.view.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.#zoomBy(2 ** (-event.deltaY / 500));
    }, { passive: false });
    this.#draw();
  }

  /** The zoom, relative to the picture that just fills the square. */
  get zoom() {
    return this.#zoom;
  }

  set zoom(zoom) {
    this.#zoom = Math.min(MOST_ZOOM, Math.max(1, zoom));
    this.#draw();
  }

  // The side of the visible part, in pixels of the picture.
  get #part() {
    return Math.min(this.#bitmap.width, this.#bitmap.height) / this.#zoom;
  }

  #zoomBy(factor) {
    this.zoom *= factor;
    this.#onZoom(this.#zoom);
  }

  // Moves the picture by fractions of the square.
  #move(right, down) {
    this.#center.x -= right * this.#part;
    this.#center.y -= down * this.#part;
    this.#draw();
  }

  #draw() {
    const { width, height } = this.#bitmap;
    const half = this.#part / 2;
    this.#center.x = Math.min(width - half, Math.max(half, this.#center.x));
    this.#center.y = Math.min(height - half, Math.max(half, this.#center.y));
    paint(this.canvas, this.#bitmap, [this.#center.x - half, this.#center.y - half, this.#part, this.#part]);
  }

  #touch(event) {
    this.view.setPointerCapture(event.pointerId);
    this.#fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  #drag(event) {
    const before = this.#fingers.get(event.pointerId);
    if (!before) return;
    const now = { x: event.clientX, y: event.clientY };
    const side = this.view.clientWidth;
    const others = [...this.#fingers].filter(([id]) => id !== event.pointerId).map(([, finger]) => finger);
    this.#fingers.set(event.pointerId, now);
    // With two fingers each movement counts half.
    const share = 1 / (others.length + 1);
    this.#move(((now.x - before.x) / side) * share, ((now.y - before.y) / side) * share);
    const [other] = others;
    if (other) this.#zoomBy(apart(other, now) / Math.max(1, apart(other, before)));
  }

  #press(event) {
    const step = event.shiftKey ? LEAP : STEP;
    const moves = { ArrowUp: [0, -step], ArrowDown: [0, step], ArrowLeft: [-step, 0], ArrowRight: [step, 0] };
    const zooms = { "+": 1.1, "=": 1.1, "-": 1 / 1.1 };
    if (moves[event.key]) this.#move(...moves[event.key]);
    else if (zooms[event.key] && !event.ctrlKey && !event.metaKey) this.#zoomBy(zooms[event.key]);
    else return;
    event.preventDefault();
  }
}

function apart(one, other) {
  return Math.hypot(one.x - other.x, one.y - other.y);
}

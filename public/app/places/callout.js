import { focusHeading } from "../shell/focus.js";
import { button, element, setShown } from "../ui/dom.js";
import { lineIcon } from "../ui/icons.js";
import { phrase } from "../ui/words.js";

/** The distance of a card from its marker and from the edges of the map, in pixels. */
const BESIDE = 28;
const EDGE = 12;

/** The width from which on the card is beside its marker. On a narrower page it is in the sheet. */
const WIDE = matchMedia("(min-width: 768px)");

/** The card of a place: beside its marker and wholly on the map, or on a phone in the panel. */
export class PlaceCallout {
  #live;
  #map;
  #slot;
  #view = element("div", { class: "place-card", hidden: true });
  #at = null;
  #isOpen = false;
  #arranged = () => this.#isOpen && this.open();

  /**
   * @param {object} live the page's map
   * @param {{view: HTMLElement, onChange: () => void}} slot its place in the panel; `onChange` is called when it is
   *   filled or emptied
   */
  constructor(live, slot) {
    this.#live = live;
    this.#map = live.leaflet;
    this.#slot = slot;
    this.#map.on("move zoom resize viewreset", () => this.#place());
    new ResizeObserver(() => this.#place()).observe(this.#view);
    WIDE.addEventListener("change", this.#arranged);
  }

  /** Sets the contents and the position, whether open or not. */
  put(view, { lat, lon }) {
    this.#at = [lat, lon];
    this.#view.replaceChildren(view);
  }

  /** Moves the map to a place, at `zoom` or closer, and opens the card. */
  openAt({ lat, lon }, zoom) {
    this.#map.stop();
    this.#live.goTo(lat, lon, { zoom: Math.max(this.#map.getZoom(), zoom) });
    this.open();
  }

  /** Opens the card without moving the map. */
  open() {
    this.#isOpen = true;
    if (WIDE.matches) this.#map.getContainer().after(this.#view);
    else this.#slot.view.replaceChildren(this.#view);
    setShown(this.#view, true);
    this.#place();
    this.#slot.onChange();
  }

  close() {
    this.#isOpen = false;
    setShown(this.#view, false);
    this.#view.remove();
    this.#slot.onChange();
  }

  /** Removes it from the page. */
  remove() {
    this.#view.remove();
    WIDE.removeEventListener("change", this.#arranged);
  }

  /** Whether the card is in the panel. */
  get isInPanel() {
    return this.#isOpen && !WIDE.matches;
  }

  // To the right of the marker, else to the left, and moved up or down until it is wholly on the map.
  #place() {
    if (!this.#isOpen || this.#at === null) return;
    const { style } = this.#view;
    if (!WIDE.matches) {
      style.translate = "";
      style.visibility = "";
      return;
    }
    const size = this.#map.getSize();
    const { x, y } = this.#map.latLngToContainerPoint(this.#at);
    const { offsetWidth: width, offsetHeight: height } = this.#view;
    const right = x + BESIDE;
    const left = right + width + EDGE <= size.x ? right : x - BESIDE - width;
    const within = (value, most) => Math.round(Math.max(EDGE, Math.min(value, most)));
    style.translate = `${within(left, size.x - width - EDGE)}px ${within(y - height / 2, size.y - height - EDGE)}px`;
    style.visibility = x < 0 || y < 0 || x > size.x || y > size.y ? "hidden" : "";
  }
}

/** The contents of a card: a head with a close button, and the rest; the button and Escape call `onLeave`. */
export function calloutBody(testID, onLeave, head, ...rest) {
  const leave = () => {
    onLeave();
    focusHeading();
  };
  const close = button("", leave, { class: "icon", "aria-label": phrase("close"), "data-testid": "callout-close" });
  close.append(lineIcon("close"));
  const view = element("section", { class: "callout-body", "data-testid": testID },
    element("div", { class: "callout-head plain" }, element("div", { class: "grow" }, ...head), close), ...rest);
  view.addEventListener("keydown", (event) => {
    if (event.key === "Escape") leave();
  });
  return view;
}

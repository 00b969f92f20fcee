import * as L from "/vendor/leaflet/leaflet.esm.min.js";
import { moving } from "../map/map.js";
import { focusHeading } from "../shell/focus.js";
import { button, element } from "../ui/dom.js";

/** The callout of a place on the map, which opens once the map has moved there. */
export class PlaceCallout {
  #map;
  #popup;

  /**
   * @param {L.Map} map
   * @param {number} minWidth in pixels
   */
  constructor(map, minWidth) {
    this.#map = map;
    this.#popup = L.popup({ closeButton: false, autoClose: false, closeOnClick: false, className: "callout", offset: [0, -14], minWidth, maxWidth: 300, autoPanPadding: [12, 12] });
  }

  /** Sets the view and the position, whether open or not; the height is at most `maxHeight` pixels. */
  put(view, { lat, lon }, maxHeight = null) {
    this.#popup.options.maxHeight = maxHeight;
    this.#popup.setLatLng([lat, lon]).setContent(view);
  }

  /** Moves the map to a place, at `zoom` or closer, and then opens the callout if it is still wanted. */
  openAt({ lat, lon }, zoom, isWanted) {
    const open = () => {
      this.#map.off("moveend", open);
      if (isWanted()) this.#popup.openOn(this.#map);
    };
    this.#map.stop();
    this.#map.on("moveend", open);
    this.#map.setView([lat, lon], Math.max(this.#map.getZoom(), zoom), { animate: moving() });
  }

  /** Opens the callout without moving the map. */
  open() {
    this.#popup.openOn(this.#map);
  }

  close() {
    this.#map.closePopup(this.#popup);
  }
}

/** The contents of a callout: a head with a close button, and the rest; the button and Escape call `onLeave`. */
export function calloutBody(testID, onLeave, head, ...rest) {
  const leave = () => {
    onLeave();
    focusHeading();
  };
  const close = button("×", leave, { class: "icon", "aria-label": "Close", "data-testid": "callout-close" });
  const view = element("div", { class: "callout-body", "data-testid": testID },
    element("div", { class: "callout-head plain" }, element("div", {}, ...head), close), ...rest);
  view.addEventListener("keydown", (event) => {
    if (event.key === "Escape") leave();
  });
  return view;
}

import * as L from "/vendor/leaflet/leaflet.esm.min.js";
import { moving } from "../map/map.js";
import { button, element, setText } from "../ui/dom.js";

/** The step of an arrow key in pixels, alone and with Shift. */
const STEP = 8;
const STRIDE = 64;

const WAYS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

/**
 * Shows the place of a new pin on the map, with a marker that can be dragged, or moved by the arrow keys.
 * @param {object} map the page's map
 * @param {{lat: number, lon: number}} place
 * @param {{words: string, zoom: number, post: (place: object) => Promise<boolean>, noun?: string}} options `post`
 *   returns whether the preview is done; `noun`: the kind of thing that is placed
 * @returns {Promise<boolean>} whether it was posted
 */
export function previewPin(map, place, { words, zoom, post, noun = "pin" }) {
  const { leaflet } = map;
  return new Promise((resolve) => {
    const icon = L.divIcon({ className: "pin-preview", html: element("div", { class: "pin own-pin" }, "?"), iconSize: [44, 44], iconAnchor: [22, 22] });
    const marker = L.marker([place.lat, place.lon], { icon, draggable: true, keyboard: false, zIndexOffset: 4000 }).addTo(leaflet);
    const handle = marker.getElement();
    for (const [name, value] of Object.entries({ role: "button", tabindex: "0", "aria-label": `The new ${noun}: drag it, or move it by the arrow keys`, "data-testid": "pin-preview" })) handle.setAttribute(name, value);
    const where = element("p", { class: "hint", role: "status", "data-testid": "pin-where" });
    const now = () => {
      const { lat, lng } = marker.getLatLng().wrap();
      return { lat, lon: lng };
    };
    const tell = () => setText(where, `${now().lat.toFixed(5)}, ${now().lon.toFixed(5)}`);
    const finish = (isPosted) => {
      marker.remove();
      bar.remove();
      resolve(isPosted);
    };
    const here = button("Post here", async () => {
      if (await post(now())) finish(true);
    }, { class: "filled", "data-testid": "pin-post" });
    const never = button("Cancel", () => finish(false), { "data-testid": "pin-cancel" });
    const bar = element("div", { class: "map-pointing", role: "group", "aria-label": `Where the ${noun} will be`, "data-testid": "pin-bar" },
      element("p", {}, words), where, element("div", { class: "row" }, here, never));
    marker.on("drag dragend", tell);
    handle.addEventListener("keydown", (event) => {
      const way = WAYS[event.key];
      if (!way) return;
      event.preventDefault();
      event.stopPropagation();
      const by = L.point(way).multiplyBy(event.shiftKey ? STRIDE : STEP);
      marker.setLatLng(leaflet.containerPointToLatLng(leaflet.latLngToContainerPoint(marker.getLatLng()).add(by)));
      tell();
    });
    bar.addEventListener("keydown", (event) => {
      if (event.key === "Escape") finish(false);
    });
    leaflet.getContainer().after(bar);
    leaflet.setView([place.lat, place.lon], zoom, { animate: moving() });
    tell();
    here.focus();
  });
}

import * as L from "/vendor/leaflet/leaflet.esm.min.js";
import { ClusterLayer } from "../map/cluster-layer.js";
import { mapLinks } from "../map/links.js";
import { moving } from "../map/map.js";
import { focusHeading } from "../shell/focus.js";
import { attempt, toast } from "../shell/toasts.js";
import { button, element, icon, setAttribute, setShown, setText } from "../ui/dom.js";
import { sureButton } from "../ui/form.js";
import { counted } from "../ui/text.js";
import { SpotPhoto, spotName, spotSaid, voteButtons } from "./spot.js";

const PIN = "M12 2a7 7 0 0 0-7 7c0 5 7 13 7 13s7-8 7-13a7 7 0 0 0-7-7Zm0 9.500a2.500 2.500 0 1 1 0-5 2.500 2.500 0 0 1 0 5Z";

/** A callout takes the map's height, in pixels, but for its tip, the marker and a margin; less than this it never is. */
const BESIDE = 96;
const LOWEST = 120;

/** Spots lie over the people while one looks at them: somebody may stand on one. */
const ON_TOP = 2000;

/** Spots on the map: markers, bubbles where they crowd, and a callout with comment and votes. */
export class SpotLayer {
  #context;
  #map;
  #spots;
  #layer;
  #popup;
  #selected = null;
  #isActive = false;
  #open = null;

  /** @param {{session: object, map: object, spots: object, go: Function}} context */
  constructor(context) {
    this.#context = context;
    this.#spots = context.spots;
    this.#map = context.map.leaflet;
    this.#popup = L.popup({ closeButton: false, autoClose: false, closeOnClick: false, className: "callout", offset: [0, -14], minWidth: 284, maxWidth: 300, autoPanPadding: [12, 12] });
    this.#layer = new ClusterLayer(this.#map, {
      className: "spot-marker",
      draw: (pin, features, { marker }) => {
        marker.setZIndexOffset(ON_TOP);
        draw(pin, features, marker);
      },
      label: (features) => (features.length > 1 ? `${counted(features.length, "spot")} close together` : `Spot: ${spotName(features[0].properties.spot)}`),
      onPick: (feature) => context.go("places", ["spots", feature.id]),
      onList: (features, at) => this.#list(features, at),
    });
    this.#spots.addEventListener("change", () => this.draw());
    this.#map.on("moveend", () => {
      if (this.#isActive) this.#spots.readAround(context.map.center, context.map.reach);
    });
    this.#map.on("click", () => this.#leave());
  }

  /** Draws the spots as they are read. */
  draw() {
    if (!this.#isActive) return;
    this.#layer.show(this.#spots.all.map((spot) => ({
      type: "Feature", id: spot.id, geometry: { type: "Point", coordinates: [spot.lon, spot.lat] }, properties: { spot },
    })));
    if (this.#selected === null) return;
    const spot = this.#spots.get(this.#selected);
    if (this.#open !== null && spot === null) this.#leave();
    else if (this.#open === null && spot !== null) this.#show(spot);
    else this.#open?.draw();
  }

  /** Shows the layer with its section, and hides it with it. */
  setActive(active) {
    this.#isActive = active;
    this.#layer.setActive(active);
    if (!active) this.select(null);
    else this.draw();
  }

  /** Centres on a spot and opens its callout; null closes it. */
  select(id) {
    if (id !== null && id === this.#selected) return;
    this.#selected = id;
    this.#open = null;
    this.#map.closePopup(this.#popup);
    this.draw();
  }

  /** Takes it off the map. */
  remove() {
    this.#layer.remove();
  }

  #leave() {
    this.#map.closePopup(this.#popup);
    if (this.#isActive && this.#selected !== null) this.#context.go("places", ["spots"]);
  }

  #show(spot) {
    this.#open = this.#callout(spot);
    this.#popup.options.maxHeight = Math.max(LOWEST, this.#map.getSize().y - BESIDE);
    this.#popup.setLatLng([spot.lat, spot.lon]).setContent(this.#open.view);
    const open = () => {
      this.#map.off("moveend", open);
      if (this.#selected === spot.id) this.#popup.openOn(this.#map);
    };
    this.#map.stop();
    this.#map.on("moveend", open);
    this.#map.setView([spot.lat, spot.lon], Math.max(this.#map.getZoom(), 15), { animate: moving() });
  }

  #callout({ id }) {
    const { client, me } = this.#context.session;
    const spotNow = () => this.#spots.get(id);
    const votes = voteButtons(client, spotNow, (changed) => this.#spots.put(changed));
    const name = element("h2", { class: "callout-name" });
    const said = element("p", { class: "spot-said" });
    const by = element("p", { class: "hint" });
    const photo = new SpotPhoto();
    const close = button("×", () => {
      this.#leave();
      focusHeading();
    }, { class: "icon", "aria-label": "Close", "data-testid": "callout-close" });
    const { lat, lon, author, link } = spotNow();
    const view = element("div", { class: "callout-body", "data-testid": `spot-callout-${id}` },
      element("div", { class: "callout-head plain" }, element("div", {}, name, by), close), photo.view, said,
      mapLinks({ lat, lon, link }, spotName(spotNow())),
      element("div", { class: "row callout-actions" }, votes.view,
        author.id === me ? sureButton("Delete", "Delete this spot for everybody?", () => this.#delete(id), { class: "danger small", "data-testid": "spot-delete" }) : null));
    view.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      this.#leave();
      focusHeading();
    });
    const drawn = {
      view,
      draw() {
        const spot = spotNow();
        setText(name, spotName(spot));
        setText(said, spotSaid(spot));
        setShown(said, said.textContent !== "");
        setText(by, `by ${spot.author.id === me ? "you" : spot.author.name}`);
        photo.draw(spot);
        votes.draw();
      },
    };
    drawn.draw();
    return drawn;
  }

  async #delete(id) {
    const name = spotName(this.#spots.get(id));
    if (!await attempt(() => this.#context.session.client.request("spot.delete", { spot: id }))) return;
    this.#spots.drop(id);
    toast(`${name} is deleted.`);
    focusHeading();
  }

  #list(features, at) {
    const rows = features.map(({ id, properties: { spot } }) => element("li", {}, button(spotName(spot), () => {
      this.#map.closePopup(this.#popup);
      this.#context.go("places", ["spots", id]);
    }, { class: "link" })));
    this.#popup.setLatLng(at).setContent(element("div", { class: "callout-body" },
      element("h2", { class: "callout-name" }, `${counted(features.length, "spot")} here`), element("ul", { class: "bubble-list", tabindex: "0", "aria-label": "Spots here" }, rows))).openOn(this.#map);
  }
}

function draw(pin, features, marker) {
  const count = features.length;
  setAttribute(pin, "class", count > 1 ? "pin spot bubble" : "pin spot");
  setAttribute(marker.getElement(), "data-spots", `|${features.map((feature) => spotName(feature.properties.spot)).join("|")}|`);
  const wanted = String(count);
  if (pin.dataset.drawn === wanted) return;
  pin.dataset.drawn = wanted;
  pin.replaceChildren(count > 1 ? element("span", { class: "spot-count" }, wanted) : icon(PIN));
}

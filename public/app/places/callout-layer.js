import { TileLayer } from "../tiles/tile-layer.js";
import { PlaceCallout } from "./callout.js";

/** A layer of the server's tiles with a callout for the one selected item. The address determines the selection. */
export class CalloutLayer {
  #name;
  #layer;
  context;
  /** The Leaflet map. */
  leaflet;
  callout;
  /** The id of the selected item, or null; the item in the open callout, or null; whether the layer is shown. */
  selected = null;
  open = null;
  isActive = false;

  /**
   * @param {{map: object, card: object, go: Function}} context `card`: the place of the card in the panel
   * @param {string} name of the layer, and of its part of the address below "places"
   * @param {object} hand the drawing options of a `TileLayer`
   */
  constructor(context, name, hand) {
    this.context = context;
    this.#name = name;
    this.leaflet = context.map.leaflet;
    this.callout = new PlaceCallout(context.map, context.card);
    this.#layer = new TileLayer(context, hand);
    this.leaflet.on("click", () => this.leave());
  }

  /** Draws the callout with the known fields of the selected item. */
  draw() {}

  /** Shows or hides the layer with its section. */
  setActive(active) {
    this.isActive = active;
    this.#layer.show(active ? this.#name : null);
    if (!active) this.select(null);
    else this.draw();
  }

  /** Centres on an item and opens its callout; null closes it. */
  select(id) {
    if (id !== null && id === this.selected) return;
    this.selected = id;
    this.open = null;
    this.callout.close();
    this.draw();
  }

  /** Closes the callout, and navigates to the address without a selection. */
  leave() {
    this.callout.close();
    if (this.isActive && this.selected !== null) this.context.go("places", [this.#name]);
  }

  /** Removes the layer from the map. */
  remove() {
    this.callout.remove();
    this.#layer.remove();
  }
}

import { TileLayer } from "../tiles/tile-layer.js";
import { PlaceCallout } from "./callout.js";

/** A layer of the server's tiles, of which one thing at a time is selected, by the address, and said more of in a callout. */
export class CalloutLayer {
  #name;
  #layer;
  context;
  /** The map as Leaflet has it. */
  leaflet;
  callout;
  /** The id of what is selected, or null; what its callout shows, or null while there is none; whether the layer is shown. */
  selected = null;
  open = null;
  isActive = false;

  /**
   * @param {{map: object, go: Function}} context
   * @param {string} name of the layer, and of its part of the address below "places"
   * @param {number} width of the callout, in pixels
   * @param {object} hand how a `TileLayer` draws it
   */
  constructor(context, name, width, hand) {
    this.context = context;
    this.#name = name;
    this.leaflet = context.map.leaflet;
    this.callout = new PlaceCallout(this.leaflet, width);
    this.#layer = new TileLayer(context, hand);
    this.leaflet.on("click", () => this.leave());
  }

  /** Draws the callout as what is selected is known. */
  draw() {}

  /** Shows the layer with its section, and hides it with it. */
  setActive(active) {
    this.isActive = active;
    this.#layer.show(active ? this.#name : null);
    if (!active) this.select(null);
    else this.draw();
  }

  /** Centres on one thing and opens its callout; null closes it. */
  select(id) {
    if (id !== null && id === this.selected) return;
    this.selected = id;
    this.open = null;
    this.callout.close();
    this.draw();
  }

  /** Closes the callout, and goes where nothing is selected. */
  leave() {
    this.callout.close();
    if (this.isActive && this.selected !== null) this.context.go("places", [this.#name]);
  }

  /** Takes it off the map. */
  remove() {
    this.#layer.remove();
  }
}

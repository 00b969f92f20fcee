import { stylesheet } from "../ui/dom.js";
import { phrase } from "../ui/words.js";
import { announce, toast } from "./toasts.js";

/** The page's map in its place: opened after the first section, moved, and walked on by hand. */
export class MapStage {
  #session;
  #layout;
  #isClosed = false;
  /** The page's map; null until it is open. */
  map = null;

  /** @param {{session: object, layout: object}} parts */
  constructor({ session, layout }) {
    this.#session = session;
    this.#layout = layout;
  }

  /** Loads and creates the map; null when the page is left meanwhile. */
  async open() {
    const [{ LiveMap }, { loadConfig }] = await Promise.all([import("../map/map.js"), import("../map/config.js"), stylesheet("/app/map/map.css")]);
    const config = await loadConfig();
    if (this.#isClosed) return null;
    const { stage, sheet } = this.#layout;
    this.map = new LiveMap(stage, config);
    this.map.covered = () => this.#layout.covered;
    // With a field in use the sheet stays, because it holds the field.
    this.map.leaflet.on("dragstart", () => !document.activeElement?.matches("input, textarea, select") && sheet.lower("peek"));
    return this.map;
  }

  /** Moves the map to a place, and the sheet out of its way. */
  show(place) {
    if (!place || this.map === null) return;
    this.#layout.sheet.lower("half");
    this.map.goTo(place.lat, place.lon);
  }

  /** Starts to move the user by hand, from where they are or the middle of the map; `focus` moves the focus to them. */
  walk(focus) {
    if (this.map === null) return toast(phrase("map.late"));
    const { source, members, me } = this.#session;
    const isPlaced = (member) => typeof member?.lat === "number";
    const own = members.find((member) => member.user === me);
    const from = isPlaced(own) ? own : members.some(isPlaced) ? this.map.center : this.map.demoPlace;
    source.startWalking(from.lat, from.lon);
    this.map.goTo(from.lat, from.lon);
    focus();
    announce(phrase("walk.keys"));
  }

  /** Removes the map. */
  close() {
    this.#isClosed = true;
    this.map?.remove();
    this.map = null;
  }
}

import * as L from "/vendor/leaflet/leaflet.esm.min.js";
import { clusterLeaves } from "../../muster.js";
import { cluster } from "../map/clusters.js";
import { toast } from "../shell/toasts.js";
import { byId } from "../ui/avatar.js";
import { busyWhile, stylesheet } from "../ui/dom.js";
import { explain } from "../ui/text.js";
import { phrase } from "../ui/words.js";
import { mapZoom, watchArea } from "./area.js";
import { leafList } from "./leaf-list.js";
import { countOf } from "./look.js";
import { still } from "./passage.js";
import { Pins } from "./pins.js";

/** The time without a move of the map before other tiles are requested, in milliseconds. */
const REST = 120;

/** From this zoom on tiles contain all points unclustered, and no zoom splits a server cluster. */
const RAW = 17;

/** The margin around the visible area in which pins exist, in pixels. */
const MARGIN = 96;

/**
 * A layer of the server's tiles on the map: clusters, which split and merge during zooming and as points move, and
 * single points.
 *
 * It subscribes to the visible area, and shows a new zoom once all its tiles have arrived.
 */
export class TileLayer {
  #session;
  #map;
  #hand;
  #pins;
  #popup;
  #name = null;
  #watched = null;
  #coarser = 0;
  #timer = null;
  #frame = null;
  #onMoved = () => this.#moved();
  #onTiles = ({ detail }) => {
    if (detail.layer === this.#name) this.#changed();
  };

  /**
   * @param {{session: object, map: object}} context
   * @param {object} hand
   * @param {string} hand.className of each pin
   * @param {number} [hand.level] the z-index; above the members by default
   * @param {[string, string]} hand.nouns the singular and the plural noun of a point
   * @param {(face: HTMLElement, pin: HTMLElement, feature: object) => void} hand.draw draws a single point
   * @param {(feature: object) => string} hand.label the accessible name of a point
   * @param {(feature: object) => HTMLElement|string} hand.row the contents of a point's row in a list
   * @param {(feature: object) => void} hand.onPick called when a point is pressed, on the map or in a list
   */
  constructor({ session, map }, hand) {
    this.#session = session;
    this.#map = map.leaflet;
    this.#hand = hand;
    stylesheet("/app/tiles/tiles.css");
    this.#popup = L.popup({ closeButton: false, className: "callout", offset: [0, -14], minWidth: 240, maxWidth: 300, autoPanPadding: [12, 12] });
    this.#pins = new Pins(this.#map, {
      className: hand.className, draw: hand.draw, level: hand.level,
      title: hand.title,
      label: (feature) => this.#label(feature),
      onPress: (feature, pin) => busyWhile(pin, () => this.#press(feature, pin)),
    });
    this.#map.on("moveend", this.#onMoved);
    session.client.addEventListener("tiles", this.#onTiles);
  }

  /** Shows a layer by its name, such as `spots`; null shows none. */
  show(name) {
    if (name === this.#name) return;
    if (this.#name !== null) this.#session.client.unwatchTiles(this.#name).catch(() => {});
    this.#name = name;
    this.#watched = null;
    this.#coarser = 0;
    this.#map.closePopup(this.#popup);
    this.#pins.clear();
    if (name !== null) this.#watch();
  }

  /** Removes the layer from the map. */
  remove() {
    this.show(null);
    clearTimeout(this.#timer);
    cancelAnimationFrame(this.#frame);
    this.#map.off("moveend", this.#onMoved);
    this.#session.client.removeEventListener("tiles", this.#onTiles);
    this.#pins.remove();
  }

  // Subscription

  #moved() {
    if (this.#name === null) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#watch(), REST);
    this.#arrange();
  }

  async #watch() {
    const name = this.#name;
    if (name === null) return;
    const area = watchArea(this.#map, this.#coarser);
    if (area.key === this.#watched) return;
    this.#watched = area.key;
    try {
      await this.#session.client.watchTiles({ layer: name, zoom: area.zoom, bbox: area.bbox });
      this.#changed();
    } catch (error) {
      if (this.#watched === area.key) this.#watched = null;
      // Retries with fewer, wider tiles. After leaving a group its layer no longer exists, and no message is needed.
      if (error.code === "too_many_tiles" && area.zoom > 0) {
        this.#coarser += 1;
        this.#watch();
      } else if (error.code !== "not_member") toast(explain(error), { tone: "bad" });
    }
  }

  // Drawing

  #changed() {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = null;
      this.#arrange();
    });
  }

  #arrange() {
    const tiles = this.#name === null ? null : this.#session.client.tiles(this.#name);
    if (tiles === null || tiles.zoom !== watchArea(this.#map, this.#coarser).zoom) return;
    if (tiles.zoom !== this.#pins.zoom && !tiles.isComplete) return;
    const view = this.#map.getPixelBounds();
    const world = 256 * 2 ** this.#map.getZoom();
    const middle = view.getCenter().x;
    const seen = [];
    for (const feature of tiles.features()) {
      const [lon, lat] = feature.geometry.coordinates;
      const { x, y } = this.#map.project([lat, lon]);
      const aside = Math.abs(x - middle - world * Math.round((x - middle) / world));
      if (aside > (view.max.x - view.min.x) / 2 + MARGIN || y < view.min.y - MARGIN || y > view.max.y + MARGIN) continue;
      seen.push({ key: feature.id, x, y, weight: countOf(feature), feature });
    }
    this.#pins.show(tiles.zoom >= RAW ? this.#together(seen) : seen.map(({ feature }) => feature), tiles.zoom);
  }

  /** Merges points that overlap even at the maximum zoom into bubbles, as everywhere on the map. */
  #together(points) {
    return cluster(points).map(({ x, y, points: parts }) => {
      if (parts.length === 1) return parts[0].feature;
      const features = parts.map(({ feature }) => feature).sort((one, other) => byId(String(one.id), String(other.id)));
      const { lat, lng } = this.#map.unproject([x, y]);
      const count = features.reduce((sum, feature) => sum + countOf(feature), 0);
      return {
        type: "Feature", id: `b:${features[0].id}`, geometry: { type: "Point", coordinates: [lng, lat] },
        properties: { cluster: true, point_count: count }, parts: features,
      };
    });
  }

  #label(feature) {
    if (!feature.properties.cluster) return this.#hand.label(feature);
    return this.#splitsAt(feature) === null ? phrase("tiles.list", { counted: this.#counted(feature) }) : phrase("tiles.zoom", { counted: this.#counted(feature) });
  }

  #counted(feature) {
    return this.#hand.counted(countOf(feature));
  }

  /** The map zoom that splits a bubble; null when none does, undefined when only the server knows. */
  #splitsAt({ parts, properties }) {
    if (parts === undefined) return Number(properties.cluster_id.split(":")[1]) >= RAW ? null : undefined;
    for (let zoom = Math.floor(this.#map.getZoom()) + 1; zoom <= this.#map.getMaxZoom(); zoom += 1) {
      const points = parts.map((feature) => ({ key: feature.id, weight: countOf(feature), ...this.#projected(feature, zoom) }));
      if (cluster(points).length > 1) return zoom;
    }
    return null;
  }

  #projected({ geometry: { coordinates: [lon, lat] } }, zoom) {
    const { x, y } = this.#map.project([lat, lon], zoom);
    return { x, y };
  }

  // Presses

  async #press(feature, pin) {
    if (!feature.properties.cluster) return this.#hand.onPick(feature);
    const [lon, lat] = feature.geometry.coordinates;
    const splits = this.#splitsAt(feature);
    try {
      if (splits === null) return await this.#list(feature, pin);
      if (splits !== undefined) return this.#fly([lat, lon], splits);
      const { expansion_zoom: zoom, bbox } = await this.#session.client.cluster(this.#name, feature.properties.cluster_id);
      if (zoom >= RAW) return await this.#list(feature, pin);
      // Where the tiles are wider than the map's zoom requires, a cluster may split only at the map's current zoom.
      const nearer = Math.max(mapZoom(zoom), Math.floor(this.#map.getZoom()) + 1);
      if (nearer > this.#map.getMaxZoom()) return await this.#list(feature, pin);
      const [west, south, east, north] = bbox;
      this.#fly([(south + north) / 2, (west + (east < west ? east + 360 : east)) / 2], nearer);
    } catch (error) {
      // The cluster has just been replaced; the replacement is about to arrive.
      if (error.code !== "gone") toast(explain(error), { tone: "bad" });
    }
  }

  #fly(center, zoom) {
    this.#map.stop();
    if (still.matches) this.#map.setView(center, zoom, { animate: false });
    else this.#map.flyTo(center, zoom, { duration: 0.4 });
  }

  async #list(feature, pin) {
    const { token } = this.#session;
    const name = this.#name;
    const parts = feature.parts ?? [feature];
    const alone = parts.filter((part) => !part.properties.cluster);
    const clusters = parts.filter((part) => part.properties.cluster);
    const view = await leafList({
      title: phrase("tiles.here", { counted: this.#counted(feature) }),
      read: async (after, limit) => {
        const at = after ?? { index: alone.length > 0 ? -1 : 0, next: null };
        const { leaves, next } = at.index < 0 ? { leaves: alone, next: null }
          : await clusterLeaves(location.origin, name, clusters[at.index].properties.cluster_id, { token, after: at.next, limit });
        if (next !== null) return { leaves, next: { index: at.index, next } };
        return { leaves, next: at.index + 1 < clusters.length ? { index: at.index + 1, next: null } : null };
      },
      show: this.#hand.row,
      onPick: (leaf) => {
        this.#map.closePopup(this.#popup);
        this.#hand.onPick(leaf);
      },
      onClose: () => {
        this.#map.closePopup(this.#popup);
        (pin.isConnected ? pin : this.#map.getContainer()).focus({ preventScroll: true });
      },
    });
    if (name !== this.#name) return;
    const [lon, lat] = feature.geometry.coordinates;
    const worlds = Math.round((this.#map.getCenter().lng - lon) / 360);
    this.#popup.setLatLng([lat, lon + 360 * worlds]).setContent(view).openOn(this.#map);
    view.querySelector("button").focus();
  }
}

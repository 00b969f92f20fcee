import { local } from "../storage.js";
import { element } from "../ui/dom.js";

/** What a map's attribution links to. */
const COPYRIGHT = "https://www.openstreetmap.org/copyright";

/** The side of a tile in CSS pixels: the tile of zoom z is shown at Leaflet's zoom z + 1. */
export const SIDE = 512;

/** The storage key of the last description, for a page without a network: the browser keeps tiles by itself. */
const LAST = "muster.map";

/**
 * The server's description of its map: TileJSON with `version`, `parts`, and `raster`. Without a network it is the last
 * one. Null when it cannot be read.
 * @param {RequestCache} cache "no-cache" asks the server, as when the map may be replaced
 */
export async function readStreetMap(cache = "default") {
  try {
    const answer = await fetch("/v1/map", { cache });
    if (!answer.ok) return null;
    const map = await answer.json();
    local.set(LAST, map);
    return map;
  } catch {
    return local.get(LAST);
  }
}

/** Whether a map was imported. */
export function hasStreets(map) {
  return map !== null && map.tiles.length > 0;
}

/** Whether a place is in one of the map's parts. */
export function hasPlace({ parts }, { lat, lon }) {
  return parts.some(({ bounds: [west, south, east, north] }) => lon >= west && lon <= east && lat >= south && lat <= north);
}

/** The address of a tile, whose column may be beyond the world's edge. */
export function tileURL({ tiles: [template], version }, zoom, x, y) {
  const columns = 2 ** zoom;
  const values = { version, z: zoom, x: ((x % columns) + columns) % columns, y };
  return new URL(template.replace(/\{(\w+)\}/g, (_, name) => values[name]), location.href).href;
}

/** Whether a tile shows one of the map's parts. */
export function isInParts({ parts }, zoom, x, y) {
  const columns = 2 ** zoom;
  const column = ((x % columns) + columns) % columns;
  const [west, east] = [longitude(column, zoom), longitude(column + 1, zoom)];
  const [north, south] = [latitude(y, zoom), latitude(y + 1, zoom)];
  return parts.some(({ bounds: [left, bottom, right, top] }) => left < east && right > west && bottom < north && top > south);
}

function longitude(x, zoom) {
  return (x / 2 ** zoom) * 360 - 180;
}

function latitude(y, zoom) {
  return (Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / 2 ** zoom))) * 180) / Math.PI;
}

/** An attribution as text in which the name of OpenStreetMap is a link. */
export function credit(attribution) {
  // The text comes from a file, so it is never parsed as part of the page.
  const text = new DOMParser().parseFromString(attribution ?? "", "text/html").body.textContent.trim();
  const [before, name, after] = text.split(/(OpenStreetMap(?: contributors)?)/);
  return element("span", {}, before, name ? element("a", { href: COPYRIGHT, rel: "noopener" }, name) : null, after ?? null);
}

import { EXTENT } from "../app/streets/mvt.js";
import { Painter } from "../app/streets/painter.js";
import { SIDE, credit, isInParts, tileURL } from "../app/streets/source.js";
import { THEME_QUERIES, chosenTheme } from "../app/streets/theme.js";
import { element } from "../app/ui/dom.js";

/** The side of the map in CSS pixels: less than that of a tile, so that it shows at most four of them. */
const MAP_SIDE = 192;

/** The zoom of the map, in which streets are wide enough for a glance. */
const ZOOM = 16;

const painter = new Painter();

/**
 * Draws the streets around a place, which is marked in the middle.
 * @param {object} map of `readStreetMap`
 * @param {{lat: number, lon: number}} place
 * @returns {Promise<HTMLElement>} a figure with the map's credit
 */
export async function drawMap(map, place) {
  const canvas = element("canvas", { width: MAP_SIDE, height: MAP_SIDE, "aria-hidden": "true", "data-testid": "watch-canvas" });
  const { answer } = painter.request("picture", {
    tiles: tilesAround(map, place), side: MAP_SIDE, zoom: ZOOM, ratio: Math.min(2, devicePixelRatio), ground: true,
    // The watch is always dark.
    theme: chosenTheme(true, matchMedia(THEME_QUERIES.isStrong).matches),
  });
  const { bitmap } = await answer;
  [canvas.width, canvas.height] = [bitmap.width, bitmap.height];
  canvas.getContext("bitmaprenderer").transferFromImageBitmap(bitmap);
  return element("figure", { class: "streets" }, element("div", { class: "around" }, canvas, element("span", { class: "here", "aria-hidden": "true" })),
    element("figcaption", {}, credit(map.attribution)));
}

function tilesAround(map, { lat, lon }) {
  const zoom = Math.min(ZOOM - 1, map.maxzoom);
  const side = SIDE * 2 ** (ZOOM - 1 - zoom);
  const world = side * 2 ** zoom;
  const radians = (lat * Math.PI) / 180;
  const left = Math.round((world * (lon + 180)) / 360 - MAP_SIDE / 2);
  const top = Math.round(world * (0.5 - Math.asinh(Math.tan(radians)) / (2 * Math.PI)) - MAP_SIDE / 2);
  const tiles = [];
  for (let x = Math.floor(left / side); x * side < left + MAP_SIDE; x += 1) {
    for (let y = Math.floor(top / side); y * side < top + MAP_SIDE; y += 1) {
      if (isInParts(map, zoom, x, y)) tiles.push({ url: tileURL(map, zoom, x, y), scale: side / EXTENT, left: left - x * side, top: top - y * side });
    }
  }
  return tiles;
}

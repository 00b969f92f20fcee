/** The zoom difference between map and tiles: the map counts zooms of 256 pixels, tiles count zooms of 512. */
const FEWER = 1;

/** The maximum number of tiles in a subscription. */
const MOST = 64;

/** The tile zoom for a zoom of the map. */
export function tileZoom(zoom) {
  return Math.max(0, Math.floor(zoom) - FEWER);
}

/** The map zoom at which tiles of a zoom have their nominal width. */
export function mapZoom(zoom) {
  return zoom + FEWER;
}

/**
 * The tiles to subscribe to for the visible area: a quarter more on each side, within the limit of a subscription.
 *
 * The corners of the box are the centres of tiles, so that rounding does not select others.
 * @param {L.Map} map
 * @param {number} [coarser] the number of zooms below the tile zoom of the map
 * @returns {{zoom: number, bbox: [number, number, number, number], key: string}} the same `key` for the same tiles
 */
export function watchArea(map, coarser = 0) {
  const { min, max } = map.getPixelBounds();
  const room = max.subtract(min).divideBy(4);
  for (let zoom = Math.max(0, tileZoom(map.getZoom()) - coarser); ; zoom -= 1) {
    const count = 2 ** zoom;
    const side = (256 * 2 ** map.getZoom()) / count;
    for (const part of [1, 0]) {
      const tiles = (from, to, pad) => [Math.floor((from - pad * part) / side), Math.floor((to + pad * part) / side)];
      const columns = tiles(min.x, max.x, room.x);
      const rows = tiles(min.y, max.y, room.y).map((row) => Math.min(count - 1, Math.max(0, row)));
      const isWhole = columns[1] - columns[0] + 1 >= count;
      const [west, east] = isWhole ? [0, count - 1] : columns;
      if (zoom > 0 && (east - west + 1) * (rows[1] - rows[0] + 1) > MOST) continue;
      const bbox = [longitude(west, count), latitude(rows[1], count), longitude(east, count), latitude(rows[0], count)];
      return { zoom, bbox, key: `${zoom} ${bbox}` };
    }
  }
}

/** The longitude of a column's centre; columns beyond the date line wrap around. */
function longitude(column, count) {
  return ((((column % count) + count) % count) + 0.5) / count * 360 - 180;
}

function latitude(row, count) {
  return (Math.atan(Math.sinh(Math.PI * (1 - (2 * (row + 0.5)) / count))) * 180) / Math.PI;
}

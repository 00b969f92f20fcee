/**
 * The land outline for Leaflet: polygons of rings of `[lat, lon]`.
 *
 * `scripts/make-land-outline` documents its source and format. Empty when it cannot be loaded; the map works without
 * it.
 */
export async function loadLand() {
  const answer = await fetch("/land.json").catch(() => null);
  if (!answer?.ok) return [];
  const { scale, polygons } = await answer.json();
  return polygons.map((rings) => rings.map((ring) => points(ring, scale)));
}

function points(ring, scale) {
  const made = [];
  let lon = 0;
  let lat = 0;
  for (let index = 0; index < ring.length; index += 2) {
    lon += ring[index];
    lat += ring[index + 1];
    made.push([lat / scale, lon / scale]);
  }
  return made;
}

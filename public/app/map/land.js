/**
 * The land of the earth as Leaflet takes it: polygons of rings of `[lat, lon]`.
 * `scripts/make-land-outline` says where it comes from and how it is written. Empty when it cannot be read: the map
 * does without.
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

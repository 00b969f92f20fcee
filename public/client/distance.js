/** The mean radius of the Earth in metres. */
const EARTH = 6_371_008.8;

/** The distance between two positions along the surface, in metres. */
export function metresBetween(one, other) {
  const radians = Math.PI / 180;
  const north = Math.sin(((other.lat - one.lat) * radians) / 2);
  const east = Math.sin(((other.lon - one.lon) * radians) / 2);
  const chord = north * north + Math.cos(one.lat * radians) * Math.cos(other.lat * radians) * east * east;
  return 2 * EARTH * Math.asin(Math.min(1, Math.sqrt(chord)));
}

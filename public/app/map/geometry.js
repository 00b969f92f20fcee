export { metresBetween } from "../../client/distance.js";

/** The direction from one position to another, in degrees clockwise from true north. */
export function bearing(from, to) {
  const radians = Math.PI / 180;
  const east = (to.lon - from.lon) * radians;
  const y = Math.sin(east) * Math.cos(to.lat * radians);
  const x = Math.cos(from.lat * radians) * Math.sin(to.lat * radians) - Math.sin(from.lat * radians) * Math.cos(to.lat * radians) * Math.cos(east);
  return (Math.atan2(y, x) / radians + 360) % 360;
}

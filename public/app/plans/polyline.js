// The format is Google's "Encoded Polyline Algorithm": differences of coordinates in units of 0.00001°, with the sign
// in the lowest bit. Groups of five bits follow from the lowest, each but the last with bit 6 set, and 63 added to make
// them letters.

/** The points of a polyline with five decimals, as `[lat, lon]`; decoding ends at damaged input. */
export function points(polyline) {
  const found = [];
  let [at, lat, lon] = [0, 0, 0];
  const next = () => {
    let [bits, shift, group] = [0, 0, 0];
    do {
      group = polyline.charCodeAt(at++) - 63;
      if (!(group >= 0 && group < 64)) return NaN;
      bits += (group & 31) * 2 ** shift;
      shift += 5;
    } while (group >= 32);
    return bits % 2 === 1 ? -(bits + 1) / 2 : bits / 2;
  };
  while (at < polyline.length) {
    lat += next();
    lon += next();
    if (Number.isNaN(lat) || Number.isNaN(lon)) break;
    found.push([lat / 1e5, lon / 1e5]);
  }
  return found;
}

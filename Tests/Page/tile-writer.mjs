/**
 * An encoder of Mapbox Vector Tiles for tests.
 *
 * A layer is `{name, extent?, features}`, a feature `{attributes?, type: "point"|"line"|"area", parts}`, and a part a
 * list of `[x, y]`.
 */
export function encodeTile(layers) {
  return new Uint8Array(layers.flatMap((layer) => message(3, encodeLayer(layer)))).buffer;
}

const TYPES = { point: 1, line: 2, area: 3 };

function encodeLayer({ name, extent = 4096, features }) {
  const keys = [];
  const values = [];
  const encoded = features.map(({ attributes = {}, type, parts }) => {
    const tags = Object.entries(attributes).flatMap(([key, value]) => [...varint(index(keys, key)), ...varint(index(values, value))]);
    return message(2, [...message(2, tags), ...varint(3 * 8), ...varint(TYPES[type]), ...message(4, encodeGeometry(type, parts))]);
  });
  return [
    ...varint(15 * 8), ...varint(2), ...message(1, text(name)), ...encoded.flat(),
    ...keys.flatMap((key) => message(3, text(key))), ...values.flatMap((value) => message(4, encodeValue(value))),
    ...varint(5 * 8), ...varint(extent),
  ];
}

function encodeValue(value) {
  if (typeof value === "string") return message(1, text(value));
  if (typeof value === "boolean") return [...varint(7 * 8), value ? 1 : 0];
  if (Number.isInteger(value)) return value < 0 ? [...varint(6 * 8), ...zigzag(value)] : [...varint(5 * 8), ...varint(value)];
  return [...varint(3 * 8 + 1), ...new Uint8Array(new Float64Array([value]).buffer)];
}

function encodeGeometry(type, parts) {
  let before = [0, 0];
  const step = (point) => {
    const bytes = [...zigzag(point[0] - before[0]), ...zigzag(point[1] - before[1])];
    before = point;
    return bytes;
  };
  return parts.flatMap(([first, ...rest]) => [
    ...varint(1 + 8), ...step(first),
    ...(rest.length > 0 ? [...varint(2 + 8 * rest.length), ...rest.flatMap(step)] : []),
    ...(type === "area" ? varint(7 + 8) : []),
  ]);
}

function index(list, value) {
  const at = list.indexOf(value);
  return at >= 0 ? at : list.push(value) - 1;
}

function message(field, bytes) {
  return [...varint(field * 8 + 2), ...varint(bytes.length), ...bytes];
}

function text(words) {
  return [...new TextEncoder().encode(words)];
}

function zigzag(value) {
  return varint(value < 0 ? -2 * value - 1 : 2 * value);
}

function varint(value) {
  const bytes = [];
  for (; value >= 128; value = Math.floor(value / 128)) bytes.push((value % 128) + 128);
  return [...bytes, value];
}

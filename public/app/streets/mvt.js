/**
 * A decoder of Mapbox Vector Tiles, version 2: https://github.com/mapbox/vector-tile-spec/tree/master/2.1
 *
 * A tile is a protobuf message: layers with features, whose attributes are pairs of indices into the layer's keys and
 * values. A geometry is a list of commands (move, line, close), each with differences to the previous position.
 *
 * Each read is bounded by the end of its message, and each step consumes at least one byte. Any input therefore gives
 * features or a `RangeError`, in time proportional to its length.
 */

/** The side of a decoded tile; other extents are scaled to it. */
export const EXTENT = 4096;

/** The furthest position from a tile's corner, so that lengths of lines stay within reason. */
const FURTHEST = 2 ** 20;

const MOVE = 1;
const LINE = 2;
const CLOSE = 7;

/** The types of protobuf fields. */
const VARINT = 0;
const FIXED64 = 1;
const MESSAGE = 2;
const FIXED32 = 5;

const utf8 = new TextDecoder();

/** Reads the fields of one protobuf message. */
class Message {
  #bytes;
  #at;
  #end;

  constructor(bytes, start = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
  }

  get hasMore() {
    return this.#at < this.#end;
  }

  /** An unsigned number. Its parts beyond 53 bits are rounded. */
  varint() {
    let value = 0;
    for (let factor = 1; factor <= 2 ** 63; factor *= 128) {
      if (this.#at >= this.#end) throw truncated();
      const byte = this.#bytes[this.#at++];
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
    throw new RangeError("tile: a number is longer than 10 bytes");
  }

  /** A number in zigzag encoding. */
  signed() {
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  message() {
    const length = this.varint();
    const start = this.#skipBytes(length);
    return new Message(this.#bytes, start, start + length);
  }

  text() {
    const length = this.varint();
    const start = this.#skipBytes(length);
    return utf8.decode(this.#bytes.subarray(start, start + length));
  }

  /** A floating-point number of 4 or 8 bytes. */
  float(size) {
    const start = this.#skipBytes(size);
    const view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset + start, size);
    return size === 4 ? view.getFloat32(0, true) : view.getFloat64(0, true);
  }

  /** Calls an action for each field, with its number and type; the action returns false for a field that it did not read. */
  eachField(read) {
    while (this.hasMore) {
      const key = this.varint();
      const [field, type] = [Math.floor(key / 8), key % 8];
      if (read(field, type) === false) this.#skip(type);
    }
  }

  #skip(type) {
    if (type === VARINT) this.varint();
    else if (type === FIXED64) this.#skipBytes(8);
    else if (type === MESSAGE) this.message();
    else if (type === FIXED32) this.#skipBytes(4);
    else throw new RangeError("tile: a field has an unknown type");
  }

  #skipBytes(count) {
    const start = this.#at;
    if (count > this.#end - start) throw truncated();
    this.#at = start + count;
    return start;
  }
}

function truncated() {
  return new RangeError("tile: it ends too early");
}

/**
 * Decodes a tile.
 *
 * A part is `{points, isClosed, left, top, right, bottom}`: `points` is flat, x and y in turn. Layers of one name, as
 * a tile of several imports has them, are one layer.
 * @param {ArrayBuffer} buffer
 * @returns {Map<string, {attributes: object, parts: object[]}[]>} the features of each layer
 */
export function decodeTile(buffer) {
  const layers = new Map();
  const tile = new Message(new Uint8Array(buffer));
  tile.eachField((field, type) => {
    if (field !== 3 || type !== MESSAGE) return false;
    const { name, features } = decodeLayer(tile.message());
    const known = layers.get(name);
    if (known) known.push(...features);
    else layers.set(name, features);
  });
  return layers;
}

function decodeLayer(message) {
  const keys = [];
  const values = [];
  const features = [];
  let name = "";
  let extent = EXTENT;
  message.eachField((field, type) => {
    if (field === 1 && type === MESSAGE) name = message.text();
    else if (field === 2 && type === MESSAGE) features.push(message.message());
    else if (field === 3 && type === MESSAGE) keys.push(message.text());
    else if (field === 4 && type === MESSAGE) values.push(decodeValue(message.message()));
    else if (field === 5 && type === VARINT) extent = message.varint();
    else return false;
  });
  if (extent < 1) throw new RangeError("tile: the extent of a layer is 0");
  // Keys and values may come after the features.
  return { name, features: features.map((feature) => decodeFeature(feature, keys, values, EXTENT / extent)) };
}

function decodeValue(message) {
  let value = null;
  message.eachField((field, type) => {
    if (field === 1 && type === MESSAGE) value = message.text();
    else if (field === 2 && type === FIXED32) value = message.float(4);
    else if (field === 3 && type === FIXED64) value = message.float(8);
    else if ((field === 4 || field === 5) && type === VARINT) value = message.varint();
    else if (field === 6 && type === VARINT) value = message.signed();
    else if (field === 7 && type === VARINT) value = message.varint() !== 0;
    else return false;
  });
  return value;
}

function decodeFeature(message, keys, values, scale) {
  const attributes = {};
  let parts = [];
  message.eachField((field, type) => {
    if (field === 2 && type === MESSAGE) {
      const tags = message.message();
      while (tags.hasMore) {
        const [key, value] = [tags.varint(), tags.varint()];
        if (key >= keys.length || value >= values.length) throw new RangeError("tile: an attribute is missing in its layer");
        attributes[keys[key]] = values[value];
      }
    } else if (field === 4 && type === MESSAGE) parts = decodeGeometry(message.message(), scale);
    else return false;
  });
  return { attributes, parts };
}

function decodeGeometry(message, scale) {
  const parts = [];
  let part = null;
  let [x, y] = [0, 0];
  while (message.hasMore) {
    const command = message.varint();
    const [kind, count] = [command % 8, Math.floor(command / 8)];
    if (kind === CLOSE) {
      if (part !== null) part.isClosed = true;
      continue;
    }
    if (kind !== MOVE && (kind !== LINE || part === null)) throw new RangeError("tile: a geometry has an unknown command");
    for (let step = 0; step < count; step += 1) {
      x += message.signed() * scale;
      y += message.signed() * scale;
      if (!(Math.abs(x) <= FURTHEST && Math.abs(y) <= FURTHEST)) throw new RangeError("tile: a position is far outside of it");
      if (kind === MOVE) parts.push((part = { points: [x, y], isClosed: false, left: x, top: y, right: x, bottom: y }));
      else extend(part, x, y);
    }
  }
  return parts;
}

function extend(part, x, y) {
  part.points.push(x, y);
  if (x < part.left) part.left = x;
  else if (x > part.right) part.right = x;
  if (y < part.top) part.top = y;
  else if (y > part.bottom) part.bottom = y;
}

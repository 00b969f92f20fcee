/**
 * QR codes of model 2 (ISO/IEC 18004): bytes, error correction level M, versions 1 to 10, so up to 213 bytes.
 *
 * The text becomes codewords; these are split into blocks, each with Reed–Solomon codewords; the blocks are interleaved
 * and placed in a zigzag around the fixed patterns; of eight masks the one with the lowest penalty is applied.
 */

/** By version: all codewords, error correction codewords of a block, blocks, and the positions of the alignment patterns. */
const VERSIONS = [
  [26, 10, 1, []], [44, 16, 1, [6, 18]], [70, 26, 1, [6, 22]], [100, 18, 2, [6, 26]], [134, 24, 2, [6, 30]],
  [172, 16, 4, [6, 34]], [196, 18, 4, [6, 22, 38]], [242, 22, 4, [6, 24, 42]], [292, 22, 5, [6, 26, 46]], [346, 26, 5, [6, 28, 50]],
];

/** The masks: a module of the data is inverted where the condition holds. */
const MASKS = [
  (x, y) => (x + y) % 2 === 0, (x, y) => y % 2 === 0, (x) => x % 3 === 0, (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0, (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0, (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** Powers and logarithms of the field GF(256) with the polynomial 0x11d. */
const POWER = [];
const LOG = [];
for (let power = 0, value = 1; power < 255; power++) {
  POWER[power] = value;
  LOG[value] = power;
  value = (value << 1) ^ (value & 0x80 ? 0x11d : 0);
}
const product = (a, b) => (a === 0 || b === 0 ? 0 : POWER[(LOG[a] + LOG[b]) % 255]);

/** Returns the rows of a code's modules, true for dark; null for a text that is too long. */
export function qrCode(text) {
  const bytes = new TextEncoder().encode(text);
  const version = VERSIONS.findIndex(([all, each, blocks], index) => 4 + (index < 9 ? 8 : 16) + 8 * bytes.length <= 8 * (all - each * blocks)) + 1;
  if (version === 0) return null;
  const codewords = interleaved(encoded(bytes, version), version);
  const candidates = MASKS.map((_, mask) => drawn(codewords, version, mask));
  const penalties = candidates.map(penalty);
  return candidates[penalties.indexOf(Math.min(...penalties))];
}

/** The data codewords: mode, length, bytes, terminator, and padding. */
function encoded(bytes, version) {
  const [all, each, blocks] = VERSIONS[version - 1];
  const capacity = all - each * blocks;
  const bits = [];
  const append = (value, count) => {
    for (let bit = count - 1; bit >= 0; bit--) bits.push((value >> bit) & 1);
  };
  append(4, 4);
  append(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) append(byte, 8);
  append(0, Math.min(4, capacity * 8 - bits.length));
  append(0, (8 - (bits.length % 8)) % 8);
  for (let pad = 0xec; bits.length < capacity * 8; pad ^= 0xec ^ 0x11) append(pad, 8);
  return Array.from({ length: capacity }, (_, index) => bits.slice(index * 8, index * 8 + 8).reduce((value, bit) => value * 2 + bit, 0));
}

/** The blocks of the data with their error correction, codeword by codeword in turn. */
function interleaved(data, version) {
  const [all, each, count] = VERSIONS[version - 1];
  const divisor = generator(each);
  const short = Math.floor(all / count) - each;
  const long = all % count;
  const blocks = [];
  for (let index = 0, start = 0; index < count; index++) {
    const length = short + (index >= count - long ? 1 : 0);
    const block = data.slice(start, start + length);
    blocks.push({ block, correction: remainder(block, divisor) });
    start += length;
  }
  const columns = (parts, length) => Array.from({ length }, (_, column) => parts.map((part) => part[column]).filter((value) => value !== undefined)).flat();
  return [...columns(blocks.map(({ block }) => block), short + 1), ...columns(blocks.map(({ correction }) => correction), each)];
}

/** The coefficients of (x − 1)(x − 2)…(x − 2^(degree − 1)) without the first. */
function generator(degree) {
  const result = [...Array(degree - 1).fill(0), 1];
  for (let power = 0; power < degree; power++) {
    for (let index = 0; index < degree; index++) result[index] = product(result[index], POWER[power]) ^ (result[index + 1] ?? 0);
  }
  return result;
}

function remainder(block, divisor) {
  const result = divisor.map(() => 0);
  for (const byte of block) {
    const factor = byte ^ result.shift();
    result.push(0);
    divisor.forEach((coefficient, index) => (result[index] ^= product(coefficient, factor)));
  }
  return result;
}

function drawn(codewords, version, mask) {
  const size = 17 + 4 * version;
  const dark = Array.from({ length: size }, () => Array(size).fill(false));
  const isFixed = Array.from({ length: size }, () => Array(size).fill(false));
  const set = (x, y, value) => {
    if (x < 0 || y < 0 || x >= size || y >= size) return;
    dark[y][x] = Boolean(value);
    isFixed[y][x] = true;
  };
  for (let at = 0; at < size; at++) {
    set(6, at, at % 2 === 0);
    set(at, 6, at % 2 === 0);
  }
  const square = (x, y, radius, isDark) => {
    for (let dy = -radius; dy <= radius; dy++) for (let dx = -radius; dx <= radius; dx++) set(x + dx, y + dy, isDark(Math.max(Math.abs(dx), Math.abs(dy))));
  };
  for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]]) square(x, y, 4, (ring) => ring !== 2 && ring !== 4);
  const positions = VERSIONS[version - 1][3];
  const last = size - 7;
  // Three corners have the large patterns.
  const isCorner = (x, y) => (x === 6 && (y === 6 || y === last)) || (x === last && y === 6);
  for (const x of positions) for (const y of positions) if (!isCorner(x, y)) square(x, y, 2, (ring) => ring !== 1);
  drawFormat(set, size, mask);
  if (version > 6) drawVersion(set, size, version);
  let bit = 0;
  for (let right = size - 1; right > 0; right -= 2) {
    // The column of the timing pattern is skipped.
    if (right === 6) right = 5;
    const isUp = ((right + 1) & 2) === 0;
    for (let step = 0; step < size; step++) {
      for (const x of [right, right - 1]) {
        const y = isUp ? size - 1 - step : step;
        if (isFixed[y][x]) continue;
        dark[y][x] = Boolean(((codewords[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) !== MASKS[mask](x, y);
        bit += 1;
      }
    }
  }
  return dark;
}

/** A value followed by its remainder of a division by a generator of so many bits. */
function checked(value, generatorBits, degree) {
  let rest = value;
  for (let step = 0; step < degree; step++) rest = (rest << 1) ^ ((rest >> (degree - 1)) * generatorBits);
  return (value << degree) | rest;
}

function drawFormat(set, size, mask) {
  // Level M is 0.
  const bits = checked(mask, 0x537, 10) ^ 0x5412;
  const bit = (index) => (bits >> index) & 1;
  for (let index = 0; index < 6; index++) set(8, index, bit(index));
  set(8, 7, bit(6));
  set(8, 8, bit(7));
  set(7, 8, bit(8));
  for (let index = 9; index < 15; index++) set(14 - index, 8, bit(index));
  for (let index = 0; index < 8; index++) set(size - 1 - index, 8, bit(index));
  for (let index = 8; index < 15; index++) set(8, size - 15 + index, bit(index));
  set(8, size - 8, true);
}

function drawVersion(set, size, version) {
  const bits = checked(version, 0x1f25, 12);
  for (let index = 0; index < 18; index++) {
    const [a, b] = [size - 11 + (index % 3), Math.floor(index / 3)];
    set(a, b, (bits >> index) & 1);
    set(b, a, (bits >> index) & 1);
  }
}

/** The penalty of a code: long runs, squares, patterns like those in the corners, and an imbalance of dark and light. */
function penalty(dark) {
  const size = dark.length;
  let sum = 0;
  const lines = [...dark, ...dark.map((_, x) => dark.map((row) => row[x]))];
  for (const line of lines) {
    const text = line.map((value) => (value ? "1" : "0")).join("");
    for (const run of text.match(/1+|0+/g)) if (run.length >= 5) sum += run.length - 2;
    for (let at = 0; at + 11 <= size; at++) if (["10111010000", "00001011101"].includes(text.slice(at, at + 11))) sum += 40;
  }
  for (let y = 0; y + 1 < size; y++) {
    for (let x = 0; x + 1 < size; x++) if (dark[y][x] === dark[y][x + 1] && dark[y][x] === dark[y + 1][x] && dark[y][x] === dark[y + 1][x + 1]) sum += 3;
  }
  const share = dark.flat().filter(Boolean).length / (size * size);
  return sum + 10 * Math.floor(Math.abs(share * 100 - 50) / 5);
}

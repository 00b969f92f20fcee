/** The longest side of a photo that is sent, in pixels: the server would keep no more of it. */
const LONGEST = 1600;

/** How finely a JPEG is written, from 0 to 1. */
const QUALITY = 0.85;

/** Decodes a file, upright as it was taken. */
export async function readPicture(file) {
  try {
    return await createImageBitmap(file, { imageOrientation: "from-image" });
  } catch {
    throw new Error("This file cannot be read as a picture. Choose another one, for example a JPEG, a PNG or a WebP.");
  }
}

/** A canvas with the picture on it, no larger than what is sent. What is clear in it becomes white: a JPEG has no such thing. */
export function shrink(bitmap) {
  const scale = Math.min(1, LONGEST / Math.max(bitmap.width, bitmap.height));
  const canvas = blank(Math.max(1, Math.round(bitmap.width * scale)), Math.max(1, Math.round(bitmap.height * scale)));
  paint(canvas, bitmap, [0, 0, bitmap.width, bitmap.height]);
  return canvas;
}

/** An empty canvas. */
export function blank(width, height) {
  return Object.assign(document.createElement("canvas"), { width, height });
}

/** Fills a canvas with a part of a picture, `[left, top, width, height]`, on white. */
export function paint(canvas, bitmap, part) {
  const context = canvas.getContext("2d");
  context.fillStyle = "#ffffff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, ...part, 0, 0, canvas.width, canvas.height);
}

/** What is on a canvas as a JPEG: without where and when it was taken, which only the file knew. */
export function toJPEG(canvas) {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error("This picture cannot be made smaller.")) : resolve(blob)), "image/jpeg", QUALITY);
  });
}

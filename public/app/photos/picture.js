import { phrase } from "../ui/words.js";

/** The longest side of an uploaded photo, in pixels: the server keeps no more. */
const LONGEST = 1600;

/** The quality of an encoded JPEG, from 0 to 1. */
const QUALITY = 0.85;

/** Decodes a file with its orientation applied. */
export async function readPicture(file) {
  try {
    return await createImageBitmap(file, { imageOrientation: "from-image" });
  } catch {
    throw new Error(phrase("photo.unreadable"));
  }
}

/**
 * A canvas with the picture scaled to the upload size. Transparent parts become white, because a JPEG has no
 * transparency.
 */
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

/** Encodes a canvas as a JPEG, without the place and time metadata of the file. */
export function toJPEG(canvas) {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error(phrase("photo.unshrinkable"))) : resolve(blob)), "image/jpeg", QUALITY);
  });
}

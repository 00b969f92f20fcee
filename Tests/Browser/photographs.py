"""Pictures for the tests, drawn by the browser itself."""

import base64
import struct

#: Draws on a canvas: four fields of one colour each, or noise, which JPEG compresses badly.
DRAW = """async ({ width, height, isNoise, type }) => {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d");
  const fields = [["#d02020", 0, 0], ["#20a020", 1, 0], ["#2040d0", 0, 1], ["#e0c020", 1, 1]];
  for (const [colour, right, down] of fields) {
    context.fillStyle = colour;
    context.fillRect((right * width) / 2, (down * height) / 2, width / 2, height / 2);
  }
  if (isNoise) {
    const pixels = context.getImageData(0, 0, width, height);
    for (let at = 0; at < pixels.data.length; at += 65_536) crypto.getRandomValues(pixels.data.subarray(at, Math.min(at + 65_536, pixels.data.length)));
    for (let at = 3; at < pixels.data.length; at += 4) pixels.data[at] = 255;
    context.putImageData(pixels, 0, 0);
  }
  const bytes = new Uint8Array(await (await canvas.convertToBlob({ type })).arrayBuffer());
  return Array.from({ length: Math.ceil(bytes.length / 30_000) }, (_, part) => btoa(String.fromCharCode(...bytes.subarray(part * 30_000, (part + 1) * 30_000))));
}"""

#: The colour at the centre of a picture of the page, after it has loaded.
MIDDLE = """async (picture) => {
  await picture.decode();
  const canvas = new OffscreenCanvas(picture.naturalWidth, picture.naturalHeight);
  const context = canvas.getContext("2d");
  context.drawImage(picture, 0, 0);
  return [...context.getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data.subarray(0, 3)];
}"""


def photograph(window, width, height, *, is_noise=False, kind="jpeg", turned=False):
    """A file as `set_input_files` takes it; one that is turned lies on its side, and says so as cameras do."""
    parts = window.page.evaluate(DRAW, {"width": width, "height": height, "isNoise": is_noise, "type": f"image/{kind}"})
    data = b"".join(base64.b64decode(part) for part in parts)
    if turned:
        data = data[:2] + orientation(6) + data[2:]
    return {"name": f"photo.{kind}", "mimeType": f"image/{kind}", "buffer": data}


def orientation(value):
    """The segment of a JPEG that says how the camera was held."""
    tiff = b"MM\x00\x2a" + struct.pack(">IHHHIHHI", 8, 1, 0x0112, 3, 1, value, 0, 0)
    exif = b"Exif\x00\x00" + tiff
    return b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif


def middle(picture):
    """The colour in the middle of an `<img>`, as `(red, green, blue)`."""
    return tuple(picture.evaluate(MIDDLE))


def is_near(colour, other, within=40):
    """Whether two colours are the same but for what a JPEG makes of them."""
    return all(abs(one - two) <= within for one, two in zip(colour, other, strict=True))

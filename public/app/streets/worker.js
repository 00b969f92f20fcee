import { Renderer } from "./renderer.js";

/** Draws the map away from the page's thread. It answers `ping` at once, because loading a tile may take long. */
const renderer = new Renderer((message, transferred) => postMessage(message, transferred), (width, height) => new OffscreenCanvas(width, height));

addEventListener("message", ({ data }) => {
  if (data.kind === "ping") postMessage({ kind: "pong" });
  else renderer.handle(data);
});

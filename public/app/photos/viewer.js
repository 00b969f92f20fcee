import { openDialog } from "../shell/dialog.js";
import { element, stylesheet } from "../ui/dom.js";

await stylesheet("/app/photos/photos.css");

/**
 * Opens a photo as large as there is room: its small picture first, until the whole one is there.
 * @param {{url: string, thumb: string, width: number, height: number}} photo
 * @param {{title: string, alt: string}} words
 */
export function openPhoto({ url, thumb, width, height }, { title, alt }) {
  const picture = element("img", { class: "photo-whole", alt, width, height, "data-testid": "photo-whole" });
  const view = element("div", { class: "photo-stage" }, picture);
  // The room is there before the picture is.
  view.style.setProperty("--width", `${width}px`);
  view.style.setProperty("--ratio", `${width / height}`);
  picture.style.backgroundImage = `url("${CSS.escape(thumb)}")`;
  picture.addEventListener("load", () => (picture.style.backgroundImage = ""));
  picture.addEventListener("error", () => view.replaceChildren(element("p", { class: "wrong", role: "alert" }, "The photo cannot be loaded right now.")));
  picture.src = url;
  openDialog(title, view, { testid: "photo-dialog" }).classList.add("photo-dialog");
}

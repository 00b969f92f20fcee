import { openDialog } from "../shell/dialog.js";
import { aboutPhoto, openReport } from "../shell/report.js";
import { button, element, stylesheet } from "../ui/dom.js";
import { phrase } from "../ui/words.js";

await stylesheet("/app/photos/photos.css");

/**
 * Opens a photo at the largest size that fits: its thumbnail first, until the full photo has loaded.
 * @param {{url: string, thumb: string, width: number, height: number}} photo
 * @param {{title: string, alt: string, reporter?: object|null}} about `reporter`: the client of a user who may report
 *   it
 */
export function openPhoto({ url, thumb, width, height }, { title, alt, reporter = null }) {
  const picture = element("img", { class: "photo-whole", alt, width, height, "data-testid": "photo-whole" });
  const view = element("div", { class: "photo-stage" }, picture);
  // The space is reserved before the picture has loaded.
  view.style.setProperty("--width", `${width}px`);
  view.style.setProperty("--ratio", `${width / height}`);
  picture.style.backgroundImage = `url("${CSS.escape(thumb)}")`;
  picture.addEventListener("load", () => (picture.style.backgroundImage = ""));
  picture.addEventListener("error", () => view.replaceChildren(element("p", { class: "wrong", role: "alert" }, phrase("photo.unloaded"))));
  picture.src = url;
  const report = reporter && button(phrase("report.open"), () => {
    dialog.close();
    openReport(reporter, aboutPhoto({ url }));
  }, { class: "small", "aria-haspopup": "dialog", "data-testid": "photo-report" });
  const dialog = openDialog(title, report ? element("div", { class: "stack" }, view, element("div", { class: "row" }, report)) : view, { testid: "photo-dialog" });
  dialog.classList.add("photo-dialog");
}

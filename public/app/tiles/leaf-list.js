import { attempt } from "../shell/toasts.js";
import { button, element, setShown } from "../ui/dom.js";
import { phrase } from "../ui/words.js";

/** The number of points in a page. */
const PAGE = 20;

/**
 * The points of a cluster that no zoom splits, in pages.
 * @param {object} options
 * @param {string} options.title such as "37 spots here"
 * @param {(after: object|null, limit: number) => Promise<{leaves: object[], next: object|null}>} options.read loads a
 *   page
 * @param {(feature: object) => HTMLElement|string} options.show the contents of a row
 * @param {(feature: object) => void} options.onPick
 * @param {() => void} options.onClose called when Escape is pressed
 * @returns {Promise<HTMLElement>} once its first page is loaded
 */
export async function leafList({ title, read, show, onPick, onClose }) {
  const list = element("ul", { class: "bubble-list", tabindex: "0", "aria-label": title });
  let after = null;
  const more = button(phrase("showMore"), () => attempt(async () => {
    const first = await next();
    first?.focus();
  }), { class: "small", "data-testid": "leaves-more" });
  const next = async () => {
    const page = await read(after, PAGE);
    const rows = page.leaves.map((feature) => button(show(feature), () => onPick(feature), { class: "link leaf", "data-testid": "leaf", "data-leaf": feature.id }));
    list.append(...rows.map((row) => element("li", {}, row)));
    after = page.next;
    setShown(more, after !== null);
    return rows[0] ?? null;
  };
  await next();
  const view = element("div", { class: "callout-body", "data-testid": "leaf-list" }, element("h2", { class: "callout-name" }, title), list, more);
  view.addEventListener("keydown", (event) => {
    if (event.key === "Escape") onClose();
  });
  return view;
}

import { element } from "./dom.js";
import { lineIcon } from "./icons.js";

/** The distance of a menu from its button and from the edges of the page, in pixels. */
const GAP = 4;
const EDGE = 8;

let opened = null;

/**
 * Opens a menu beside its opener; a second call for the same opener closes it.
 *
 * Arrow keys, Home and End move in it, and Escape, Tab and a press elsewhere close it. Closing returns the focus to
 * the opener, before the chosen action runs.
 * @param {HTMLElement} opener
 * @param {({label: string, icon?: string, content?: Node[], action?: (() => void)|null, href?: string, testid?: string, isDanger?: boolean, isChosen?: boolean, attributes?: object}|null)[]} items
 *   null draws a line; an item without an action or address is omitted; `content`: nodes in place of the label
 * @param {{label: string, testid?: string, at?: {left: number, right: number, top: number, bottom: number}, onClose?: () => void}} options
 *   `at`: the box to open beside, in place of the opener's
 */
export function openMenu(opener, items, { label, testid, at = opener.getBoundingClientRect(), onClose = () => {} } = {}) {
  const isSame = opened?.opener === opener;
  opened?.close();
  if (isSame) return;
  const isButton = opener.localName === "button";
  const ended = new AbortController();
  const shown = items.filter((item) => item === null || item.action || item.href);
  const isLine = (index) => shown[index] === null;
  const rows = shown.flatMap((item, index) => {
    if (item === null) return index === 0 || index === shown.length - 1 || isLine(index - 1) ? [] : [element("hr", {})];
    return [element(item.href ? "a" : "button", {
      ...(item.href ? { href: item.href, target: item.href.startsWith("https:") ? "_blank" : null, rel: "noopener noreferrer" } : { type: "button" }), role: item.isChosen === undefined ? "menuitem" : "menuitemradio", "aria-checked": item.isChosen?.toString(), tabindex: "-1",
      class: item.isDanger ? "danger" : null, "data-testid": item.testid, ...item.attributes,
      onclick: () => {
        close();
        item.action?.();
      },
    }, ...(item.content ?? [item.icon ? lineIcon(item.icon) : null, element("span", {}, item.label)]))];
  });
  const stops = rows.filter((row) => row.localName !== "hr");
  const view = element("div", { class: "menu", role: "menu", "aria-label": label, "data-testid": testid }, rows);
  // Everything on the page is within a landmark.
  const region = element("section", { "aria-label": label }, view);

  function close() {
    if (opened?.view !== view) return;
    opened = null;
    ended.abort();
    const held = view.contains(document.activeElement);
    region.remove();
    if (isButton) opener.setAttribute("aria-expanded", "false");
    if (held) opener.focus({ preventScroll: true });
    onClose();
  }

  view.addEventListener("keydown", (event) => {
    const index = stops.indexOf(document.activeElement);
    const next = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: -1 }[event.key];
    if (next !== undefined) stops.at(next % stops.length).focus();
    else if (event.key === "Escape" || event.key === "Tab") close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  document.addEventListener("pointerdown", ({ target }) => {
    if (!view.contains(target) && !opener.contains(target)) close();
  }, { signal: ended.signal, capture: true });
  addEventListener("resize", close, { signal: ended.signal });
  addEventListener("hashchange", close, { signal: ended.signal });
  // A modal dialog hides everything outside of it.
  (opener.closest("dialog") ?? document.body).append(region);
  place(view, at);
  opened = { opener, view, close };
  if (isButton) {
    opener.setAttribute("aria-haspopup", "menu");
    opener.setAttribute("aria-expanded", "true");
  }
  (stops.find((row) => row.getAttribute("aria-checked") === "true") ?? stops[0])?.focus({ preventScroll: true });
}

/** A button that opens a menu; `itemsOf` returns the items when it is pressed. */
export function menuButton(label, itemsOf, { content = lineIcon("more"), ...attributes } = {}) {
  const made = element("button", { type: "button", class: "icon", "aria-label": label, title: label, "aria-haspopup": "menu", "aria-expanded": "false", ...attributes }, content);
  made.addEventListener("click", () => openMenu(made, itemsOf(), { label }));
  return made;
}

function place(view, box) {
  const { offsetWidth: width, offsetHeight: height } = view;
  const below = box.bottom + GAP + height <= innerHeight - EDGE;
  const left = box.left + width + EDGE > innerWidth ? box.right - width : box.left;
  view.style.left = `${Math.max(EDGE, Math.min(left, innerWidth - EDGE - width))}px`;
  view.style.top = `${below ? box.bottom + GAP : Math.max(EDGE, box.top - GAP - height)}px`;
}

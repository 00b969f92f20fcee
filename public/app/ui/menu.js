import { element } from "./dom.js";

/** The distance of a menu from its button and from the edges of the page, in pixels. */
const GAP = 4;
const EDGE = 8;

let opened = null;

/**
 * Opens a menu beside its button; a second call for the same button closes it.
 *
 * Arrow keys, Home and End move in it, and Escape, Tab and a press elsewhere close it. Closing returns the focus to
 * the button, before the chosen action runs.
 * @param {HTMLElement} opener
 * @param {({label: string, content?: Node[], action: () => void, testid?: string, isDanger?: boolean, isChosen?: boolean}|null)[]} items
 *   null draws a line; `content`: nodes in place of the label
 * @param {{label: string, testid?: string}} options
 */
export function openMenu(opener, items, { label, testid } = {}) {
  const isSame = opened?.opener === opener;
  opened?.close();
  if (isSame) return;
  const ended = new AbortController();
  const rows = items.map((item) => item === null ? element("hr", {}) : element("button", {
    type: "button", role: item.isChosen === undefined ? "menuitem" : "menuitemradio", "aria-checked": item.isChosen?.toString(), tabindex: "-1",
    class: item.isDanger ? "danger" : null, "data-testid": item.testid,
    onclick: () => {
      close();
      item.action();
    },
  }, ...(item.content ?? [item.label])));
  const stops = rows.filter((row) => row.localName === "button");
  const view = element("div", { class: "menu", role: "menu", "aria-label": label, "data-testid": testid }, rows);

  function close() {
    if (opened?.view !== view) return;
    opened = null;
    ended.abort();
    const held = view.contains(document.activeElement);
    view.remove();
    opener.setAttribute("aria-expanded", "false");
    if (held) opener.focus();
  }

  view.addEventListener("keydown", (event) => {
    const at = stops.indexOf(document.activeElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
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
  // A modal dialog hides everything outside of it.
  (opener.closest("dialog") ?? document.body).append(view);
  place(view, opener.getBoundingClientRect());
  opened = { opener, view, close };
  opener.setAttribute("aria-haspopup", "menu");
  opener.setAttribute("aria-expanded", "true");
  (stops.find((row) => row.getAttribute("aria-checked") === "true") ?? stops[0])?.focus({ preventScroll: true });
}

function place(view, box) {
  const { offsetWidth: width, offsetHeight: height } = view;
  const below = box.bottom + GAP + height <= innerHeight - EDGE;
  view.style.left = `${Math.max(EDGE, Math.min(box.left, innerWidth - EDGE - width))}px`;
  view.style.top = `${below ? box.bottom + GAP : Math.max(EDGE, box.top - GAP - height)}px`;
}

/**
 * Creates an element: `element("button", { class: "quiet", onclick: act, "data-testid": "go" }, "Go")`.
 *
 * Attributes that are null, undefined or false are omitted; true ones are empty; `on…` are listeners.
 */
export function element(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** Creates an icon of one path in a box of 24 by 24, hidden from screen readers. */
export function icon(path) {
  const drawing = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
  fill(line, { d: path }, []);
  return fill(drawing, { viewBox: "0 0 24 24", width: 24, height: 24, class: "icon-drawing", "aria-hidden": "true", focusable: "false" }, [line]);
}

function fill(made, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? "" : String(value));
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

/** Sets an element's text only when it differs, so that screen readers and selections are not disturbed. */
export function setText(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

/** Sets an attribute only when it differs. */
export function setAttribute(target, name, value) {
  if (target.getAttribute(name) !== String(value)) target.setAttribute(name, String(value));
}

/** Shows or hides an element. */
export function setShown(target, shown) {
  if (target.hidden === shown) target.hidden = !shown;
}

/** A button that is busy while its action runs, and ignores presses meanwhile. */
export function button(label, action, attributes = {}) {
  const made = element("button", { type: "button", ...attributes }, label);
  made.addEventListener("click", () => busyWhile(made, action));
  return made;
}

/** Marks a control busy while an action runs. */
export async function busyWhile(control, action) {
  if (control.getAttribute("aria-busy") === "true") return;
  control.setAttribute("aria-busy", "true");
  try {
    await action();
  } finally {
    control.removeAttribute("aria-busy");
  }
}

const sheets = new Map();

/** Adds a stylesheet to the page, once; resolves when it is loaded. A bundle names none where the page has it already. */
export function stylesheet(address) {
  if (address === "") return Promise.resolve();
  if (!sheets.has(address)) {
    sheets.set(address, new Promise((resolve) => {
      const link = element("link", { rel: "stylesheet", href: address, onload: resolve, onerror: resolve });
      document.head.append(link);
    }));
  }
  return sheets.get(address);
}

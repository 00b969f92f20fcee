/**
 * Makes an element: `element("button", { class: "quiet", onclick: act, "data-testid": "go" }, "Go")`.
 * Attributes that are null, undefined or false are left out; true ones are empty; `on…` are listeners.
 */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? "" : String(value));
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

/** Sets an element's text only when it differs, so that screen readers and selections are left in peace. */
export function setText(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

/** Shows or hides an element. */
export function setShown(target, shown) {
  target.hidden = !shown;
}

let labelled = 0;

/**
 * A labelled input with a place for what is wrong with it: `complain(text)` says it there, `complain(null)` takes it back.
 * @param {{hint?: string, unit?: string}} [more] a line below it, and what stands behind it
 */
export function field(label, attributes, { hint, unit } = {}) {
  const id = `field-${++labelled}`;
  const described = [unit && `${id}-unit`, hint && `${id}-hint`].filter(Boolean);
  const input = element("input", { id, ...attributes, "aria-describedby": described.join(" ") || null });
  const below = hint ? element("p", { class: "hint", id: `${id}-hint` }, hint) : null;
  const problem = element("p", { class: "problem", id: `${id}-problem`, "data-testid": attributes["data-testid"] && `${attributes["data-testid"]}-problem` });
  const measured = unit ? element("div", { class: "measure" }, input, element("span", { id: `${id}-unit` }, unit)) : input;
  const row = element("div", { class: "field" }, element("label", { for: id }, label), measured, below);
  return {
    input,
    row,
    hint: below,
    get isWrong() {
      return problem.isConnected;
    },
    complain(text) {
      if (text === null) {
        problem.remove();
        input.removeAttribute("aria-invalid");
      } else {
        setText(problem, text);
        measured.after(problem);
        input.setAttribute("aria-invalid", "true");
      }
      // The effect of a value that cannot be is no help.
      if (below) setShown(below, text === null);
      const ids = text === null ? described : [problem.id, unit && `${id}-unit`].filter(Boolean);
      if (ids.length > 0) input.setAttribute("aria-describedby", ids.join(" "));
      else input.removeAttribute("aria-describedby");
    },
  };
}

/** A button that is of no use twice at once: it is busy while its action runs. */
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

/** Says something to screen readers only, at once. */
export function announce(text) {
  const announcer = document.getElementById("announcer");
  announcer.textContent = "";
  // Emptied and filled in one turn, the same words would not be spoken twice.
  setTimeout(() => (announcer.textContent = text), 50);
}

/** Says something in passing, for everybody. */
export function toast(text, { tone = "plain" } = {}) {
  const shown = element("p", { class: `toast ${tone}` }, text);
  document.getElementById("toasts").append(shown);
  setTimeout(() => shown.remove(), 6000);
}

import { button, element, setAttribute, setShown, setText } from "./dom.js";
import { lineIcon } from "./icons.js";
import { phrase } from "./words.js";

let labelled = 0;

/**
 * A labelled input with a line for its error: `complain(text)` shows it, `complain(null)` clears it.
 * @param {{hint?: string, unit?: string}} [more] a line below the input, and the unit behind it
 */
export function field(label, attributes, { hint, unit } = {}) {
  const id = `field-${++labelled}`;
  const described = [unit && `${id}-unit`, hint && `${id}-hint`].filter(Boolean);
  const input = element("input", { id, ...attributes, "aria-describedby": described.join(" ") || null });
  const below = hint ? element("p", { class: "hint", id: `${id}-hint` }, hint) : null;
  const problem = element("p", { class: "problem", id: `${id}-problem`, "data-testid": attributes["data-testid"] && `${attributes["data-testid"]}-problem` });
  const measured = attributes.type === "password" ? element("div", { class: "password" }, input, reveal(input)) : unit ? element("div", { class: "measure" }, input, element("span", { id: `${id}-unit` }, unit)) : input;
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
      // The hint does not apply to an invalid value.
      if (below) setShown(below, text === null);
      const ids = text === null ? described : [problem.id, unit && `${id}-unit`].filter(Boolean);
      if (ids.length > 0) input.setAttribute("aria-describedby", ids.join(" "));
      else input.removeAttribute("aria-describedby");
    },
  };
}

/** A button that shows and hides the contents of a password field. */
function reveal(input) {
  const made = button("", () => {
    const isShown = input.type === "text";
    input.type = isShown ? "password" : "text";
    setAttribute(made, "aria-pressed", !isShown);
  }, { class: "icon", "aria-label": phrase("password.show"), title: phrase("password.show"), "aria-pressed": "false", "data-testid": "password-show" });
  made.append(lineIcon("eye"));
  return made;
}

/** A labelled select with a few options, `[value, name]` each. */
export function select(label, testid, options) {
  const id = `${testid}-field`;
  const input = element("select", { id, "data-testid": testid }, options.map(([value, name]) => element("option", { value }, name)));
  return { input, row: element("div", { class: "field" }, element("label", { for: id }, label), input) };
}

/** A radio button with its label and a line of explanation. */
export function choice(name, value, label, hint, checked, testid) {
  const input = element("input", { type: "radio", name, value, checked, "data-testid": testid });
  return element("label", { class: "choice" }, input,
    element("span", {}, element("strong", {}, label), hint ? element("span", { class: "hint" }, hint) : null));
}

/** A button that asks "are you sure?" in place before it acts. */
export function sureButton(label, question, action, attributes = {}) {
  const testid = attributes["data-testid"];
  const ask = element("button", { type: "button", class: "danger", ...attributes }, label);
  const row = element("div", { class: "sure" }, ask);
  ask.addEventListener("click", () => askInPlace(row, { question, yes: label.replace(/…$/u, ""), no: phrase("cancel"), testid, back: ask, action }));
  return row;
}

/**
 * Asks a question in place of the controls of a row, until it is answered.
 * @param {HTMLElement} row
 * @param {{question: string, yes: string, no: string, testid?: string, back: HTMLElement, action: () => Promise<void>}} options
 *   `back` receives the focus after no
 */
export function askInPlace(row, { question, yes, no, testid, back, action }) {
  const held = [...row.children];
  const restore = () => {
    row.classList.remove("asking");
    row.replaceChildren(...held);
  };
  const sure = button(yes, async () => {
    await action();
    if (row.isConnected) restore();
  }, { class: "danger filled", "data-testid": testid && `${testid}-confirm` });
  const never = button(no, () => {
    restore();
    back.focus();
  });
  row.classList.add("asking");
  row.replaceChildren(element("div", { class: "question", role: "group", "aria-label": question }, element("p", {}, question), element("div", { class: "row" }, sure, never)));
  never.focus();
}

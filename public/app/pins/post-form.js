import { button, element } from "../ui/dom.js";
import { field } from "../ui/form.js";
import { phrase } from "../ui/words.js";

/** The maximum lengths of a text and a link. */
const TEXT = 200;
const LINK = 2048;

/**
 * A form for the text of a pin; its place is picked next.
 * @param {{onPlace: (draft: object) => void, onHere: (draft: object) => void}} options `onPlace`: the place is picked on
 *   the map; `onHere`: it is where the user is
 */
export function postForm({ onPlace, onHere }) {
  const text = field(phrase("pin.text"), { maxlength: TEXT, autocomplete: "off", placeholder: phrase("pin.text.example"), "data-testid": "pin-text" },
    { hint: phrase("pin.text.hint") });
  const link = field(phrase("pin.link"), { type: "url", maxlength: LINK, autocomplete: "off", placeholder: "https://…", "data-testid": "pin-link" });
  const rough = element("input", { type: "checkbox", "data-testid": "pin-approximate" });
  const point = element("button", { type: "submit", class: "filled", "data-testid": "pin-point" }, phrase("pickOnMap"));
  const mine = button(phrase("pin.here"), () => take(onHere), { "data-testid": "pin-here" });
  const form = element("form", { class: "stack", novalidate: true }, text.row, link.row,
    element("label", { class: "choice" }, rough, element("span", {}, element("strong", {}, phrase("pin.approximate")), element("span", { class: "hint" }, phrase("pin.approximate.hint")))),
    element("div", { class: "row" }, point, mine));

  const draft = () => ({ text: text.input.value.trim(), ...(link.input.value.trim() && { link: link.input.value.trim() }), ...(rough.checked && { approximate: true }) });

  /** Passes the draft on if it is valid, and shows the errors otherwise. */
  function take(act) {
    const { text: said, link: address } = draft();
    text.complain(said ? null : phrase("pin.text.missing"));
    link.complain(!address || isAddress(address) ? null : phrase("pin.link.wrong"));
    if (text.isWrong) return text.input.focus();
    if (link.isWrong) return link.input.focus();
    return act(draft());
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void take(onPlace);
  });
  return { view: form, focus: () => text.input.focus() };
}

function isAddress(text) {
  return /^https?:\/\/[^/?#@\s\\]+([/?#]|$)/i.test(text);
}

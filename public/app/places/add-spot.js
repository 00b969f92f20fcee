import { PhotoField } from "../photos/photo-field.js";
import { busyWhile, element, setText } from "../ui/dom.js";
import { field } from "../ui/form.js";
import { explain } from "../ui/text.js";
import { phrase } from "../ui/words.js";

/** The maximum length of a place's name, and of the comment that consists of the name, a line break and the text. */
const NAME = 80;
const COMMENT = 500;

/**
 * A form that adds a spot at a place, with an optional photo.
 * @param {object} session
 * @param {{lat: number, lon: number}} place
 * @param {{onAdded: (spot: object) => Promise<void>, signal: AbortSignal}} options `signal`: aborted when the form is
 *   left
 */
export function addSpotForm({ client, token }, { lat, lon }, { onAdded, signal }) {
  const name = field(phrase("name"), { maxlength: NAME, autocomplete: "off", placeholder: phrase("spot.name.example"), "data-testid": "spot-name" },
    { hint: phrase("spot.name.hint") });
  const more = field(phrase("form.description"), { maxlength: COMMENT - NAME - 1, autocomplete: "off", "data-testid": "spot-more" });
  const photo = new PhotoField({ token });
  const problem = element("p", { class: "problem", role: "alert" });
  const submit = element("button", { type: "submit", class: "filled", "data-testid": "spot-add" }, phrase("spot.add"));
  const form = element("form", { class: "stack", novalidate: true }, name.row, more.row, photo.view,
    element("p", { class: "hint" }, phrase("spot.add.hint")), problem, submit);
  signal.addEventListener("abort", () => photo.cancel());
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const called = name.input.value.trim();
    name.complain(called ? null : phrase("spot.name.missing"));
    if (!called) return name.input.focus();
    const said = more.input.value.trim();
    setText(problem, "");
    busyWhile(submit, async () => {
      if (!(await photo.send(submit)) || signal.aborted) return;
      try {
        const { spot } = await client.request("spot.add", { lat, lon, comment: said ? `${called}\n${said}` : called, ...(photo.id !== null && { photo: photo.id }) });
        await onAdded(spot);
      } catch (error) {
        // An error is shown at the field that it concerns.
        if (error.field === "comment") name.complain(phrase("spot.name.wrong"));
        else if (error.field === "photo") photo.complain(phrase("spot.photo.gone"));
        else setText(problem, explain(error));
      }
    });
  });
  return form;
}

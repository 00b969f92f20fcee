import { PhotoField } from "../photos/photo-field.js";
import { busyWhile, element, setText } from "../ui/dom.js";
import { field } from "../ui/form.js";
import { explain } from "../ui/text.js";

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
  const name = field("Name", { maxlength: NAME, autocomplete: "off", placeholder: "Corner café", "data-testid": "spot-name" },
    { hint: "Gatherings here have this name." });
  const more = field("Description (optional)", { maxlength: COMMENT - NAME - 1, autocomplete: "off", "data-testid": "spot-more" });
  const photo = new PhotoField({ token });
  const problem = element("p", { class: "problem", role: "alert" });
  const submit = element("button", { type: "submit", class: "filled", "data-testid": "spot-add" }, "Add spot");
  const form = element("form", { class: "stack", novalidate: true }, name.row, more.row, photo.view,
    element("p", { class: "hint" }, "Everyone on this server can see this, with your name."), problem, submit);
  signal.addEventListener("abort", () => photo.cancel());
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const called = name.input.value.trim();
    name.complain(called ? null : "The spot needs a name.");
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
        if (error.field === "comment") name.complain("Use a name of 1 to 80 characters, without line breaks.");
        else if (error.field === "photo") photo.complain("This photo can no longer be used. Choose it again.");
        else setText(problem, explain(error));
      }
    });
  });
  return form;
}

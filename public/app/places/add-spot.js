import { toast } from "../shell/toasts.js";
import { busyWhile, element } from "../ui/dom.js";
import { field } from "../ui/form.js";
import { explain } from "../ui/text.js";

/** The longest name of a place, and how long a comment may be with it and the line break behind it. */
const NAME = 80;
const COMMENT = 500;

/** A form that adds a spot at a place. */
export function addSpotForm(client, { lat, lon }, onAdded) {
  const name = field("Name", { maxlength: NAME, autocomplete: "off", placeholder: "Blue Bottle", "data-testid": "spot-name" },
    { hint: "When friends meet here, it is called so." });
  const more = field("What there is to say (optional)", { maxlength: COMMENT - NAME - 1, autocomplete: "off", "data-testid": "spot-more" });
  const submit = element("button", { type: "submit", class: "filled", "data-testid": "spot-add" }, "Add spot");
  const form = element("form", { class: "stack", novalidate: true }, name.row, more.row,
    element("p", { class: "hint" }, "It is added with your name, and everybody can see it."), submit);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const called = name.input.value.trim();
    name.complain(called ? null : "The spot needs a name.");
    if (!called) return name.input.focus();
    const said = more.input.value.trim();
    busyWhile(submit, async () => {
      try {
        const { spot } = await client.request("spot.add", { lat, lon, comment: said ? `${called}\n${said}` : called });
        await onAdded(spot);
      } catch (error) {
        // What the server finds wrong is said where it is wrong.
        if (error.field === "comment") name.complain(error.message);
        else toast(explain(error), { tone: "bad" });
      }
    });
  });
  return form;
}

import { PhotoField } from "../photos/photo-field.js";
import { busyWhile, element, setShown, setText } from "../ui/dom.js";
import { field, select } from "../ui/form.js";
import { explain, isolated } from "../ui/text.js";
import { phrase } from "../ui/words.js";

const HOUR = 3_600_000;

/**
 * A form for all fields of an event except its place, for a new event or changes to an existing one.
 * @param {object} session
 * @param {{event?: object, label: string, signal: AbortSignal, onDone: (draft: object) => Promise<void>}} options
 */
export function eventForm({ client, token }, { event = null, label, signal, onDone }) {
  const start = event?.startsAt ?? Math.ceil((Date.now() + HOUR) / HOUR) * HOUR;
  const title = field(phrase("event.form.title"), { maxlength: 120, autocomplete: "off", value: event?.title, placeholder: phrase("event.form.title.example"), "data-testid": "event-title" });
  const begins = field(phrase("event.form.begins"), { type: "datetime-local", value: local(start), "data-testid": "event-starts" });
  const ends = field(phrase("event.form.ends"), { type: "datetime-local", value: local(event?.endsAt ?? start + 2 * HOUR), "data-testid": "event-ends" });
  const place = field(phrase("event.form.place"), { maxlength: 120, autocomplete: "off", value: event?.place, "data-testid": "event-place" });
  const category = field(phrase("event.form.kind"), { maxlength: 40, autocomplete: "off", value: event?.category, placeholder: phrase("event.form.kind.example"), "data-testid": "event-category" });
  const capacity = field(phrase("event.form.capacity"), { type: "number", min: 1, max: 1000, value: event?.capacity, "data-testid": "event-capacity" }, { hint: phrase("event.form.capacity.hint") });
  const textID = "event-text-field";
  const text = element("textarea", { id: textID, maxlength: 2000, rows: 3, "data-testid": "event-text" });
  text.value = event?.text ?? "";
  const who = select(phrase("event.form.who"), "event-visibility", [["", phrase("event.form.everyone")], ...[...client.groups.values()].map(({ id, name }) => [id, phrase("event.form.only", { name: isolated(name) })])]);
  setShown(who.row, event === null);
  const hide = element("input", { type: "checkbox", checked: event?.hidePlace, "data-testid": "event-hide" });
  const photo = new PhotoField({ token });
  const submit = element("button", { type: "submit", class: "filled", "data-testid": "event-submit" }, label);
  const problem = element("p", { class: "problem", role: "alert" });
  const form = element("form", { class: "stack", novalidate: true }, title.row, begins.row, ends.row, place.row,
    element("div", { class: "field" }, element("label", { for: textID }, phrase("form.description")), text), category.row, capacity.row, who.row,
    element("label", { class: "choice" }, hide, element("span", {}, element("strong", {}, phrase("event.form.hide")), element("span", { class: "hint" }, phrase("event.form.hide.hint")))),
    photo.view, problem, submit);
  signal.addEventListener("abort", () => photo.cancel());

  form.addEventListener("submit", (submitted) => {
    submitted.preventDefault();
    const draft = read();
    if (draft === null) return;
    setText(problem, "");
    busyWhile(submit, async () => {
      if (!(await photo.send(submit)) || signal.aborted) return;
      try {
        await onDone({ ...draft, ...(photo.id !== null && { photo: photo.id }) });
      } catch (error) {
        setText(problem, explain(error));
      }
    });
  });

  /** Returns the input if it is valid; otherwise shows the errors at their fields. */
  function read() {
    const name = title.input.value.trim();
    const from = begins.input.valueAsNumber;
    const [startsAt, endsAt] = [begins, ends].map(({ input }) => new Date(input.value).getTime());
    const places = capacity.input.value === "" ? null : Number(capacity.input.value);
    title.complain(name ? null : phrase("event.form.title.missing"));
    begins.complain(Number.isNaN(startsAt) || Number.isNaN(from) ? phrase("event.form.begins.missing") : null);
    ends.complain(endsAt > startsAt ? null : phrase("event.form.ends.wrong"));
    capacity.complain(places === null || (Number.isInteger(places) && places >= 1 && places <= 1000) ? null : phrase("event.form.capacity.wrong"));
    const wrong = [title, begins, ends, capacity].find((each) => each.isWrong);
    if (wrong) {
      wrong.input.focus();
      return null;
    }
    const written = { place: place.input.value.trim(), text: text.value.trim(), category: category.input.value.trim() };
    const fields = { title: name, startsAt, endsAt, hidePlace: hide.checked };
    if (event !== null) return { ...fields, capacity: places, ...Object.fromEntries(Object.entries(written).map(([key, value]) => [key, value || null])) };
    return {
      ...fields, tz: Intl.DateTimeFormat().resolvedOptions().timeZone, ...(places !== null && { capacity: places }),
      ...Object.fromEntries(Object.entries(written).filter(([, value]) => value)),
      ...(who.input.value ? { visibility: "group", group: who.input.value } : { visibility: "public" }),
    };
  }

  return { view: form, focus: () => title.input.focus() };
}

/** The value of a `datetime-local` field, by the clock of this device. */
function local(at) {
  const date = new Date(at);
  return new Date(at - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

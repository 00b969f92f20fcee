import { element, setShown, toast } from "./dom.js";
import { openDialog } from "./dialog.js";
import { explain, moment } from "./text.js";

const MODES = [
  ["live", "Live", "Your friends see exactly where you are."],
  ["approximate", "Approximate", "They see the neighbourhood, to about a kilometre."],
  ["paused", "Paused", "They do not see where you are."],
];

/** What a sharing mode is called. */
export function sharingWord(mode) {
  return MODES.find(([each]) => each === mode)?.[1] ?? "Live";
}

function untilTomorrow(now) {
  const morning = new Date(now);
  morning.setHours(8, 0, 0, 0);
  if (morning.getTime() <= now + 3_600_000) morning.setDate(morning.getDate() + 1);
  return morning.getTime();
}

/**
 * Lets one choose what others see, and for how long.
 * @param {{mode: string, group: object, groups: number, now: number, onChosen: (choice: object) => Promise<void>}} options
 */
export function openSharingDialog({ mode, group, groups, now, onChosen }) {
  const choices = MODES.map(([value, label, hint]) => {
    const input = element("input", { type: "radio", name: "mode", value, checked: value === mode, "data-testid": `sharing-${value}` });
    return element("label", { class: "choice" }, input, element("span", {}, element("strong", {}, label), element("span", { class: "hint" }, hint)));
  });
  const duration = element("select", { id: "sharing-until", "data-testid": "sharing-until" },
    element("option", { value: "" }, "Until I change it"),
    element("option", { value: now + 3_600_000 }, "For 1 hour"),
    element("option", { value: now + 4 * 3_600_000 }, "For 4 hours"),
    element("option", { value: untilTomorrow(now) }, `Until ${moment(untilTomorrow(now), now)}`));
  const forLong = element("div", { class: "field" }, element("label", { for: "sharing-until" }, "How long"), duration,
    element("p", { class: "hint" }, "Afterwards you share live again."));
  const everywhere = element("input", { type: "checkbox", "data-testid": "sharing-everywhere" });
  const submit = element("button", { type: "submit", class: "filled", "data-testid": "sharing-save" }, "Save");
  const form = element("form", {},
    element("fieldset", {}, element("legend", {}, `What ${group.name} sees`), choices),
    forLong,
    groups > 1 ? element("label", { class: "choice" }, everywhere, "In all my groups") : null,
    submit);
  const chosen = () => form.elements.mode.value;
  const adjust = () => setShown(forLong, chosen() !== "live");
  form.addEventListener("change", adjust);
  adjust();
  const dialog = openDialog("Sharing", form, { testid: "sharing-dialog" });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const choice = { mode: chosen() };
    if (!everywhere.checked) choice.group = group.id;
    if (choice.mode !== "live" && duration.value) choice.until = Number(duration.value);
    submit.disabled = true;
    try {
      await onChosen(choice);
      dialog.close();
    } catch (error) {
      toast(explain(error), { tone: "bad" });
    }
    submit.disabled = false;
  });
}

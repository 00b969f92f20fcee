import { openDialog } from "../shell/dialog.js";
import { toast } from "../shell/toasts.js";
import { element, setShown } from "../ui/dom.js";
import { choice } from "../ui/form.js";
import { capital, explain, isolated, moment } from "../ui/text.js";

const HOUR = 3_600_000;

const MODES = [
  ["live", "Live", "They see exactly where you are."],
  ["approximate", "Approximate", "They see your neighbourhood, to about a kilometre. You do not count as together with them."],
  ["paused", "Paused", "They do not see where you are, and you do not count as together with them."],
];

/** The end of a period: "until 18:00". */
export function untilWords(until, now) {
  return `until ${moment(until, now)}`;
}

/** The current sharing in words: "paused until 18:00, then live". */
function sharingWords({ mode, until, then }, now) {
  return until === null ? mode : `${mode} ${untilWords(until, now)}, then ${then ?? "live"}`;
}

/** The next 8:00 after a night; in the small hours it is on the same day. */
function nextMorning(now) {
  const morning = new Date(now);
  if (morning.getHours() >= 4) morning.setDate(morning.getDate() + 1);
  return morning.setHours(8, 0, 0, 0);
}

function durations(now, until) {
  const morning = nextMorning(now);
  const day = new Date(morning).getDate() === new Date(now).getDate() ? "this morning" : "tomorrow morning";
  return [
    ...(until === null ? [] : [[until, `Until ${moment(until, now)}, as it is`]]),
    [now + HOUR, `For 1 hour, until ${moment(now + HOUR, now)}`],
    [now + 8 * HOUR, `For 8 hours, until ${moment(now + 8 * HOUR, now)}`],
    [morning, `Until ${day}, ${moment(morning, morning)}`],
    ["", "Until I change it"],
  ];
}

/** Opens the choice of the user's sharing with the shown group, and of its duration. */
export function openSharingDialog(session) {
  const group = session.current;
  const groups = session.groups.length;
  const now = Math.round(session.now);
  const sharing = session.sharing();
  const { mode, until, pictures } = sharing;
  const choices = MODES.map(([value, label, hint]) => choice("mode", value, label, hint, value === mode, `sharing-${value}`));
  const wanted = mode === "live" ? now + HOUR : (until ?? "");
  const length = element("select", { id: "sharing-until", "data-testid": "sharing-until" },
    durations(now, until).map(([value, label]) => element("option", { value, selected: value === wanted }, label)));
  const forLong = element("div", { class: "field" }, element("label", { for: "sharing-until" }, "For how long"), length);
  const pictured = element("input", { type: "checkbox", name: "pictures", checked: pictures, "data-testid": "sharing-pictures" });
  const submit = element("button", { type: "submit", class: "filled", "data-testid": "sharing-save" }, "Save");
  const form = element("form", {},
    element("p", { class: "in-force", "data-testid": "sharing-now" }, element("span", { class: "hint" }, `Now, with ${isolated(group.name)}`), element("strong", {}, capital(sharingWords(sharing, now)))),
    element("fieldset", {}, element("legend", {}, "What they see"), choices),
    forLong,
    element("label", { class: "choice" }, pictured, element("span", {}, element("strong", {}, "On pictures"),
      element("span", { class: "hint" }, "Friends may send pictures of the map that show me. Without this I am on none, and those that show me are gone."))),
    groups > 1 ? element("fieldset", {}, element("legend", {}, "For whom"),
      choice("scope", "group", `Only ${isolated(group.name)}`, null, true, "sharing-here"),
      choice("scope", "all", `All my ${groups} groups`, null, false, "sharing-everywhere")) : null,
    submit);
  const chosen = () => form.elements.mode.value;
  const adjust = () => setShown(forLong, chosen() !== "live");
  form.addEventListener("change", adjust);
  adjust();
  const dialog = openDialog("Sharing", form, { testid: "sharing-dialog" });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const choice = { mode: chosen() };
    if (form.elements.scope?.value !== "all") choice.group = group.id;
    if (choice.mode !== "live" && length.value) choice.until = Number(length.value);
    if (pictured.checked !== pictures || !choice.group) choice.pictures = pictured.checked;
    submit.disabled = true;
    try {
      await session.setSharing(choice);
      dialog.close();
      toast(`${choice.group ? `With ${isolated(group.name)}` : "With all your groups"}: ${sharingWords({ ...choice, until: choice.until ?? null }, session.now)}.`);
    } catch (error) {
      toast(explain(error), { tone: "bad" });
    }
    submit.disabled = false;
  });
}

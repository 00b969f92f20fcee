import { openDialog } from "../shell/dialog.js";
import { busyWhile, element, setText } from "../ui/dom.js";
import { choice } from "../ui/form.js";
import { counted, explain, isolated, moment } from "../ui/text.js";

const HOUR = 3_600_000;

/** The modes of sharing: the value, its name, a line about it, and the words of the button. */
const MODES = [
  ["live", "Live", "They see exactly where you are.", "Share live"],
  ["approximate", "Approximate", "Within about 1 km. You don’t count as together.", "Share approximately"],
  ["paused", "Hidden", "Nobody in this group sees you.", "Hide me"],
];

/** The next end of an evening, or of a night when it is late: `[time, name]`. */
function evening(now) {
  const end = new Date(now);
  const hours = end.getHours();
  if (hours >= 4 && hours < 22) return [end.setHours(23, 0, 0, 0), "This evening"];
  if (hours >= 22) end.setDate(end.getDate() + 1);
  return [end.setHours(8, 0, 0, 0), "Until morning"];
}

/** The selectable ends: the key, its name, and the time of an end that is chosen at `now`; null for none. */
function ends(until, opened) {
  return [
    ...(until === null ? [] : [["kept", `Until ${moment(until, opened)}`, () => until]]),
    ["hour", "1 hour", (now) => Math.round(now + HOUR)], ["evening", evening(opened)[1], (now) => evening(now)[0]], ["none", "No end", () => null],
  ];
}

/** What follows, as a sentence. */
function outcome(mode, until, now) {
  const name = MODES.find(([value]) => value === mode)[1];
  if (until === null) return `${name} until you change it.`;
  return `${name} until ${moment(until, now)}, then ${mode === "live" ? "hidden" : "live again"}.`;
}

/** Opens "Your location": what the shown group sees of the user, and until when. */
export function openSharingDialog(session) {
  const group = session.current;
  const { mode, until, pictures } = session.sharing();
  const others = (session.roster?.members.size ?? 1) - 1;
  const otherGroups = session.groups.length - 1;
  const choices = MODES.map(([value, label, hint]) => choice("mode", value, label, hint, value === mode, `sharing-${value}`));
  const selectable = ends(until, session.now);
  const chips = element("div", { class: "chips" }, selectable.map(([value, label]) => element("label", { class: "chip" },
    element("input", { type: "radio", name: "until", value, "data-testid": `until-${value}` }), label)));
  const follows = element("p", { class: "hint", role: "status", "data-testid": "sharing-now" });
  const all = toggle(`Also for my ${otherGroups === 1 ? "other group" : `${otherGroups} other groups`}`, null, { name: "all", "data-testid": "sharing-everywhere" });
  const pictured = toggle("Show me on map pictures", "Friends can send a picture of the map.", { name: "pictures", checked: pictures, "data-testid": "sharing-pictures" });
  const problem = element("p", { class: "problem", role: "alert", "data-testid": "sharing-problem" });
  const submit = element("button", { type: "submit", class: "filled wide", "data-testid": "sharing-save" });
  const form = element("form", {},
    element("p", { class: "hint" }, `${isolated(group.name)} · ${others === 0 ? "nobody else yet" : counted(others, "person", "people")}`),
    element("fieldset", { class: "options" }, element("legend", { class: "hidden-visually" }, "What they see"), choices),
    element("fieldset", {}, element("legend", {}, "Until"), chips), follows,
    otherGroups > 0 ? all : null, pictured, problem, submit, element("p", { class: "hint note" }, "Works while Muster is open on this device."));
  const chosen = () => form.elements.mode.value;
  const chosenEnd = () => selectable.find(([value]) => value === form.elements.until.value)[2](session.now);
  const choose = (value) => (form.elements.until.value = value);
  const adjust = () => {
    const end = chosenEnd();
    setText(follows, outcome(chosen(), end, session.now));
    const label = MODES.find(([value]) => value === chosen())[3];
    setText(submit, chosen() === "live" && end !== null ? `${label} until ${moment(end, session.now)}` : label);
  };
  choose(until === null ? "none" : "kept");
  form.addEventListener("change", ({ target }) => {
    // Live has no end unless one is chosen; the others end by themselves.
    if (target.name === "mode") choose(target.value === mode && until !== null ? "kept" : target.value === "live" ? "none" : "hour");
    adjust();
  });
  adjust();
  // "1 hour" begins with the press, so what follows changes while the dialog is open.
  session.addEventListener("change", adjust);
  const dialog = openDialog("Your location", form, { testid: "sharing-dialog" });
  dialog.addEventListener("close", () => session.removeEventListener("change", adjust));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    setText(problem, "");
    void busyWhile(submit, async () => {
      const wanted = { mode: chosen() };
      const isForAll = form.elements.all?.checked ?? false;
      if (!isForAll) wanted.group = group.id;
      const end = chosenEnd();
      if (end !== null) wanted.until = end;
      if (end !== null && wanted.mode === "live") wanted.then = "paused";
      if (form.elements.pictures.checked !== pictures || isForAll) wanted.pictures = form.elements.pictures.checked;
      try {
        await session.setSharing(wanted);
      } catch (error) {
        return setText(problem, explain(error));
      }
      dialog.close();
      follow(session, wanted);
    });
  });
}

// The device follows the browser's position for as long as any group may see it.
function follow(session, { mode, group, until = null }) {
  const { source } = session;
  if (mode !== "paused") return source.mode === "off" ? source.startGps() : undefined;
  const isSeen = (id) => id !== group && group !== undefined && session.sharing(id).mode !== "paused";
  if (source.mode === "gps" && until === null && !session.groups.some(({ id }) => isSeen(id))) source.stop();
}

function toggle(label, hint, attributes) {
  return element("label", { class: "toggle-row" }, element("span", {}, element("strong", {}, label), hint === null ? null : element("span", { class: "hint" }, hint)),
    element("input", { type: "checkbox", class: "switch-box", role: "switch", ...attributes }));
}

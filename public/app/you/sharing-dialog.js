import { openDialog } from "../shell/dialog.js";
import { toast } from "../shell/toasts.js";
import { busyWhile, element, setText } from "../ui/dom.js";
import { choice } from "../ui/form.js";
import { explain, isolated, moment } from "../ui/text.js";
import { phrase } from "../ui/words.js";

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

/** The selectable ends: the value, its name and the key for tests. */
function ends(now, until) {
  const [late, name] = evening(now);
  return [
    ...(until === null ? [] : [[until, `Until ${moment(until, now)}`, "kept"]]),
    [Math.round(now + HOUR), "1 hour", "hour"], [late, name, "evening"], ["none", "No end", "none"],
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
  const now = session.now;
  const { mode, until, pictures } = session.sharing();
  const others = (session.roster?.members.size ?? 1) - 1;
  const otherGroups = session.groups.length - 1;
  const choices = MODES.map(([value, label, hint]) => choice("mode", value, label, hint, value === mode, `sharing-${value}`));
  const chips = element("div", { class: "chips" }, ends(now, until).map(([value, label, key]) => element("label", { class: "chip" },
    element("input", { type: "radio", name: "until", value, "data-testid": `until-${key}` }), label)));
  const follows = element("p", { class: "hint", role: "status", "data-testid": "sharing-now" });
  const all = toggle(`Also for my ${otherGroups === 1 ? "other group" : `${otherGroups} other groups`}`, null, { name: "all", "data-testid": "sharing-everywhere" });
  const pictured = toggle("Show me on map pictures", "Friends can send a picture of the map.", { name: "pictures", checked: pictures, "data-testid": "sharing-pictures" });
  const submit = element("button", { type: "submit", class: "filled wide", "data-testid": "sharing-save" });
  const form = element("form", {},
    element("p", { class: "hint" }, `${isolated(group.name)} · ${others === 0 ? "nobody else yet" : phrase("count.people", { count: others })}`),
    element("fieldset", { class: "options" }, element("legend", { class: "hidden-visually" }, "What they see"), choices),
    element("fieldset", {}, element("legend", {}, "Until"), chips), follows,
    otherGroups > 0 ? all : null, pictured, submit, element("p", { class: "hint note" }, "Works while Muster is open on this device."));
  const chosen = () => form.elements.mode.value;
  const chosenEnd = () => (form.elements.until.value === "none" ? null : Number(form.elements.until.value));
  const choose = (value) => (form.elements.until.value = String(value));
  const adjust = () => {
    setText(follows, outcome(chosen(), chosenEnd(), now));
    const label = MODES.find(([value]) => value === chosen())[3];
    setText(submit, chosen() === "live" && chosenEnd() !== null ? `${label} until ${moment(chosenEnd(), now)}` : label);
  };
  choose(until ?? "none");
  form.addEventListener("change", ({ target }) => {
    // Live has no end unless one is chosen; the others end by themselves.
    if (target.name === "mode") choose(target.value === mode && until !== null ? until : target.value === "live" ? "none" : Math.round(now + HOUR));
    adjust();
  });
  adjust();
  const dialog = openDialog("Your location", form, { testid: "sharing-dialog" });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
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
        return toast(explain(error), { tone: "bad" });
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

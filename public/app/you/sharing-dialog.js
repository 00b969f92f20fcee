import { openDialog } from "../shell/dialog.js";
import { busyWhile, element, setText } from "../ui/dom.js";
import { choice } from "../ui/form.js";
import { explain, isolated, moment } from "../ui/text.js";
import { phrase } from "../ui/words.js";

const HOUR = 3_600_000;

/** The modes of sharing, in the order of the dialog. */
const MODES = ["live", "approximate", "paused"];

/** The next end of an evening, or of a night when it is late: `[time, name]`. */
function evening(now) {
  const end = new Date(now);
  const hours = end.getHours();
  if (hours >= 4 && hours < 22) return [end.setHours(23, 0, 0, 0), phrase("sharing.evening")];
  if (hours >= 22) end.setDate(end.getDate() + 1);
  return [end.setHours(8, 0, 0, 0), phrase("sharing.morning")];
}

/** The selectable ends: the key, its name, and the time of an end that is chosen at `now`; null for none. */
function ends(until, opened) {
  return [
    ...(until === null ? [] : [["kept", phrase("sharing.end", { when: moment(until, opened) }), () => until]]),
    ["hour", phrase("time.hours", { count: 1 }), (now) => Math.round(now + HOUR)], ["evening", evening(opened)[1], (now) => evening(now)[0]], ["none", phrase("sharing.endless"), () => null],
  ];
}

/** What follows, as a sentence. */
function outcome(mode, until, now) {
  const name = phrase(`sharing.${mode}`);
  if (until === null) return phrase("sharing.outcome.endless", { mode: name });
  const values = { mode: name, when: moment(until, now) };
  return mode === "live" ? phrase("sharing.outcome.hidden", values) : phrase("sharing.outcome.live", values);
}

/** Opens "Your location": what the shown group sees of the user, and until when. */
export function openSharingDialog(session) {
  const group = session.current;
  const { mode, until, pictures } = session.sharing();
  const others = (session.roster?.members.size ?? 1) - 1;
  const otherGroups = session.groups.length - 1;
  const choices = MODES.map((value) => choice("mode", value, phrase(`sharing.${value}`), phrase(`sharing.${value}.hint`), value === mode, `sharing-${value}`));
  const selectable = ends(until, session.now);
  const chips = element("div", { class: "chips" }, selectable.map(([value, label]) => element("label", { class: "chip" },
    element("input", { type: "radio", name: "until", value, "data-testid": `until-${value}` }), label)));
  const follows = element("p", { class: "hint", role: "status", "data-testid": "sharing-now" });
  const all = toggle(phrase("sharing.everywhere", { count: otherGroups }), null, { name: "all", "data-testid": "sharing-everywhere" });
  const pictured = toggle(phrase("sharing.pictures"), phrase("sharing.pictures.hint"), { name: "pictures", checked: pictures, "data-testid": "sharing-pictures" });
  const problem = element("p", { class: "problem", role: "alert", "data-testid": "sharing-problem" });
  const submit = element("button", { type: "submit", class: "filled wide", "data-testid": "sharing-save" });
  const form = element("form", {},
    element("p", { class: "hint" }, `${isolated(group.name)} · ${others === 0 ? phrase("sharing.alone.group") : phrase("count.people", { count: others })}`),
    element("fieldset", { class: "options" }, element("legend", { class: "hidden-visually" }, phrase("sharing.see")), choices),
    element("fieldset", {}, element("legend", {}, phrase("sharing.untilWhen")), chips), follows,
    otherGroups > 0 ? all : null, pictured, problem, submit, element("p", { class: "hint note" }, phrase("sharing.works")));
  const chosen = () => form.elements.mode.value;
  const chosenEnd = () => selectable.find(([value]) => value === form.elements.until.value)[2](session.now);
  const choose = (value) => (form.elements.until.value = value);
  const adjust = () => {
    const end = chosenEnd();
    setText(follows, outcome(chosen(), end, session.now));
    setText(submit, chosen() === "live" && end !== null ? phrase("sharing.do.live.until", { when: moment(end, session.now) }) : phrase(`sharing.do.${chosen()}`));
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
  const dialog = openDialog(phrase("sharing.title"), form, { testid: "sharing-dialog" });
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

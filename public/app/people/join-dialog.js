import { invitePreview } from "../../muster.js";
import { openDialog } from "../shell/dialog.js";
import { attempt, toast } from "../shell/toasts.js";
import { busyWhile, element, setShown, setText } from "../ui/dom.js";
import { choice } from "../ui/form.js";
import { counted, explain } from "../ui/text.js";

/** What the new group may see: the value, its name, a line about it, and the words of the button. */
const MODES = [
  ["live", "Live", "They see exactly where you are.", "Join and share live"],
  ["approximate", "Approximate", "Within about 1 km.", "Join and share approximately"],
  ["paused", "Hidden", "Nobody sees you. You still see them.", "Join without sharing"],
];

/**
 * Shows who invites to which group, asks what the group may see, and joins.
 * @param {object} session
 * @param {string} code
 * @param {{onJoined: (group: object) => void, onAnswered: () => void}} actions
 */
export async function openJoinDialog(session, code, { onJoined, onAnswered }) {
  const text = element("p", { class: "lead", "data-testid": "join-preview" }, "Looking at your invite…");
  const modes = element("fieldset", { class: "options" }, element("legend", {}, "Share where you are with them"),
    MODES.map(([value, label, hint]) => choice("join-mode", value, label, hint, value === "live", `join-${value}`)));
  const hint = element("p", { class: "hint" }, "You can change this at any time. Your browser asks once for your position.");
  const join = element("button", { type: "submit", class: "filled wide", "data-testid": "join-confirm", disabled: true }, "Join");
  const later = element("button", { type: "button", class: "text wide", "data-testid": "join-never" }, "No, thanks");
  const form = element("form", { class: "stack" }, text, modes, hint, join, later);
  const dialog = openDialog("An invite", form, { testid: "join-dialog" });
  const chosen = () => form.elements["join-mode"].value;
  const name = () => setText(join, MODES.find(([value]) => value === chosen())[3]);
  modes.addEventListener("change", name);
  later.addEventListener("click", () => dialog.close());
  // A page that is left closes no dialog: a reload asks again.
  dialog.addEventListener("close", onAnswered);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void busyWhile(join, async () => {
      const mode = chosen();
      try {
        const { group } = await session.client.request("group.join", { code });
        dialog.close();
        onJoined(group);
        const isChosen = mode === "live" || await attempt(() => session.setSharing({ group: group.id, mode }));
        if (isChosen && mode !== "paused" && session.source.mode === "off") session.source.startGps();
      } catch (error) {
        if (error.code !== "conflict") return setText(text, explain(error));
        dialog.close();
        toast("You are already in this group.");
      }
    });
  });
  try {
    const { group, inviter } = await invitePreview(location.origin, code);
    text.replaceChildren(element("strong", {}, inviter.name), " invites you to ", element("strong", {}, group.name), ` · ${counted(group.members, "member")}`);
    name();
    join.disabled = false;
    join.focus();
  } catch (error) {
    setText(text, error.code === "not_found" || error.code === "gone"
      ? "This invite does not exist any more. Ask your friend for a new one." : explain(error));
    for (const each of [modes, hint, join]) setShown(each, false);
    setText(later, "Close");
  }
}

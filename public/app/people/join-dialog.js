import { invitePreview } from "../../muster.js";
import { openDialog } from "../shell/dialog.js";
import { attempt, toast } from "../shell/toasts.js";
import { invitation } from "../sign-in.js";
import { busyWhile, element, setShown, setText } from "../ui/dom.js";
import { choice } from "../ui/form.js";
import { explain } from "../ui/text.js";
import { phrase } from "../ui/words.js";

/** What the new group may see. */
const MODES = ["live", "approximate", "paused"];

/**
 * Shows who invites to which group, asks what the group may see, and joins.
 * @param {object} session
 * @param {string} code
 * @param {{onJoined: (group: object) => void, onAnswered: () => void}} actions
 */
export async function openJoinDialog(session, code, { onJoined, onAnswered }) {
  const text = element("p", { class: "lead", "data-testid": "join-preview" }, phrase("join.looking"));
  const modes = element("fieldset", { class: "options" }, element("legend", {}, phrase("join.share")),
    MODES.map((mode) => choice("join-mode", mode, phrase(`sharing.${mode}`), phrase(`join.${mode}.hint`), mode === "live", `join-${mode}`)));
  const hint = element("p", { class: "hint" }, phrase("join.hint"));
  const join = element("button", { type: "submit", class: "filled wide", "data-testid": "join-confirm", disabled: true }, phrase("join"));
  const later = element("button", { type: "button", class: "text wide", "data-testid": "join-never" }, phrase("noThanks"));
  const form = element("form", { class: "stack" }, text, modes, hint, join, later);
  const dialog = openDialog(phrase("join.title"), form, { testid: "join-dialog" });
  const chosen = () => form.elements["join-mode"].value;
  const name = () => setText(join, phrase(`join.${chosen()}`));
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
        toast(phrase("join.already"));
      }
    });
  });
  try {
    const { group, inviter } = await invitePreview(location.origin, code);
    text.replaceChildren(...invitation({ group, inviter }));
    name();
    join.disabled = false;
    join.focus();
  } catch (error) {
    setText(text, error.code === "not_found" || error.code === "gone"
      ? phrase("join.gone") : explain(error));
    for (const each of [modes, hint, join]) setShown(each, false);
    setText(later, phrase("close"));
  }
}

import { invitePreview } from "../../muster.js";
import { openDialog } from "../shell/dialog.js";
import { toast } from "../shell/toasts.js";
import { busyWhile, element, setText } from "../ui/dom.js";
import { explain, isolated } from "../ui/text.js";

/** Shows the group of an invite, and joins it. */
export async function openJoinDialog(client, code, onJoined) {
  const text = element("p", { class: "lead", "data-testid": "join-preview" }, "Looking at your invite…");
  const hint = element("p", { class: "hint" }, "They will see where you are, live. You can change that at any time.");
  const join = element("button", { type: "button", class: "filled", "data-testid": "join-confirm", disabled: true }, "Join");
  const later = element("button", { type: "button" }, "Not now");
  const dialog = openDialog("An invite", element("div", { class: "stack" }, text, hint, element("div", { class: "row" }, join, later)), { testid: "join-dialog" });
  later.addEventListener("click", () => dialog.close());
  join.addEventListener("click", () => busyWhile(join, async () => {
    try {
      const { group } = await client.request("group.join", { code });
      dialog.close();
      onJoined(group);
    } catch (error) {
      if (error.code === "conflict") {
        dialog.close();
        toast("You are already in this group.");
      } else {
        setText(text, explain(error));
      }
    }
  }));
  try {
    const { group, inviter } = await invitePreview(location.origin, code);
    text.replaceChildren(element("strong", {}, inviter.name), " invites you to ", element("strong", {}, group.name),
      ` · ${group.members} ${group.members === 1 ? "member" : "members"}`);
    setText(join, `Join ${isolated(group.name)}`);
    join.disabled = false;
    join.focus();
  } catch (error) {
    setText(text, error.code === "not_found" || error.code === "gone"
      ? "This invite does not exist any more. Ask your friend for a new one." : explain(error));
    hint.remove();
  }
}

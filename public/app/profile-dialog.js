import { deleteMe, logOut, me, updateMe } from "../muster.js";
import { button, busyWhile, element, field, toast } from "./dom.js";
import { openDialog, sureButton } from "./dialog.js";
import { explain } from "./text.js";

/** One's name and picture, logging out, and deleting the account. */
export async function openProfileDialog({ token, onChanged, onSignedOut }) {
  const name = field("Your name", { required: true, maxlength: 80, autocomplete: "name", "data-testid": "profile-name" });
  const picture = field("Picture", { type: "url", placeholder: "https://…", "data-testid": "profile-avatar" }, { hint: "The address of a square picture, or nothing." });
  const account = element("p", { class: "hint" });
  const save = element("button", { type: "submit", class: "filled", "data-testid": "profile-save" }, "Save");
  const form = element("form", {}, account, name.row, picture.row, save);
  const out = button("Log out", async () => {
    // Logged out here in any case; the server is told if it can be.
    await logOut(location.origin, token).catch(() => {});
    dialog.close();
    onSignedOut("You are logged out.");
  }, { "data-testid": "log-out" });
  const remove = sureButton("Delete account", "This deletes your account, your groups' memory of you and every position you ever sent. It cannot be undone.", async () => {
    try {
      await deleteMe(location.origin, token);
      dialog.close();
      onSignedOut("Your account is deleted.");
    } catch (error) {
      toast(explain(error), { tone: "bad" });
    }
  }, { "data-testid": "delete-account" });
  const dialog = openDialog("You", element("div", { class: "stack" }, form, element("hr"), out, remove), { testid: "profile-dialog" });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    busyWhile(save, async () => {
      try {
        onChanged(await updateMe(location.origin, token, { name: name.input.value.trim(), avatar: picture.input.value.trim() || null }));
        dialog.close();
      } catch (error) {
        toast(explain(error), { tone: "bad" });
      }
    });
  });
  try {
    const profile = await me(location.origin, token);
    name.input.value = profile.name;
    picture.input.value = profile.avatar ?? "";
    account.textContent = `Logged in as ${profile.username}`;
  } catch (error) {
    toast(explain(error), { tone: "bad" });
  }
}

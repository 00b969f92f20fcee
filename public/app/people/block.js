import { openDialog } from "../shell/dialog.js";
import { attempt, toast } from "../shell/toasts.js";
import { button, element } from "../ui/dom.js";
import { isolated } from "../ui/text.js";

/** Asks for confirmation before it blocks a person, `{id, name}`. The person is not notified. */
export function blockDialog(client, person) {
  const yes = button(`Block ${isolated(person.name)}`, async () => {
    const isDone = await attempt(() => client.block(person.id));
    if (!isDone) return;
    dialog.close();
    toast(`${isolated(person.name)} is blocked. You find them under You.`);
  }, { class: "danger filled", "data-testid": "block-confirm" });
  const text = element("p", {}, "You will not see what they say in chats, and their mentions, proposals and questions do not reach you. They are not told.");
  const dialog = openDialog(`Block ${isolated(person.name)}?`, element("div", { class: "stack" }, text, element("div", { class: "row" }, yes)), { testid: "block-dialog" });
}

/** Blocks a person after a confirmation, or unblocks a blocked one. */
export function toggleBlock(client, person) {
  if (client.rooms.blocked.has(person.id)) void unblock(client, person);
  else blockDialog(client, person);
}

/** The label of a button for `toggleBlock`. */
export function blockWord(client, user) {
  return client.rooms.blocked.has(user) ? "Unblock" : "Block";
}

/** Unblocks a person, `{id, name}`. */
export async function unblock(client, person) {
  const isDone = await attempt(() => client.block(person.id, false));
  if (isDone) toast(`${isolated(person.name)} is not blocked any more.`);
  return isDone;
}

import { openDialog } from "../shell/dialog.js";
import { attempt, toast } from "../shell/toasts.js";
import { button, element } from "../ui/dom.js";
import { isolated } from "../ui/text.js";
import { phrase } from "../ui/words.js";

/** Asks for confirmation before it blocks a person, `{id, name}`. The person is not notified. */
export function blockDialog(client, person) {
  const yes = button(phrase("block.do", { name: isolated(person.name) }), async () => {
    const isDone = await attempt(() => client.block(person.id));
    if (!isDone) return;
    dialog.close();
    toast(phrase("block.done", { name: isolated(person.name) }));
  }, { class: "danger filled", "data-testid": "block-confirm" });
  const text = element("p", {}, phrase("block.hint"));
  const dialog = openDialog(phrase("block.sure", { name: isolated(person.name) }), element("div", { class: "stack" }, text, element("div", { class: "row" }, yes)), { testid: "block-dialog" });
}

/** Blocks a person after a confirmation, or unblocks a blocked one. */
export function toggleBlock(client, person) {
  if (client.rooms.blocked.has(person.id)) void unblock(client, person);
  else blockDialog(client, person);
}

/** Unblocks a person, `{id, name}`. */
export async function unblock(client, person) {
  const isDone = await attempt(() => client.block(person.id, false));
  if (isDone) toast(phrase("unblock.done", { name: isolated(person.name) }));
  return isDone;
}

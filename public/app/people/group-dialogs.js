import { openDialog } from "../shell/dialog.js";
import { busyWhile, element } from "../ui/dom.js";
import { field } from "../ui/form.js";
import { explain } from "../ui/text.js";
import { phrase } from "../ui/words.js";

/** A form that creates a group. */
export function newGroupForm(client, onMade) {
  const name = field(phrase("group.name"), { required: true, maxlength: 80, placeholder: phrase("group.name.example"), autocomplete: "off", "data-testid": "group-name" });
  const submit = element("button", { type: "submit", class: "filled", "data-testid": "group-create" }, phrase("group.create"));
  const form = element("form", { class: "stack" }, name.row, submit);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!name.input.value.trim()) return name.input.focus();
    name.complain(null);
    busyWhile(submit, async () => {
      try {
        onMade((await client.request("group.create", { name: name.input.value.trim() })).group);
      } catch (error) {
        name.complain(explain(error));
      }
    });
  });
  return form;
}

/** Opens the form that creates a group. */
export function openNewGroupDialog(client, onMade) {
  const dialog = openDialog(phrase("group.new"), newGroupForm(client, (group) => {
    dialog.close();
    onMade(group);
  }), { testid: "new-group-dialog" });
}

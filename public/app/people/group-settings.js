import { openDialog } from "../shell/dialog.js";
import { attempt, toast } from "../shell/toasts.js";
import { avatar } from "../ui/avatar.js";
import { busyWhile, element, setText } from "../ui/dom.js";
import { askInPlace, field, sureButton } from "../ui/form.js";
import { menuButton } from "../ui/menu.js";
import { explain, isolated } from "../ui/text.js";
import { phrase } from "../ui/words.js";
import { placesSection } from "./group-places.js";
import { ruleFields, rulesInWords } from "./group-rules.js";
import { openInviteDialog } from "./invite.js";

/** The number of members that the settings show at first. */
const SHORT = 5;

/** The dialog of a group: its name and rules, its members, and leaving it. */
export function openGroupDialog(client, group, { me, onAddPlace }) {
  const owner = group.role === "owner";
  const members = [...(client.rosters.get(group.id)?.members.values() ?? [])];
  const others = members.filter((member) => member.user !== me);
  const done = (text) => {
    dialog.close();
    toast(text);
  };
  const ways = element("section", { class: "row ways", "aria-label": phrase("group.ways") },
    sureButton(phrase("group.leave"), owner && others.length > 0 ? phrase("group.leave.owner") : phrase("group.leave.sure", { name: isolated(group.name) }),
      () => attempt(async () => {
        await client.request("group.leave", { group: group.id });
        done(phrase("group.left", { name: isolated(group.name) }));
      }), { "data-testid": "group-leave" }),
    owner ? sureButton(phrase("group.delete.open"), phrase("group.delete.sure", { name: isolated(group.name) }),
      () => attempt(async () => {
        await client.request("group.delete", { group: group.id });
        done(phrase("deleted", { name: isolated(group.name) }));
      }), { "data-testid": "group-delete" }) : null);
  const dialog = openDialog(group.name, element("div", { class: "stack sections" },
    owner ? settingsForm(client, group) : settingsToRead(group, others.find((member) => member.role === "owner")),
    membersSection(client, group, { members, me, owner }), placesSection(client, group, () => {
      dialog.close();
      onAddPlace();
    }), ways), { testid: "group-dialog" });
}

function settingsForm(client, group) {
  const name = field(phrase("group.name"), { maxlength: 80, value: group.name, "data-testid": "group-rename" });
  const rules = ruleFields(group.settings);
  const save = element("button", { type: "submit", class: "filled", "data-testid": "group-save" }, phrase("save"));
  const problem = element("p", { class: "problem", role: "alert" });
  const form = element("form", { class: "stack", novalidate: true }, name.row,
    element("fieldset", { class: "stack" }, element("legend", { class: "heading" }, phrase("group.alerts")), element("p", { class: "hint" }, phrase("group.alerts.hint")), rules.rows), problem, save);
  // Present from the start: screen readers announce changes only of a live region that they know.
  const doubt = element("div", { class: "doubt", role: "status", "data-testid": "group-warning" });
  form.prepend(doubt);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const called = name.input.value.trim();
    name.complain(called ? null : phrase("group.name.missing"));
    if (!called) return name.input.focus();
    busyWhile(save, () => saveSettings(client, group, { name: called, settings: rules.read() }, { name, doubt, problem }));
  });
  return element("section", {}, form);
}

async function saveSettings(client, group, changes, { name, doubt, problem }) {
  setText(problem, "");
  try {
    const { warning } = await client.request("group.update", { group: group.id, ...changes });
    // A warning stays until the next answer; a toast would be gone before it is understood.
    doubt.replaceChildren(...(warning ? [element("p", { class: "notice" }, element("strong", {}, phrase("group.saved.but")), warning)] : []));
    if (!warning) toast(phrase("saved"));
  } catch (error) {
    // An error is shown at the field that it concerns.
    if (error.field === "name") name.complain(phrase("group.name.wrong"));
    else setText(problem, explain(error));
  }
}

function settingsToRead(group, owner) {
  return element("section", { class: "stack" }, element("h3", {}, phrase("group.alerts")), rulesInWords(group.settings),
    element("p", { class: "hint", "data-testid": "rules-why" }, owner?.name ? phrase("group.rules.owner", { name: isolated(owner.name) }) : phrase("group.rules.anOwner")));
}

function membersSection(client, group, { members, me, owner }) {
  const rows = members.map((member) => memberRow(client, group, member, { isMe: member.user === me, mayRemove: owner && member.user !== me }));
  const list = element("ul", { class: "member-list" }, rows.slice(0, SHORT));
  const invite = element("button", { type: "button", class: "text", "data-testid": "settings-invite" }, phrase("invite"));
  invite.addEventListener("click", () => openInviteDialog(client, group));
  const all = element("button", { type: "button", class: "text" }, phrase("showAll.count", { count: members.length }));
  all.addEventListener("click", () => {
    list.append(...rows.slice(SHORT));
    all.remove();
    rows[SHORT].focus();
  });
  return element("section", { class: "stack" },
    element("div", { class: "row spread" }, element("h3", {}, phrase("count.people", { count: members.length })), invite), list, rows.length > SHORT ? all : null);
}

function memberRow(client, group, member, { isMe, mayRemove }) {
  const asking = element("div", { class: "guest-asking" });
  const role = member.role === "owner" ? element("span", { class: "tag" }, phrase("group.owner")) : null;
  const row = element("li", { class: "member-edit", tabindex: "-1" }, avatar(member), element("span", { class: "grow" }, isMe ? phrase("person.you", { name: isolated(member.name) }) : member.name), role);
  if (!mayRemove) return row;
  const more = menuButton(phrase("person.actions", { name: isolated(member.name) }), () => [{
    label: phrase("remove.open"), icon: "remove", isDanger: true, testid: `remove-${member.user}`, action: () => askInPlace(asking, {
      question: phrase("group.remove.sure", { name: isolated(member.name) }), yes: phrase("remove"), no: phrase("keep"), testid: `remove-${member.user}`, back: more,
      action: async () => {
        if (await attempt(() => client.request("group.remove", { group: group.id, user: member.user }))) row.remove();
      },
    }),
  }], { "data-testid": `member-more-${member.user}` });
  row.append(more, asking);
  return row;
}

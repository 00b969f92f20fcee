import { openDialog } from "../shell/dialog.js";
import { attempt, toast } from "../shell/toasts.js";
import { avatar } from "../ui/avatar.js";
import { button, busyWhile, element } from "../ui/dom.js";
import { field, sureButton } from "../ui/form.js";
import { explain, isolated, moment } from "../ui/text.js";
import { ruleFields, rulesInWords } from "./group-rules.js";

/** A form that creates a group. */
export function newGroupForm(client, onMade) {
  const name = field("Name of the group", { required: true, maxlength: 80, placeholder: "Sunday climbers", autocomplete: "off", "data-testid": "group-name" });
  const submit = element("button", { type: "submit", class: "filled", "data-testid": "group-create" }, "Create group");
  const form = element("form", { class: "stack" }, name.row, submit);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!name.input.value.trim()) return name.input.focus();
    busyWhile(submit, () => attempt(async () => onMade((await client.request("group.create", { name: name.input.value.trim() })).group)));
  });
  return form;
}

/** Opens the form that creates a group. */
export function openNewGroupDialog(client, onMade) {
  const dialog = openDialog("New group", newGroupForm(client, (group) => {
    dialog.close();
    onMade(group);
  }), { testid: "new-group-dialog" });
}

/** The links created since the page was opened, by group, for a reopened dialog. */
const invitesMade = new Map();

/** Creates an invite link and shows it ready to copy. */
function inviteSection(client, group) {
  const made = element("div", { class: "stack", "aria-live": "polite" });
  const make = button("Make an invite link", () => attempt(async () => {
    const { code, url, expiresAt } = await client.request("group.invite", { group: group.id });
    const invite = { code, url, expiresAt };
    invitesMade.set(group.id, [invite, ...(invitesMade.get(group.id) ?? [])]);
    made.prepend(inviteRow(client, group, invite));
  }), { class: "filled", "data-testid": "invite-create" });
  made.append(...(invitesMade.get(group.id) ?? []).map((invite) => inviteRow(client, group, invite)));
  return element("section", { class: "stack" },
    element("p", { class: "hint" }, "Whoever opens the link can join, for seven days."), make, made);
}

/** Opens the invite links of a group. */
export function openInviteDialog(client, group) {
  openDialog(`Invite friends to ${isolated(group.name)}`, inviteSection(client, group), { testid: "invite-dialog" });
}

function inviteRow(client, group, { code, url, expiresAt }) {
  const link = element("input", { readonly: true, value: url, "aria-label": "Invite link", "data-testid": "invite-url" });
  link.addEventListener("focus", () => link.select());
  const copy = button("Copy", async () => {
    try {
      await navigator.clipboard.writeText(url);
    } catch {
      // Without permission, or not over HTTPS, the older copy command still works on a selection.
      link.select();
      document.execCommand("copy");
    }
    toast("The invite link is copied.");
  }, { "data-testid": "invite-copy" });
  const row = element("div", { class: "invite" }, element("div", { class: "row" }, link, copy),
    element("p", { class: "hint" }, `Valid until ${moment(expiresAt)}`));
  if (group.role === "owner") {
    row.append(button("Revoke", () => attempt(async () => {
      await client.request("group.revoke", { code });
      invitesMade.set(group.id, invitesMade.get(group.id).filter((invite) => invite.code !== code));
      row.remove();
      toast("The invite link is worthless now.");
    }), { class: "small", "data-testid": "invite-revoke" }));
  }
  return row;
}

/** The dialog of a group: its name and rules, its members, and leaving it. */
export function openGroupDialog(client, group, { me }) {
  const owner = group.role === "owner";
  const parts = [];
  const others = [...(client.rosters.get(group.id)?.members.values() ?? [])].filter((member) => member.user !== me);
  parts.push(owner ? settingsForm(client, group) : settingsToRead(group, others.find((member) => member.role === "owner")));
  if (owner && others.length > 0) parts.push(membersSection(client, group, others));
  const done = (text) => {
    dialog.close();
    toast(text);
  };
  parts.push(element("section", { class: "stack" }, element("h3", {}, "Leave"),
    sureButton("Leave group", owner && others.length > 0 ? "The oldest member becomes the owner." : `You will not see ${isolated(group.name)} any more, and they will not see you.`,
      () => attempt(async () => {
        await client.request("group.leave", { group: group.id });
        done(`You left ${isolated(group.name)}.`);
      }), { "data-testid": "group-leave" }),
    owner ? sureButton("Delete group", `${isolated(group.name)} is deleted for all its members. It cannot be undone.`,
      () => attempt(async () => {
        await client.request("group.delete", { group: group.id });
        done(`${isolated(group.name)} is deleted.`);
      }), { "data-testid": "group-delete" }) : null));
  const dialog = openDialog(`About ${isolated(group.name)}`, element("div", { class: "stack sections" }, parts), { testid: "group-dialog" });
}

function settingsForm(client, group) {
  const name = field("Name", { maxlength: 80, value: group.name, "data-testid": "group-rename" });
  const rules = ruleFields(group.settings);
  const save = element("button", { type: "submit", class: "filled", "data-testid": "group-save" }, "Save");
  const form = element("form", { class: "stack", novalidate: true }, name.row,
    element("fieldset", { class: "stack" }, element("legend", { class: "heading" }, "When you are together"), rules.rows), save);
  // Present from the start: screen readers announce changes only of a live region that they know.
  const doubt = element("div", { class: "doubt", role: "status", "data-testid": "group-warning" });
  form.prepend(doubt);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const settings = rules.read();
    const called = name.input.value.trim();
    name.complain(called ? null : "The group needs a name.");
    if (!called) return name.input.focus();
    if (settings !== null) busyWhile(save, () => saveSettings(client, group, { name: called, settings }, { name, rules, doubt }));
  });
  return element("section", {}, form);
}

async function saveSettings(client, group, changes, { name, rules, doubt }) {
  try {
    const { warning } = await client.request("group.update", { group: group.id, ...changes });
    // A warning stays until the next answer; a toast would be gone before it is understood.
    doubt.replaceChildren(...(warning ? [element("p", { class: "notice" }, element("strong", {}, "Saved, but: "), warning)] : []));
    if (!warning) toast("Saved.");
  } catch (error) {
    // The server's errors are shown at the field that they concern.
    if (error.field === "name") name.complain(error.message);
    else if (!rules.complain(error.field?.replace("settings.", ""), error.message)) toast(explain(error), { tone: "bad" });
  }
}

function settingsToRead(group, owner) {
  return element("section", { class: "stack" }, element("h3", {}, "When you are together"), rulesInWords(group.settings),
    element("p", { class: "hint", "data-testid": "rules-why" }, `Only ${owner?.name ? isolated(owner.name) : "the owner"} can change this, as the group’s owner.`));
}

function membersSection(client, group, others) {
  return element("section", { class: "stack" }, element("h3", {}, "Members"), others.map((member) => {
    const row = element("div", { class: "member-edit" }, avatar(member, { size: "small" }), element("span", { class: "grow" }, member.name));
    row.append(sureButton("Remove", `Remove ${isolated(member.name)} from the group?`, async () => {
      if (await attempt(() => client.request("group.remove", { group: group.id, user: member.user }))) row.remove();
    }, { "data-testid": `remove-${member.user}` }));
    return row;
  }));
}

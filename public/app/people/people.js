import { focusHeading } from "../shell/focus.js";
import { toast } from "../shell/toasts.js";
import { button, element, setAttribute, setShown, setText, stylesheet } from "../ui/dom.js";
import { GatheringCard } from "./gathering-card.js";
import { newGroupForm, openGroupDialog, openInviteDialog, openNewGroupDialog } from "./group-dialogs.js";
import { History } from "./history.js";
import { MemberList } from "./list.js";
import { isolated } from "../ui/text.js";

export const route = "people";
export const title = "People";

await stylesheet("/app/people/people.css");

/** The panel of the group and its members. */
export function panel(context) {
  return new PeoplePanel(context);
}

/** The layer of the members. The list does not wait for the modules of the map. */
export async function layer(context) {
  const { PeopleLayer } = await import("./layer.js");
  return new PeopleLayer(context);
}

class PeoplePanel {
  #context;
  #switcher = element("select", { "aria-label": "Group", "data-testid": "group-switcher" });
  #groupBar;
  #empty;
  #body;
  #openChats;
  #picture;
  #chat;
  #gathering;
  #list;
  #history;
  #plans = null;
  #chats = null;
  #chatsBadge = element("span", { class: "badge", "data-testid": "chats-unread", hidden: true });
  #rest = [];
  #groups = "";
  view;

  /** @param {{session: object, go: Function, showPlace: Function}} context */
  constructor(context) {
    this.#context = context;
    const { session, go } = context;
    this.#switcher.addEventListener("change", () => go("people", [], { group: this.#switcher.value }));
    this.#groupBar = element("div", { class: "group-bar" }, this.#switcher,
      button("Invite", () => this.#invite(), { class: "filled", "data-testid": "group-invite" }),
      button("⋯", () => openGroupDialog(session.client, session.current, { me: session.me }), { class: "icon bordered", "aria-label": "About this group", title: "About this group", "data-testid": "group-menu" }),
      button("+", () => openNewGroupDialog(session.client, (group) => this.#enter(group)), { class: "icon bordered", "aria-label": "New group", title: "New group", "data-testid": "group-new" }));
    this.#gathering = new GatheringCard({
      onPlace: () => context.showPlace(session.gathering?.place),
      onHistory: () => go("people", ["history"]),
    });
    this.#list = new MemberList((user) => go("people", [user]));
    this.#history = new History({
      session, onPlace: context.showPlace,
      onBack: () => {
        go("people", []);
        focusHeading();
      },
    });
    this.#chat = button("Chat", () => go("chat", [session.group]), { class: "filled", "data-testid": "chat-open" });
    const chats = button("All chats", () => go("chat", []), { "data-testid": "chats-open" });
    this.#picture = button("Send a picture", async () => {
      const { openSendPicture } = await import("../shares/send.js");
      await openSendPicture(session, session.group);
    }, { "data-testid": "picture-open" });
    this.#openChats = element("div", { class: "chats-open" }, this.#chat, chats, this.#chatsBadge, this.#picture);
    for (const type of ["rooms", "chat"]) session.client.addEventListener(type, () => this.#drawUnread());
    this.#empty = element("section", { class: "empty", "data-testid": "no-groups", hidden: true },
      element("h2", {}, "Start with a group"),
      element("p", { class: "hint" }, "Create one and invite your friends, or open an invite link that a friend has sent you."),
      newGroupForm(session.client, (group) => this.#made(group)));
    this.#body = element("div", { class: "people-body" }, this.#gathering.view, this.#list.view);
    this.view = element("div", { class: "people" }, this.#groupBar, this.#openChats, this.#body, this.#history.view, this.#empty);
  }

  /** Shows the rest of the address: nothing, a member's id, `history`, or `chats` with or without a room. */
  show(rest) {
    this.#rest = rest;
    const selected = rest[0] && rest[0] !== "history" && rest[0] !== "chats" ? rest[0] : null;
    void this.#showChats();
    this.#context.layer()?.select(selected);
    this.draw();
  }

  /** Draws the group. */
  draw() {
    const { session } = this.#context;
    const { current, gathering, members, me, now, here } = session;
    const isHistory = this.#rest[0] === "history";
    const isElsewhere = isHistory || this.#rest[0] === "chats";
    setShown(this.#empty, session.client.user !== null && current === null && !isElsewhere);
    // Events have chats, too, even for a user without a group.
    setShown(this.#openChats, !isElsewhere && (current !== null || session.client.rooms.all.size > 0));
    for (const each of [this.#chat, this.#picture]) setShown(each, current !== null);
    setShown(this.#groupBar, current !== null && !isElsewhere);
    setShown(this.#body, current !== null && !isElsewhere);
    this.#history.show(isHistory ? current : null);
    this.#drawGroups();
    this.#drawPlans(current);
    if (current === null) return;
    this.#list.show(members, { me, now, here, gathering });
    this.#gathering.show(gathering, { members, me, now, here });
  }

  /** Asks whether to join by an invite. */
  async offerInvite(code) {
    const { openJoinDialog } = await import("./join-dialog.js");
    openJoinDialog(this.#context.session.client, code, (group) => {
      this.#enter(group);
      toast(`You joined ${isolated(group.name)}, and share your position with it live.`);
    });
  }

  async #showChats() {
    const isWanted = () => this.#rest[0] === "chats";
    if (!isWanted() && this.#chats === null) return;
    const { Chats } = await import("../chats/chats.js");
    if (this.#chats === null) {
      const { session, go } = this.#context;
      this.#chats = new Chats({
        session, go: (rest) => go("people", rest), onEvent: (id) => go("events", [id]),
        onBack: () => {
          go("people", []);
          focusHeading();
        },
      });
      this.view.append(this.#chats.view);
    }
    this.#chats.show(isWanted() ? this.#rest.slice(1) : null);
  }

  #drawUnread() {
    const { unread } = this.#context.session.client.rooms;
    if (this.#context.session.current === null) this.draw();
    setText(this.#chatsBadge, unread >= 100 ? "99+" : String(unread));
    setAttribute(this.#chatsBadge, "aria-label", `${unread} unread`);
    setShown(this.#chatsBadge, unread > 0);
  }

  #drawGroups() {
    const { session } = this.#context;
    const groups = session.groups;
    const wanted = JSON.stringify(groups.map(({ id, name }) => [id, name]));
    if (wanted !== this.#groups) {
      this.#groups = wanted;
      this.#switcher.replaceChildren(...groups.map((group) => element("option", { value: group.id }, group.name)));
    }
    if (session.group !== null && this.#switcher.value !== session.group) this.#switcher.value = session.group;
  }

  // Loaded without waiting, once the group is shown.
  async #drawPlans(group) {
    if (group === null && this.#plans === null) return;
    this.#plans ??= import("../plans/group-card.js").then(({ GroupPlans }) => {
      const plans = new GroupPlans(this.#context.session.client, (id) => this.#context.go("plans", [id]));
      this.#gathering.view.after(plans.view);
      return plans;
    });
    (await this.#plans).show(this.#context.session.current?.id ?? null);
  }

  #made(group) {
    this.#enter(group);
    openInviteDialog(this.#context.session.client, group);
  }

  // A stationary user who enters is shown to the others at once.
  #enter(group) {
    this.#context.session.source.sayStillHere();
    this.#context.go("people", [], { group: group.id });
  }

  #invite() {
    const { session } = this.#context;
    openInviteDialog(session.client, session.current);
  }
}

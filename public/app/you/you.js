import { deleteMe, logOut, me, updateMe } from "../../muster.js";
import { CalendarAddress } from "../events/calendar.js";
import { NotifySwitch } from "../notify/notify.js";
import { PushPanel } from "../notify/push.js";
import { attempt, toast } from "../shell/toasts.js";
import { button, busyWhile, element, setAttribute, setShown, setText, stylesheet } from "../ui/dom.js";
import { field, sureButton } from "../ui/form.js";
import { lineIcon } from "../ui/icons.js";
import { phrase } from "../ui/words.js";
import { noteLogout } from "../sign-in/flow.js";
import { BlockedPeople } from "./blocked.js";
import { Face } from "./face.js";
import { languageField } from "./language.js";
import { LoginWays } from "./login-ways.js";
import { Phones } from "./phones.js";
import { OwnPictures } from "./pictures.js";
import { SavingSwitch } from "./saving.js";
import { openSharingDialog } from "./sharing-dialog.js";

export const route = "you";
export const layer = null;

await stylesheet("/app/you/you.css");

/**
 * The user's own section: picture and name, saving mode, phones with apps of their own, blocked users, share pictures,
 * language, calendar, demo, logout, and deletion of the account.
 */
export function panel(context) {
  return new YouPanel(context);
}

class YouPanel {
  #context;
  #face;
  #name = field(phrase("profile.name"), { required: true, maxlength: 80, autocomplete: "name", "data-testid": "profile-name" }, { hint: phrase("profile.name.hint") });
  #called = element("p", { class: "you-name", "data-testid": "own-name" });
  #account = element("p", { class: "hint" });
  #pictureCount = element("span", { class: "hint" });
  #blockedCount = element("span", { class: "hint" });
  #phoneCount = element("span", { class: "hint" });
  #sees = element("span", { class: "hint" });
  #seesRow;
  #walk;
  #saving;
  #notify = new NotifySwitch();
  #push;
  #pictures;
  #blocked;
  #phones;
  #calendar;
  #ways;
  #waysCount = element("span", { class: "hint" });
  #isRead = false;
  view;

  /** @param {{session: object, go: Function, walk: () => void, signOut: (why: string) => void}} context */
  constructor(context) {
    this.#context = context;
    const { session } = context;
    this.#face = new Face(session);
    const save = element("button", { type: "submit", class: "filled", "data-testid": "profile-save" }, phrase("save"));
    const form = element("form", { class: "stack", novalidate: true }, this.#name.row, save);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const called = this.#name.input.value.trim();
      this.#name.complain(called ? null : phrase("profile.name.missing"));
      if (!called) return this.#name.input.focus();
      busyWhile(save, () => attempt(async () => {
        const profile = await updateMe(location.origin, session.token, { name: called });
        session.client.user = { ...session.client.user, name: profile.name, avatar: profile.avatar };
        this.draw();
        toast(phrase("saved"));
      }));
    });
    const out = button(phrase("log.out"), async () => {
      // The page logs out in any case; the request to the server may fail.
      const rest = await logOut(location.origin, session.token).catch(() => null);
      context.signOut(phrase("log.out.done"));
      // After that, because it removes what this tab keeps.
      if (this.#ways.hasProviders) noteLogout();
      if (rest !== null) location.assign(rest.logoutUrl);
    }, { "data-testid": "log-out" });
    const remove = sureButton(phrase("account.delete"), phrase("account.delete.sure"),
      () => attempt(async () => {
        await deleteMe(location.origin, session.token);
        context.signOut(phrase("account.deleted"));
      }), { "data-testid": "delete-account" });
    this.#walk = button(phrase("walk"), () => (session.source.mode === "walk" ? session.source.stop() : context.walk()), { class: "toggle", "aria-pressed": "false", "data-testid": "share-walk" });
    this.#saving = new SavingSwitch(session);
    this.#pictures = new OwnPictures(session, (words) => setText(this.#pictureCount, words));
    this.#blocked = new BlockedPeople(session, (words) => setText(this.#blockedCount, words));
    this.#phones = new Phones(session, (words) => setText(this.#phoneCount, words), (act) => this.#ways.proving(act));
    this.#calendar = new CalendarAddress(session);
    this.#ways = new LoginWays(session, (words) => setText(this.#waysCount, words));
    this.#push = new PushPanel(session);
    const changes = element("div", { class: "stack you-changes", "data-testid": "profile", hidden: true }, form, this.#face.controls);
    const edit = element("button", { type: "button", class: "tonal", "aria-expanded": "false", "data-testid": "profile-edit" }, phrase("edit"));
    edit.addEventListener("click", () => {
      setShown(changes, changes.hidden);
      setAttribute(edit, "aria-expanded", !changes.hidden);
      setText(edit, changes.hidden ? phrase("edit") : phrase("done"));
      if (!changes.hidden) this.#name.input.focus();
    });
    const sees = element("button", { type: "button", class: "line-row", "aria-haspopup": "dialog", "data-testid": "you-sharing" },
      element("span", { class: "grow two-lines" }, element("span", {}, phrase("you.sees")), this.#sees), lineIcon("right"));
    sees.addEventListener("click", () => openSharingDialog(session));
    this.#seesRow = sees;
    this.view = element("div", { class: "you" },
      element("header", { class: "you-head" }, this.#face.view, element("div", { class: "grow" }, this.#called, this.#account), edit), changes,
      element("h2", { class: "you-part" }, phrase("you.location")), this.#saving.view, sees, this.#notify.view, this.#push.view,
      folded(phrase("phones.own"), this.#phoneCount, this.#phones.view, "you-phones"),
      element("h2", { class: "you-part" }, phrase("you.privacy")),
      folded(phrase("pictures.title"), this.#pictureCount, this.#pictures.view, "you-pictures"),
      folded(phrase("blocked.title"), this.#blockedCount, this.#blocked.view, "you-blocked"),
      folded(phrase("ways.title"), this.#waysCount, this.#ways.view, "you-ways-to-log-in"),
      element("h2", { class: "you-part" }, phrase("you.more")), languageField(), this.#calendar.view,
      element("a", { class: "line-row", href: "/watch.html", "data-testid": "open-watch" }, element("span", { class: "grow" }, phrase("you.watch")), lineIcon("right")),
      folded(phrase("you.demo"), element("span", {}), element("div", { class: "stack" },
        element("p", { class: "hint" }, phrase("you.demo.hint")), this.#walk), "demo-open"),
      element("div", { class: "row ways you-ways" }, element("div", { class: "sure" }, out), remove));
  }

  /** Loads the profile when it is first shown. */
  async show() {
    this.draw();
    void this.#pictures.read();
    void this.#push.read();
    void this.#blocked.draw();
    void this.#phones.read();
    void attempt(() => this.#calendar.read());
    void attempt(() => this.#ways.read());
    if (this.#isRead) return;
    this.#isRead = true;
    this.#isRead = await attempt(async () => {
      const profile = await me(location.origin, this.#context.session.token);
      this.#name.input.value = profile.name;
      setText(this.#account, profile.username);
    });
  }

  /** Draws the profile. */
  draw() {
    const { session } = this.#context;
    this.#face.draw();
    this.#saving.draw();
    setText(this.#called, session.client.user?.name ?? "");
    setShown(this.#seesRow, session.current !== null);
    setText(this.#sees, seenBy(session));
    this.#walk.setAttribute("aria-pressed", String(session.source.mode === "walk"));
    this.#walk.disabled = session.current === null;
  }
}

/** A row that unfolds its contents below it. */
function folded(title, note, contents, testid) {
  return element("details", { class: "folded" }, element("summary", { class: "line-row", "data-testid": testid }, element("span", { class: "grow" }, title), note, lineIcon("down")), contents);
}

/** What the user's groups see, in words: "3 groups · live in 2, hidden in 1". */
function seenBy(session) {
  const { groups } = session;
  const modes = groups.map(({ id }) => session.sharing(id).mode);
  const parts = ["live", "approximate", "paused"].map((mode) => [mode, modes.filter((each) => each === mode).length]).filter(([, count]) => count > 0);
  return `${phrase("count.groups", { count: groups.length })} · ${parts.map(([mode, count]) => phrase(`you.sees.${mode}`, { count })).join(", ")}`;
}

import { deleteMe, logOut, me, updateMe } from "../../muster.js";
import { CalendarAddress } from "../events/calendar.js";
import { attempt, toast } from "../shell/toasts.js";
import { button, busyWhile, element, setText, stylesheet } from "../ui/dom.js";
import { field, sureButton } from "../ui/form.js";
import { BlockedPeople } from "./blocked.js";
import { Face } from "./face.js";
import { OwnPictures } from "./pictures.js";
import { SavingSwitch } from "./saving.js";

export const route = "you";
export const title = "You";
export const layer = null;

await stylesheet("/app/you/you.css");

/**
 * The user's own section: picture and name, saving mode, blocked users, share pictures, calendar, demo, logout, and
 * deletion of the account.
 */
export function panel(context) {
  return new YouPanel(context);
}

function part(name, ...content) {
  return element("section", { class: "stack", "aria-label": name }, element("h2", { class: "part-name" }, name), content);
}

class YouPanel {
  #context;
  #face;
  #name = field("Your name", { required: true, maxlength: 80, autocomplete: "name", "data-testid": "profile-name" }, { hint: "What your friends see on the map." });
  #called = element("strong", {});
  #username = element("span", { class: "hint", "data-testid": "profile-username" });
  #walk;
  #saving;
  #pictures;
  #blocked;
  #calendar;
  #isRead = false;
  view;

  /** @param {{session: object, go: Function, walk: () => void, signOut: (why: string) => void}} context */
  constructor(context) {
    this.#context = context;
    const { session } = context;
    this.#face = new Face(session, element("p", { class: "you-name" }, this.#called, this.#username));
    const save = element("button", { type: "submit", class: "filled", "data-testid": "profile-save" }, "Save");
    const form = element("form", { class: "stack", novalidate: true }, this.#name.row, save);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const called = this.#name.input.value.trim();
      this.#name.complain(called ? null : "You need a name.");
      if (!called) return this.#name.input.focus();
      busyWhile(save, () => attempt(async () => {
        const profile = await updateMe(location.origin, session.token, { name: called });
        session.client.user = { ...session.client.user, name: profile.name, avatar: profile.avatar };
        this.draw();
        toast("Saved.");
      }));
    });
    const out = button("Log out", async () => {
      // The page logs out in any case; the request to the server may fail.
      await logOut(location.origin, session.token).catch(() => {});
      context.signOut("You are logged out.");
    }, { "data-testid": "log-out" });
    const remove = sureButton("Delete account", "This deletes your account, your groups' memory of you and every position you ever sent. It cannot be undone.",
      () => attempt(async () => {
        await deleteMe(location.origin, session.token);
        context.signOut("Your account is deleted.");
      }), { "data-testid": "delete-account" });
    this.#walk = button("Walk me", () => (session.source.mode === "walk" ? session.source.stop() : context.walk()), { class: "toggle", "aria-pressed": "false", "data-testid": "share-walk" });
    this.#saving = new SavingSwitch(session);
    this.#pictures = new OwnPictures(session);
    this.#blocked = new BlockedPeople(session);
    this.#calendar = new CalendarAddress(session);
    const demo = element("details", { class: "demo", "data-testid": "demo" }, element("summary", { "data-testid": "demo-open" }, "Demo"),
      element("p", { class: "hint" }, "Try Muster without going out: drag your marker on the map, or move it with the arrow keys. Your friends see you walk."), this.#walk);
    this.view = element("div", { class: "you stack sections" },
      this.#face.view, form, part("Location", this.#saving.view), part("Privacy", this.#blocked.view, this.#pictures.view),
      part("More", this.#calendar.view, demo, element("p", { class: "hint" }, "On your wrist: ", element("a", { href: "/watch.html", "data-testid": "open-watch" }, "Muster for a watch"), " shows who is together at a glance.")),
      element("div", { class: "you-end" }, out, remove));
  }

  /** Loads the profile when it is first shown. */
  async show() {
    this.draw();
    void this.#pictures.read();
    void this.#blocked.draw();
    void attempt(() => this.#calendar.read());
    if (this.#isRead) return;
    this.#isRead = true;
    this.#isRead = await attempt(async () => {
      const profile = await me(location.origin, this.#context.session.token);
      this.#name.input.value = profile.name;
      setText(this.#username, profile.username);
    });
  }

  /** Draws the profile. */
  draw() {
    const { session } = this.#context;
    this.#face.draw();
    setText(this.#called, session.client.user?.name ?? "");
    this.#saving.draw();
    this.#walk.setAttribute("aria-pressed", String(session.source.mode === "walk"));
    this.#walk.disabled = session.current === null;
  }
}

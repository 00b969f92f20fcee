import { addTracker, removeTracker, trackers } from "../../muster.js";
import { attempt } from "../shell/toasts.js";
import { copy } from "../ui/copy.js";
import { busyWhile, button, element, setShown, setText } from "../ui/dom.js";
import { field, select, sureButton } from "../ui/form.js";
import { KeyedList } from "../ui/list.js";
import { explain, isolated, moment } from "../ui/text.js";

/** The apps: their names, and what to do on the phone. Only OsmAnd has no link that configures it. */
const APPS = {
  owntracks: { name: "OwnTracks", next: "Scan this with the phone's camera, or open the link on the phone. Your friends then show in OwnTracks." },
  overland: { name: "Overland", next: "Scan this with the phone's camera, or open the link on the phone." },
  traccar: { name: "Traccar Client", next: "Scan this in the app, or open the link on the phone." },
  osmand: { name: "OsmAnd", next: "In OsmAnd, open Plugins, Trip recording, Online tracking, and enter this as the web address." },
};

/** The phones of the user that report by an app of their own: added, with the last report and problem, and removed. */
export class Phones {
  #session;
  #list = element("ul", { class: "phones", "aria-label": "My phones", "data-testid": "phones" });
  #rows;
  #state = element("p", { class: "hint", role: "status", "data-testid": "phones-state" });
  #name = field("Name of the phone", { required: true, maxlength: 80, autocomplete: "off", "data-testid": "phone-name" });
  #app = select("App", "phone-app", Object.entries(APPS).map(([value, { name }]) => [value, name]));
  #setup = element("div", { class: "stack phone-setup", "data-testid": "phone-setup", tabindex: "-1", hidden: true });
  #onCount;
  #reading = 0;
  view;

  /** @param {object} session @param {(words: string) => void} onCount receives their number in words */
  constructor(session, onCount) {
    this.#session = session;
    this.#onCount = onCount;
    this.#rows = new KeyedList(this.#list, () => this.#row());
    const add = element("button", { type: "submit", class: "filled", "data-testid": "phone-add" }, "Add my phone");
    const form = element("form", { class: "stack", novalidate: true }, this.#app.row, this.#name.row, add);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const name = this.#name.input.value.trim();
      this.#name.complain(name ? null : "Enter a name.");
      if (!name) return this.#name.input.focus();
      busyWhile(add, () => attempt(() => this.#add(this.#app.input.value, name)));
    });
    this.view = element("section", { class: "stack", "aria-label": "My phones" },
      element("p", { class: "hint" }, "An app on your phone can report where you are while Muster is closed."), this.#state, this.#list, form, this.#setup);
  }

  /** Reloads the phones. */
  async read() {
    const number = ++this.#reading;
    let found;
    try {
      found = (await trackers(location.origin, this.#session.token)).trackers;
    } catch (error) {
      return setText(this.#state, explain(error));
    }
    if (number !== this.#reading) return;
    this.#rows.show(found, ({ device }) => device);
    setText(this.#state, "");
    this.#onCount(found.length === 0 ? "None" : String(found.length));
  }

  async #add(app, name) {
    const added = await addTracker(location.origin, this.#session.token, { app, name });
    this.#name.input.value = "";
    const address = element("code", { class: "calendar-address", "data-testid": "phone-link" }, added.link);
    const picture = added.qr
      ? [element("img", { class: "phone-code", alt: `Code that sets up ${APPS[app].name}`, src: `data:image/svg+xml,${encodeURIComponent(added.qr)}`, "data-testid": "phone-qr" })]
      : [];
    const open = app === "osmand" ? [] : [element("a", { class: "button", href: added.link, "data-testid": "phone-open" }, `Open ${APPS[app].name}`)];
    this.#setup.replaceChildren(
      element("p", {}, APPS[app].next), ...picture, address,
      element("div", { class: "row" }, button("Copy", () => copy(added.link, "The link is copied."), { "data-testid": "phone-copy" }), ...open,
        button("Done", () => setShown(this.#setup, false), { "data-testid": "phone-done" })),
      element("p", { class: "hint" }, "It is shown only now. Whoever has it can report as this phone and see your friends."),
    );
    setShown(this.#setup, true);
    this.#setup.focus();
    await this.read();
  }

  #row() {
    const name = element("span", { class: "blocked-name" });
    const report = element("span", { class: "hint", "data-testid": "phone-report" });
    const problem = element("span", { class: "hint", "data-testid": "phone-problem" });
    let phone = null;
    const remove = sureButton("Remove…", "Remove this phone? Its app can report nothing more; what it reported stays.",
      () => attempt(async () => {
        await removeTracker(location.origin, this.#session.token, phone.device);
        setShown(this.#setup, false);
        await this.read();
      }), { class: "small", "data-testid": "phone-remove" });
    return {
      item: element("li", { "data-testid": "phone" }, element("span", { class: "grow two-lines" }, name, report, problem), remove),
      show: (shown) => {
        phone = shown;
        setText(name, `${isolated(phone.name)} · ${APPS[phone.app]?.name ?? phone.app}`);
        setText(report, phone.reportedAt ? `Last report ${moment(phone.reportedAt)}` : "No report yet");
        setText(problem, phone.lastProblem ? `Problem ${moment(phone.lastProblemAt)}: ${phone.lastProblem}` : "");
        setShown(problem, Boolean(phone.lastProblem));
      },
    };
  }
}

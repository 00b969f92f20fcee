import { addTracker, removeTracker, trackers } from "../../muster.js";
import { attempt } from "../shell/toasts.js";
import { copy } from "../ui/copy.js";
import { busyWhile, button, element, setShown, setText } from "../ui/dom.js";
import { field, select, sureButton } from "../ui/form.js";
import { KeyedList } from "../ui/list.js";
import { explain, isolated, moment } from "../ui/text.js";
import { phrase } from "../ui/words.js";

/** The names of the apps. Only OsmAnd has no link that configures it. */
const APPS = { owntracks: "OwnTracks", overland: "Overland", traccar: "Traccar Client", osmand: "OsmAnd" };

/** The phones of the user that report by an app of their own: added, with the last report and problem, and removed. */
export class Phones {
  #session;
  #list = element("ul", { class: "phones", "aria-label": phrase("phones.title"), "data-testid": "phones" });
  #rows;
  #state = element("p", { class: "hint", role: "status", "data-testid": "phones-state" });
  #name = field(phrase("phones.name"), { required: true, maxlength: 80, autocomplete: "off", "data-testid": "phone-name" });
  #app = select(phrase("phones.app"), "phone-app", Object.entries(APPS));
  #setup = element("div", { class: "stack phone-setup", "data-testid": "phone-setup", tabindex: "-1", hidden: true });
  #onCount;
  #reading = 0;
  view;

  /**
   * @param {object} session
   * @param {(words: string) => void} onCount receives their number in words
   * @param {(act: () => Promise<void>) => Promise<void>} prove runs an action for which a login must be recent
   */
  constructor(session, onCount, prove) {
    this.#session = session;
    this.#onCount = onCount;
    this.#rows = new KeyedList(this.#list, () => this.#row());
    const add = element("button", { type: "submit", class: "filled", "data-testid": "phone-add" }, phrase("phones.add"));
    const form = element("form", { class: "stack", novalidate: true }, this.#app.row, this.#name.row, add);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const name = this.#name.input.value.trim();
      this.#name.complain(name ? null : phrase("profile.name.missing"));
      if (!name) return this.#name.input.focus();
      busyWhile(add, () => attempt(() => prove(() => this.#add(this.#app.input.value, name))));
    });
    this.view = element("section", { class: "stack", "aria-label": phrase("phones.title") },
      element("p", { class: "hint" }, phrase("phones.hint")), this.#state, this.#list, form, this.#setup);
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
    this.#onCount(found.length === 0 ? phrase("phones.none") : String(found.length));
  }

  async #add(app, name) {
    const added = await addTracker(location.origin, this.#session.token, { app, name });
    this.#name.input.value = "";
    const address = element("code", { class: "calendar-address", "data-testid": "phone-link" }, added.link);
    const picture = added.qr
      ? [element("img", { class: "phone-code", alt: phrase("phones.code", { app: APPS[app] }), src: `data:image/svg+xml,${encodeURIComponent(added.qr)}`, "data-testid": "phone-qr" })]
      : [];
    const open = app === "osmand" ? [] : [element("a", { class: "button", href: added.link, "data-testid": "phone-open" }, phrase("phones.open", { app: APPS[app] }))];
    this.#setup.replaceChildren(
      element("p", {}, phrase(`phones.next.${app}`)), ...picture, address,
      element("div", { class: "row" }, button(phrase("copy"), () => copy(added.link, phrase("link.copied")), { "data-testid": "phone-copy" }), ...open,
        button(phrase("done"), () => setShown(this.#setup, false), { "data-testid": "phone-done" })),
      element("p", { class: "hint" }, phrase("phones.once")),
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
    const remove = sureButton(phrase("remove.open"), phrase("phones.remove.sure"),
      () => attempt(async () => {
        await removeTracker(location.origin, this.#session.token, phone.device);
        setShown(this.#setup, false);
        await this.read();
      }), { class: "small", "data-testid": "phone-remove" });
    return {
      item: element("li", { "data-testid": "phone" }, element("span", { class: "grow two-lines" }, name, report, problem), remove),
      show: (shown) => {
        phone = shown;
        setText(name, `${isolated(phone.name)} · ${APPS[phone.app] ?? phone.app}`);
        setText(report, phone.reportedAt ? phrase("phones.report", { when: moment(phone.reportedAt) }) : phrase("phones.report.none"));
        setText(problem, phone.lastProblem ? phrase("phones.problem", { when: moment(phone.lastProblemAt), problem: phone.lastProblem }) : "");
        setShown(problem, Boolean(phone.lastProblem));
      },
    };
  }
}

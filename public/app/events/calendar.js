import { attempt, toast } from "../shell/toasts.js";
import { copy } from "../ui/copy.js";
import { button, element, setText } from "../ui/dom.js";
import { sureButton } from "../ui/form.js";
import { lineIcon } from "../ui/icons.js";
import { phrase } from "../ui/words.js";

/** The address of the user's calendar feed, with buttons to copy and to replace it. */
export class CalendarAddress {
  #session;
  #address = element("code", { class: "calendar-address", "data-testid": "calendar-address" });
  view;

  /** @param {object} session */
  constructor(session) {
    this.#session = session;
    const take = button(phrase("calendar.copy"), () => copy(this.#address.textContent, phrase("calendar.copied")), { "data-testid": "calendar-copy" });
    const renew = sureButton(phrase("calendar.renew"), phrase("calendar.renew.sure"), () => attempt(() => this.#renew()), { "data-testid": "calendar-renew" });
    this.view = element("details", { class: "folded", "data-testid": "calendar" }, element("summary", { class: "line-row" }, element("span", { class: "grow" }, phrase("calendar.title")), lineIcon("down")),
      element("div", { class: "stack" }, element("p", { class: "hint" }, phrase("calendar.hint")), this.#address, element("div", { class: "row" }, take, renew)));
  }

  /** Shows the address. */
  show(address) {
    setText(this.#address, address);
  }

  /** Loads the address. */
  async read() {
    this.show((await this.#session.client.request("events.mine", { limit: 1 })).calendar);
  }

  async #renew() {
    const answer = await fetch("/v1/me/calendar", { method: "POST", headers: { authorization: `Bearer ${this.#session.token}` } });
    if (!answer.ok) throw Object.assign(new Error(phrase("calendar.failed")), { code: (await answer.json().catch(() => ({}))).code ?? "unavailable" });
    this.show((await answer.json()).calendar);
    toast(phrase("calendar.renewed"));
  }
}

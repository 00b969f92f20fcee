import { attempt, toast } from "../shell/toasts.js";
import { copy } from "../ui/copy.js";
import { button, element, setText } from "../ui/dom.js";
import { sureButton } from "../ui/form.js";
import { lineIcon } from "../ui/icons.js";

/** The address of the user's calendar feed, with buttons to copy and to replace it. */
export class CalendarAddress {
  #session;
  #address = element("code", { class: "calendar-address", "data-testid": "calendar-address" });
  view;

  /** @param {object} session */
  constructor(session) {
    this.#session = session;
    const take = button("Copy address", () => copy(this.#address.textContent, "The address is copied."), { "data-testid": "calendar-copy" });
    const renew = sureButton("New address", "Make a new address? The old one stops working.", () => attempt(() => this.#renew()), { "data-testid": "calendar-renew" });
    this.view = element("details", { class: "folded", "data-testid": "calendar" }, element("summary", { class: "line-row" }, element("span", { class: "grow" }, "Events in my calendar"), lineIcon("down")),
      element("div", { class: "stack" }, element("p", { class: "hint" }, "Subscribe to this address in your calendar. Anyone with it sees these events."), this.#address, element("div", { class: "row" }, take, renew)));
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
    if (!answer.ok) throw Object.assign(new Error("The address could not be changed."), { code: (await answer.json().catch(() => ({}))).code ?? "unavailable" });
    this.show((await answer.json()).calendar);
    toast("Your calendar has a new address.");
  }
}

import { attempt, toast } from "../shell/toasts.js";
import { button, element, setText } from "../ui/dom.js";
import { sureButton } from "../ui/form.js";

/** The address of the user's calendar feed, with buttons to copy and to replace it. */
export class CalendarAddress {
  #session;
  #address = element("code", { class: "calendar-address", "data-testid": "calendar-address" });
  view;

  /** @param {object} session */
  constructor(session) {
    this.#session = session;
    const copy = button("Copy the address", () => attempt(async () => {
      await navigator.clipboard.writeText(this.#address.textContent);
      toast("The address is copied.");
    }), { class: "small", "data-testid": "calendar-copy" });
    const renew = sureButton("New address", "The old address will show nothing any more.", () => attempt(() => this.#renew()), { class: "small", "data-testid": "calendar-renew" });
    this.view = element("details", { "data-testid": "calendar" }, element("summary", {}, "In your calendar"),
      element("div", { class: "stack" }, element("p", { class: "hint" }, "Subscribe to this address in your calendar. Whoever has it sees these events."), this.#address, element("div", { class: "row" }, copy, renew)));
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
    if (!answer.ok) throw new Error("The address could not be changed.");
    this.show((await answer.json()).calendar);
    toast("Your calendar has a new address.");
  }
}

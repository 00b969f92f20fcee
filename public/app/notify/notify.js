import { worker } from "../offline/worker.js";
import { alertWords } from "../shell/alert-card.js";
import { showCard } from "../shell/toasts.js";
import { local } from "../storage.js";
import { button, element, setShown, setText } from "../ui/dom.js";
import { phrase } from "../ui/words.js";

/** The storage key of this browser's choice: "yes" or "no"; absent before there was one. */
const CHOICE = "muster.notify";

/** How long the offer stays, in milliseconds. */
const OFFERED = 30_000;

/** Whether this browser shows notifications: `on`, `off`, `refused`, or `missing` where it cannot. */
export function notifyState() {
  if (!("Notification" in window) || navigator.serviceWorker === undefined) return "missing";
  if (Notification.permission === "denied") return "refused";
  return Notification.permission === "granted" && local.getItem(CHOICE) === "yes" ? "on" : "off";
}

// Only a press may ask: browsers ignore a page that asks by itself. Whoever closes the question has not chosen.
async function turnOn() {
  if ((await Notification.requestPermission()) === "granted") local.setItem(CHOICE, "yes");
}

/** Shows alerts as notifications while the page is hidden, and offers that after the first alert. */
export class Notifier {
  #ended = new AbortController();

  /** @param {object} client @param {{group: (id: string) => string}} options `group`: the address of a group */
  constructor(client, { group }) {
    client.addEventListener("alert", ({ detail }) => {
      if (detail.late) return;
      if (document.hidden) void this.#show(detail, client.now(), group(detail.group));
      else if (notifyState() === "off" && local.getItem(CHOICE) === null) this.#offer();
    });
    client.addEventListener("seen", ({ detail }) => void withdraw((tag) => detail.notifications.some((number) => tag === tagOf(number))));
    document.addEventListener("visibilitychange", () => document.hidden || withdraw(() => true), { signal: this.#ended.signal });
  }

  /** Stops listening, and closes the notifications of this login. */
  close() {
    this.#ended.abort();
    void withdraw(() => true);
  }

  async #show(alert, now, address) {
    const registration = await worker();
    if (notifyState() !== "on" || !registration?.active) return;
    const { title, text } = alertWords(alert, now);
    // Of several open pages each shows it; with one tag they show one.
    await registration.showNotification(title, { body: text, tag: tagOf(alert.notification), icon: "/icons/192.png", data: { address: `/${address}` } });
  }

  #offer() {
    if (document.querySelector("[data-testid=notify-offer]") !== null) return;
    const yes = button(phrase("notify.yes"), async () => {
      await turnOn();
      if (notifyState() === "on") return card.close();
      setText(words, phrase(`notify.${notifyState()}`));
      setShown(row, notifyState() === "off");
    }, { class: "filled", "data-testid": "notify-yes" });
    const no = button(phrase("noThanks"), () => {
      local.setItem(CHOICE, "no");
      card.close();
    }, { "data-testid": "notify-no" });
    const words = element("p", {}, phrase("notify.off"));
    const row = element("div", { class: "row" }, yes, no);
    const card = showCard(phrase("notify.title"), [words, row], { stays: OFFERED, testid: "notify-offer" });
  }
}

/** The switch for notifications, with a line that says why it is not there. */
export class NotifySwitch {
  #toggle;
  #words = element("span", { class: "hint", "data-testid": "notify-words" });
  view;

  constructor() {
    this.#toggle = element("input", { type: "checkbox", class: "switch-box", role: "switch", "data-testid": "notify", onchange: () => this.#press() });
    this.view = element("label", { class: "toggle-row" }, element("span", {}, element("span", {}, phrase("notify.title")), this.#words), this.#toggle);
    this.draw();
  }

  /** Shows the current state. */
  draw() {
    const state = notifyState();
    setShown(this.#toggle, state === "on" || state === "off");
    this.#toggle.checked = state === "on";
    setText(this.#words, phrase(`notify.${state}`));
  }

  async #press() {
    if (!this.#toggle.checked) local.setItem(CHOICE, "no");
    else await turnOn();
    this.draw();
  }
}

function tagOf(notification) {
  return `alert-${notification}`;
}

/** Closes notifications: those that were seen elsewhere, and all once the page itself shows the alerts. */
async function withdraw(isOver) {
  for (const shown of (await (await worker())?.getNotifications()) ?? []) if (isOver(shown.tag)) shown.close();
}

import { element, setAttribute, setShown, setText } from "../ui/dom.js";
import { lineIcon } from "../ui/icons.js";
import { moment, remaining } from "../ui/text.js";
import { phrase } from "../ui/words.js";
import { announce } from "./toasts.js";

/** The delay in milliseconds before an interruption is shown: most are over by then. */
const SHORT = 2500;

/** The reasons of an interruption, by the states of `Connection`. */
const REASONS = ["lost", "unreachable", "unavailable", "refused", "goaway", "silent", "offline", "limited", "busy", "client", "unauthorized", "replaced"];

function why(reason) {
  return REASONS.includes(reason) ? phrase(`connection.${reason}`) : phrase("connection.none");
}

/** The strip over everything while the page is not connected, with its reason and a button to reconnect. */
export class Strip {
  #why = element("p", { class: "strip-why", "data-testid": "connection-why" });
  #retry = element("button", { type: "button", class: "text", "data-testid": "connection-retry" });
  #status = { state: "idle", reason: null, retryAt: null };
  #since = Date.now();
  #liveAt = null;
  #timer = null;
  view = element("div", { class: "strip", role: "region", "aria-label": phrase("connection"), "data-testid": "connection", hidden: true }, lineIcon("offline"), this.#why, this.#retry);

  /** @param {{onRetry: () => void, onChange: () => void}} actions `onChange`: called when it appears or disappears */
  constructor({ onRetry, onChange }) {
    this.#retry.addEventListener("click", onRetry);
    this.onChange = onChange;
    this.#show();
  }

  /** The time at which the connection was lost; null while it is live, or before it was. */
  get asOf() {
    return this.#status.state === "live" || this.view.hidden ? null : this.#liveAt;
  }

  /** The time of the state that the page has from before; null when it has none. */
  set knownAt(at) {
    this.#liveAt = at;
    this.#show();
  }

  /** Shows a state of the connection. */
  show(status) {
    if (status.state === "live" || this.#status.state === "live") this.#since = Date.now();
    if (this.#status.state === "live" && status.state !== "live") this.#liveAt = Date.now();
    this.#status = status;
    this.#show();
  }

  /** Stops the timer. */
  close() {
    clearTimeout(this.#timer);
  }

  #show() {
    clearTimeout(this.#timer);
    const { state, reason, retryAt } = this.#status;
    const isOffline = state === "stopped" || (state !== "live" && !navigator.onLine);
    setAttribute(this.view, "data-state", state === "live" ? "live" : isOffline ? "offline" : "reconnecting");
    const isShown = state === "stopped" || (state !== "live" && (isOffline || reason !== null) && (isOffline || Date.now() - this.#since > SHORT));
    const wasShown = !this.view.hidden;
    setShown(this.view, isShown);
    const next = state === "waiting" && retryAt - Date.now() > 1000 ? phrase("connection.next", { time: remaining(retryAt - Date.now()) }) : "";
    const map = this.#liveAt === null ? "" : phrase("connection.asOf", { when: moment(this.#liveAt) });
    setText(this.#why, navigator.onLine ? `${why(reason)}${next || map}` : `${phrase("connection.none")}${map}`);
    setText(this.#retry, reason === "replaced" ? phrase("connection.here") : phrase("retry"));
    setShown(this.#retry, reason !== "client");
    if (state !== "live" && state !== "stopped") this.#timer = setTimeout(() => this.#show(), 1000);
    // Announced once: the time of the next attempt changes each second.
    if (isShown && !wasShown) announce(navigator.onLine ? why(reason) : phrase("connection.none"), { isUrgent: false });
    if (isShown !== wasShown) this.onChange();
  }
}

import { element, setAttribute, setShown, setText } from "../ui/dom.js";
import { moment, remaining } from "../ui/text.js";

const WHY = {
  lost: "The connection was lost.",
  unreachable: "The server cannot be reached.",
  unavailable: "The server is starting or busy.",
  refused: "The server takes no connection right now.",
  goaway: "The server is restarting.",
  silent: "The server has gone quiet.",
  offline: "The network was gone.",
  limited: "This page was too busy; it rests a little.",
  busy: "The connection was too slow.",
  client: "The server does not understand this page. Reload it.",
  unauthorized: "You were logged out.",
  replaced: "This tab is connected somewhere else.",
};

/** The state of the connection in a word with its reason, and a button to reconnect. */
export class ConnectionBadge {
  #word = element("span", { "data-testid": "connection-word" });
  #why = element("p", { class: "why", "data-testid": "connection-why", hidden: true });
  #retry = element("button", { type: "button", class: "small", "data-testid": "connection-retry", hidden: true });
  #status = { state: "idle" };
  #since = Date.now();
  #timer = null;

  badge = element("p", { class: "badge", role: "status", "data-testid": "connection" }, element("span", { class: "dot", "aria-hidden": "true" }), this.#word);
  banner = element("div", { class: "connection-banner", hidden: true }, this.#why, this.#retry);

  #asOf;

  /**
   * @param {{onRetry: () => void, asOf: () => number|null}} options `onRetry` is called when the button is pressed; `asOf` gives
   *   the time of the shown state
   */
  constructor({ onRetry, asOf }) {
    this.#asOf = asOf;
    this.#retry.addEventListener("click", onRetry);
    this.#show();
  }

  /** Shows a state of the connection. */
  show(status) {
    if (status.state === "live" || this.#status.state === "live") this.#since = Date.now();
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
    const offline = state === "stopped" || (state !== "live" && !navigator.onLine);
    // Only the badge shows a short reconnect; the banner would flicker.
    const long = Date.now() - this.#since > 2500;
    const word = state === "live" ? "Live" : offline ? "Offline" : reason === null ? "Connecting…" : "Reconnecting…";
    setText(this.#word, word);
    const kind = state === "live" ? "live" : offline ? "offline" : "reconnecting";
    setAttribute(this.badge, "class", `badge ${kind}`);
    setAttribute(this.badge, "data-state", kind);

    const waiting = state === "waiting" && retryAt !== null;
    const countdown = waiting && retryAt - Date.now() > 1000 ? ` Next try in ${remaining(retryAt - Date.now())}.` : "";
    setShown(this.banner, state === "stopped" || (state !== "live" && reason !== null && (long || offline)));
    const at = this.#asOf();
    const age = at === null ? "" : ` What you see is as of ${moment(at, Date.now())}.`;
    const why = navigator.onLine ? `${WHY[reason] ?? "You are offline."}${countdown}` : "You are offline. Your moves and messages are kept and sent later.";
    setText(this.#why, `${why}${age}`);
    setShown(this.#why, true);
    setText(this.#retry, reason === "replaced" ? "Use it here" : "Try now");
    setShown(this.#retry, reason === "replaced" || (state === "waiting" && reason !== "goaway" && reason !== "limited"));
    if (state !== "live" && state !== "stopped") this.#timer = setTimeout(() => this.#show(), 1000);
  }
}

import { SIGNIFICANT_CHANGE } from "../../muster.js";
import { button, element, setAttribute, setShown, setText } from "../ui/dom.js";
import { ago, counted, distance, lasting } from "../ui/text.js";
import { openSharingDialog, untilWords } from "./sharing-dialog.js";

/** A switch for the user's position, and a line that states its visibility. */
export class ShareBar {
  #session;
  #toggle;
  #line = element("p", { class: "share-line", "data-testid": "sharing-line" });
  #hint = element("p", { class: "hint", "data-testid": "position-hint", role: "status" });
  #change;
  view;

  /** @param {object} session */
  constructor(session) {
    this.#session = session;
    this.#toggle = element("button", { type: "button", class: "switch", role: "switch", "aria-checked": "false", "data-testid": "share-gps", onclick: () => this.#switch() },
      element("span", { class: "switch-knob", "aria-hidden": "true" }), "Share my location");
    this.#change = button("change", () => openSharingDialog(session), { class: "link", "aria-label": "Change what your friends see", "data-testid": "sharing" });
    this.view = element("section", { class: "share-bar", "aria-label": "Your location", hidden: true },
      this.#toggle, element("div", { class: "share-words" }, this.#line, this.#change), this.#hint);
  }

  /** Draws the current state. */
  draw() {
    const { source, client } = this.#session;
    const group = this.#session.current;
    setShown(this.view, group !== null);
    if (group === null) return;
    const isLive = client.status.state === "live";
    const { mode, until } = this.#session.sharing();
    const isOut = source.isReporting && isLive && mode !== "paused";
    setAttribute(this.#toggle, "aria-checked", source.mode !== "off");
    setAttribute(this.view, "data-state", isOut ? mode : source.mode === "off" || mode === "paused" ? "off" : "waiting");
    setAttribute(this.view, "data-mode", mode);
    const others = (this.#session.roster?.members.size ?? 1) - 1;
    setText(this.#line, words(this.#session, { mode, until, others, isLive }));
    setText(this.#hint, hint(this.#session, { isLive, mode }));
    setShown(this.#hint, this.#hint.textContent !== "");
  }

  #switch() {
    const { source } = this.#session;
    if (source.mode === "off") source.startGps();
    else source.stop();
  }
}

function words({ source, isSaving, now }, { mode, until, others, isLive }) {
  const end = until === null ? "" : ` ${untilWords(until, now)}`;
  if (mode === "paused") return `Paused${end}: nobody sees you`;
  if (source.mode === "off") return mode === "live" ? "Off: your friends do not see you move" : `Off; approximate${end} when on`;
  if (others === 0) return "Nobody else is in this group yet";
  const friends = counted(others, "friend");
  const see = others === 1 ? "sees" : "see";
  if (!isLive) return `${friends} ${see} where you were`;
  if (mode === "live" && isSaving) return `${friends} ${see} you every ${distance(SIGNIFICANT_CHANGE.metres)} or ${lasting(SIGNIFICANT_CHANGE.milliseconds)}`;
  return mode === "live" ? `${friends} ${see} you exactly` : `${friends} ${see} your area${end}`;
}

function hint({ source, client, isSaving, now }, { isLive, mode }) {
  const kept = client.backlog.length;
  if (source.mode === "off") return "";
  if (!isLive) return kept > 0 ? `${counted(kept, "position")} ${kept === 1 ? "waits" : "wait"} to be sent.` : "Waiting for the connection.";
  if (source.last === null) return "Looking for your position…";
  if (!isSaving || mode === "paused") return "";
  return client.reportedAt === null ? "Saving battery." : `Saving battery. Last sent ${ago(now - client.reportedAt)}.`;
}

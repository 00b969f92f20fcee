import { SIGNIFICANT_CHANGE } from "../../muster.js";
import { attempt } from "../shell/toasts.js";
import { element, setAttribute, setShown, setText } from "../ui/dom.js";
import { lineIcon } from "../ui/icons.js";
import { distance } from "../ui/text.js";
import { lasting } from "../ui/times.js";
import { phrase } from "../ui/words.js";
import { shareState } from "./share-state.js";

/** The only control of the user's position: what others see of it, and the dialog that changes it. */
export class SharePill {
  #session;
  #word = element("strong", {});
  #detail = element("span", {});
  view;

  /** @param {object} session */
  constructor(session) {
    this.#session = session;
    this.view = element("button", { type: "button", class: "pill share-pill", "aria-haspopup": "dialog", "data-testid": "sharing", hidden: true, onclick: () => attempt(async () => (await import("./sharing-dialog.js")).openSharingDialog(session)) },
      element("span", { class: "dot", "aria-hidden": "true" }),
      element("span", { class: "share-line", "data-testid": "sharing-line" }, this.#word, this.#detail), lineIcon("down"));
  }

  /** Draws the current state; `isCut`: whether the page has been without a connection for a while. */
  draw(isCut = false) {
    const { client, current, source, now, roster, me, isSaving } = this.#session;
    setShown(this.view, current !== null);
    if (current === null) return;
    const { mode, until } = this.#session.sharing();
    const { kind, word, detail } = shareState({
      mode, until, source, now, row: roster?.members.get(me) ?? null, others: (roster?.members.size ?? 1) - 1,
      kept: client.backlog.length, isLive: client.status.state === "live" || (!isCut && client.status.reason === null),
    });
    setAttribute(this.view, "data-state", kind);
    setAttribute(this.view, "data-mode", mode);
    setText(this.#word, word);
    setText(this.#detail, detail === null ? "" : ` · ${detail}`);
    const saving = isSaving && kind === "live" ? phrase("sharing.saving", { distance: distance(SIGNIFICANT_CHANGE.metres), time: lasting(SIGNIFICANT_CHANGE.milliseconds) }) : "";
    setAttribute(this.view, "aria-label", `${phrase("sharing.title")}: ${[word, detail].filter(Boolean).join(" · ")}${saving === "" ? "" : `. ${saving}`}`);
    setAttribute(this.view, "title", saving);
  }
}

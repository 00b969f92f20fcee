import { element } from "../ui/dom.js";
import { phrase } from "../ui/words.js";
import { focusHeading } from "./focus.js";
import { explain } from "../ui/text.js";

const region = () => document.getElementById("toasts");
const announcer = () => document.getElementById("announcer");
const murmur = () => document.getElementById("murmur");

/** Announces a text to screen readers only: at once, or after their current speech. */
export function announce(text, { isUrgent = true } = {}) {
  const place = isUrgent ? announcer() : murmur();
  place.textContent = "";
  // Emptied and filled in the same task, the region would not announce a repeated text.
  setTimeout(() => (place.textContent = text), 50);
}

/** How long a message stays, in milliseconds, and one with a control. */
const STAYS = 6000;
const STAYS_TO_PRESS = 60_000;

/**
 * Shows a short message, which is also announced, in place of the one before.
 * @param {{tone?: string, control?: HTMLElement|null}} [options] `control`: what the user may do about it
 */
export function toast(text, { tone = "plain", control = null } = {}) {
  const shown = element("p", { class: `toast ${tone}` }, text, control);
  region().replaceChildren(shown);
  setTimeout(() => shown.remove(), control === null ? STAYS : STAYS_TO_PRESS);
}

/**
 * Shows a temporary card with controls. It stays while it is hovered or focused, and Escape closes it. It does not move
 * the focus.
 * @param {string} title its accessible name
 * @param {Element[]} content
 * @param {{stays: number, testid: string}} options `stays`: the duration in milliseconds
 * @returns {{isOpen: boolean, close: () => void, stayOn: () => void}}
 */
export function showCard(title, content, { stays, testid }) {
  const dismiss = element("button", { type: "button", class: "icon", "aria-label": phrase("dismiss"), "data-testid": `${testid}-dismiss` }, "×");
  const view = element("section", { class: "toast-card", "aria-label": title, "data-testid": testid },
    element("header", { class: "toast-head" }, element("p", { class: "hint" }, title), dismiss), content);
  let timer = null;
  const card = {
    isOpen: true,
    close() {
      clearTimeout(timer);
      card.isOpen = false;
      const held = view.contains(document.activeElement);
      view.remove();
      if (held) focusHeading();
    },
    stayOn() {
      clearTimeout(timer);
      timer = setTimeout(() => (view.matches(":hover, :focus-within") ? card.stayOn() : card.close()), stays);
    },
  };
  dismiss.addEventListener("click", card.close);
  view.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    card.close();
  });
  document.getElementById("cards").append(view);
  card.stayOn();
  return card;
}

/** Moves messages and live regions into an element: a modal dialog hides and silences everything outside of it. */
export function speakIn(place) {
  place.append(announcer(), murmur(), region(), document.getElementById("cards"));
}

/** Runs an action and shows its error; returns whether it succeeded. */
export async function attempt(action) {
  try {
    await action();
    return true;
  } catch (error) {
    toast(explain(error), { tone: "bad" });
    return false;
  }
}

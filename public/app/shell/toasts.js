import { element } from "../ui/dom.js";
import { focusHeading } from "./focus.js";
import { explain } from "../ui/text.js";

const region = () => document.getElementById("toasts");
const announcer = () => document.getElementById("announcer");
const murmur = () => document.getElementById("murmur");

/** Says something to screen readers only: at once, or when they have finished what they are saying. */
export function announce(text, { isUrgent = true } = {}) {
  const place = isUrgent ? announcer() : murmur();
  place.textContent = "";
  // Emptied and filled in one turn, the same words would not be spoken twice.
  setTimeout(() => (place.textContent = text), 50);
}

/** Says something in passing, for everybody. */
export function toast(text, { tone = "plain" } = {}) {
  const shown = element("p", { class: `toast ${tone}` }, text);
  region().append(shown);
  setTimeout(() => shown.remove(), 6000);
}

/**
 * Shows a card in passing with something to do on it. It stays as long as somebody points at it or has the focus in it,
 * and goes with Escape. Nobody's focus is moved.
 * @param {string} title what readers call it
 * @param {Element[]} content
 * @param {{stays: number, testid: string}} options `stays`: for how long, in milliseconds
 * @returns {{isOpen: boolean, close: () => void, stayOn: () => void}}
 */
export function showCard(title, content, { stays, testid }) {
  const dismiss = element("button", { type: "button", class: "icon", "aria-label": "Dismiss", "data-testid": `${testid}-dismiss` }, "×");
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

/** Puts what is said in passing where it is seen and heard: a modal dialog hides and silences all that is outside of it. */
export function speakIn(place) {
  place.append(announcer(), murmur(), region(), document.getElementById("cards"));
}

/** Runs an action and tells what went wrong; gives whether it went well. */
export async function attempt(action) {
  try {
    await action();
    return true;
  } catch (error) {
    toast(explain(error), { tone: "bad" });
    return false;
  }
}

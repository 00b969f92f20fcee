import { element } from "../ui/dom.js";
import { explain } from "../ui/text.js";

const region = () => document.getElementById("toasts");
const announcer = () => document.getElementById("announcer");

/** Says something to screen readers only, at once. */
export function announce(text) {
  announcer().textContent = "";
  // Emptied and filled in one turn, the same words would not be spoken twice.
  setTimeout(() => (announcer().textContent = text), 50);
}

/** Says something in passing, for everybody. */
export function toast(text, { tone = "plain" } = {}) {
  const shown = element("p", { class: `toast ${tone}` }, text);
  region().append(shown);
  setTimeout(() => shown.remove(), 6000);
}

/** Puts what is said in passing where it is seen and heard: a modal dialog hides and silences all that is outside of it. */
export function speakIn(place) {
  place.append(announcer(), region());
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

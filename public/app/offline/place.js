import { keepPlace, keptPlace } from "../account.js";

/** For how long an installed page opens where it was left, in milliseconds. */
const RECENT = 3_600_000;

/**
 * Keeps where the user is in the page. A phone may end a page in the background at any time, and an installed page then
 * starts without an address.
 */
export function followPlace() {
  const keep = () => keepPlace({ address: location.hash, sheet: document.querySelector("[data-sheet]")?.dataset.sheet, at: Date.now() });
  addEventListener("pagehide", keep);
  document.addEventListener("visibilitychange", () => document.hidden && keep());
  const last = lastPlace();
  if (last && location.hash === "" && matchMedia("(display-mode: standalone)").matches) history.replaceState(null, "", last.address);
}

/** Where the user was in the page not long ago: `{address, sheet}`; null otherwise. */
export function lastPlace() {
  const last = keptPlace();
  return last !== null && Date.now() - last.at < RECENT ? last : null;
}

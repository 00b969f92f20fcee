import { keepPlace, keptPlace } from "./kept.js";

/** For how long an installed page opens where it was left, in milliseconds. */
const RECENT = 3_600_000;

/**
 * Keeps where the user is in the page. A phone may end a page in the background at any time, and an installed page then
 * starts without an address.
 */
export function followPlace() {
  addEventListener("pagehide", keep);
  document.addEventListener("visibilitychange", keepWhenHidden);
  const last = lastPlace();
  if (last && location.hash === "" && matchMedia("(display-mode: standalone)").matches) history.replaceState(null, "", last.address);
}

function keep() {
  keepPlace({ address: location.hash, sheet: document.querySelector("[data-sheet]")?.dataset.sheet, at: Date.now() });
}

function keepWhenHidden() {
  if (document.hidden) keep();
}

/** Where the user was in the page not long ago: `{address, sheet}`; null otherwise. */
export function lastPlace() {
  const last = keptPlace();
  return last !== null && Date.now() - last.at < RECENT ? last : null;
}

/**
 * Reloads the page with a newer version, if a service worker has it complete and no other page is open.
 *
 * Called when a page opens, so nothing is lost. Other pages may still need files that the newer version lacks.
 */
export async function beginNewVersion() {
  const { serviceWorker } = navigator;
  const registration = await serviceWorker.getRegistration();
  if (!registration?.waiting) return;
  serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
  registration.waiting.postMessage("begin");
}

/** What survives a reload: the login of all tabs, what belongs to it, and the device of this tab. */
import { local, tab } from "./storage.js";

const TOKEN = "muster.token";
const DEVICE = "muster.device";
const LAST_DEVICE = "muster.device.last";
const LAST_STATE = "muster.last";
const UNSENT = "muster.unsent";
const PLACE = "muster.place";
const KNOWN = "muster.known";

/** The keys that stay after a logout: they are of the browser, and not of its user. */
const OF_BROWSER = [KNOWN, LAST_DEVICE, "muster.map", "muster.language"];

/** The form of the last state: a page does not read what one of another version has kept in another. */
const FORM = 1;

/** The token of the logged-in user; null when there is none. */
export function storedToken() {
  return local.getItem(TOKEN);
}

/** Stores the token of a new login. */
export function rememberToken(token) {
  local.clear(OF_BROWSER);
  local.setItem(TOKEN, token);
  local.setItem(KNOWN, "1");
}

/** Removes a token, and what was kept for its user. A newer login of another tab stays. */
export function forgetToken(token) {
  tab.clear();
  if (storedToken() === token) local.clear(OF_BROWSER);
}

/** Whether somebody has logged in with this browser before. */
export function hasAccount() {
  return local.getItem(KNOWN) !== null;
}

// A page of an ended login neither reads nor writes what belongs to the next.
function kept(token, key, otherwise) {
  return storedToken() === token ? local.get(key, otherwise) : otherwise;
}

function keep(token, key, value) {
  if (storedToken() === token) local.set(key, value);
}

/** The last known state of the user, see `Client.snapshot`; null when there is none. */
export function keptLast(token) {
  const last = kept(token, LAST_STATE, null);
  return last?.form === FORM ? last : null;
}

/** Keeps the last known state of the user. */
export function keepLast(token, state) {
  keep(token, LAST_STATE, { form: FORM, ...state });
}

/** The messages of the user that the server has not accepted, `[{room, key, …}]`. */
export function keptMessages(token) {
  return kept(token, UNSENT, []);
}

/** Keeps the messages of the user that the server has not accepted. */
export function keepMessages(token, messages) {
  keep(token, UNSENT, messages);
}

/** Where the user was in the page, `{address, sheet, at}`; null when it is not known. */
export function keptPlace() {
  return kept(storedToken(), PLACE, null);
}

/** Keeps where the user is in the page. */
export function keepPlace(place) {
  if (storedToken() !== null) keep(storedToken(), PLACE, place);
}

/** Calls `act` when another tab logs in or out. */
export function onTokenChanged(act) {
  addEventListener("storage", (event) => {
    if (event.key === TOKEN || event.key === null) act();
  });
}

/**
 * The device of this tab.
 *
 * A duplicated tab copies the session storage of its original, so a lock guards the key while the tab lives. A tab that
 * does not get the lock creates a new key.
 */
export async function device() {
  let key = tab.getItem(DEVICE);
  // After a reload, the previous document may still hold the lock for a moment.
  for (let attempt = 0; key !== null && !(await hold(key)); attempt += 1) {
    if (attempt === 5) key = null;
    else await new Promise((resolve) => setTimeout(resolve, 50));
  }
  if (key === null) {
    key = `web-${Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
    tab.setItem(DEVICE, key);
    await hold(key);
  }
  local.setItem(LAST_DEVICE, key);
  return { key, kind: "browser", name: browserName() };
}

/** The key of this browser's last device tab; undefined when there was none. The server recognises logins by it. */
export function lastDevice() {
  return local.getItem(LAST_DEVICE) ?? undefined;
}

const held = new Set();

function hold(key) {
  if (held.has(key) || !navigator.locks) return Promise.resolve(true);
  return new Promise((resolve) => {
    navigator.locks.request(`muster.${key}`, { ifAvailable: true }, (lock) => {
      if (!lock) return resolve(false);
      held.add(key);
      resolve(true);
      return new Promise(() => {});
    });
  });
}

function browserName() {
  const agent = navigator.userAgent;
  const names = [["Edg/", "Edge"], ["Firefox/", "Firefox"], ["Chrome/", "Chrome"], ["Safari/", "Safari"]];
  const systems = [["Android", "Android"], ["iPhone", "iPhone"], ["iPad", "iPad"], ["Mac OS", "Mac"], ["Windows", "Windows"], ["Linux", "Linux"]];
  const find = (table, otherwise) => table.find(([mark]) => agent.includes(mark))?.[1] ?? otherwise;
  return `${find(names, "Browser")} on ${find(systems, "a device")}`;
}

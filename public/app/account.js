/** Storage keys that survive a reload: the login of all tabs, and the device of this tab. */

const TOKEN = "muster.token";
const DEVICE = "muster.device";
const LAST_DEVICE = "muster.device.last";

/** The token of the logged-in user; null when there is none. */
export function storedToken() {
  return localStorage.getItem(TOKEN);
}

/** Stores the token. */
export function rememberToken(token) {
  localStorage.setItem(TOKEN, token);
}

/** Removes the token. */
export function forgetToken() {
  localStorage.removeItem(TOKEN);
  sessionStorage.removeItem(DEVICE);
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
  let key = sessionStorage.getItem(DEVICE);
  // After a reload, the previous document may still hold the lock for a moment.
  for (let attempt = 0; key !== null && !(await hold(key)); attempt += 1) {
    if (attempt === 5) key = null;
    else await new Promise((resolve) => setTimeout(resolve, 50));
  }
  if (key === null) {
    key = `web-${Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
    sessionStorage.setItem(DEVICE, key);
    await hold(key);
  }
  localStorage.setItem(LAST_DEVICE, key);
  return { key, kind: "browser", name: browserName() };
}

/** The key of this browser's last device tab; undefined when there was none. The server recognises logins by it. */
export function lastDevice() {
  return localStorage.getItem(LAST_DEVICE) ?? undefined;
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

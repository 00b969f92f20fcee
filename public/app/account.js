/** What survives a reload: who is logged in, for all tabs, and which device this tab is. */

const TOKEN = "muster.token";
const DEVICE = "muster.device";
const LAST_DEVICE = "muster.device.last";

/** The token of whoever is logged in; null when nobody is. */
export function storedToken() {
  return localStorage.getItem(TOKEN);
}

/** Remembers who is logged in. */
export function rememberToken(token) {
  localStorage.setItem(TOKEN, token);
}

/** Forgets who is logged in. */
export function forgetToken() {
  localStorage.removeItem(TOKEN);
  sessionStorage.removeItem(DEVICE);
}

/** Tells when another tab logs in or out. */
export function onTokenChanged(act) {
  addEventListener("storage", (event) => {
    if (event.key === TOKEN || event.key === null) act();
  });
}

/**
 * This tab as a device. A duplicated tab copies the session storage of its original, so the key is held by a lock
 * while the tab lives; who does not get it takes a new one.
 */
export async function device() {
  let key = sessionStorage.getItem(DEVICE);
  // A reload may find the lock still held by the document that it replaces, for a moment.
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

/** The key of the tab of this browser that was last a device; undefined when none was. Logins of it are known again by it. */
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

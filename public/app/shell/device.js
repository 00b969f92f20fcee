import { rememberDevice } from "../account.js";
import { tab } from "../storage.js";

const DEVICE = "muster.device";

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
  rememberDevice(key);
  return { key, kind: "browser", name: browserName() };
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

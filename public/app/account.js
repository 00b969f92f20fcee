/** What survives a reload: the login of all tabs, and the names by which the server knows this browser. */
import { local, tab } from "./storage.js";

const TOKEN = "muster.token";
const LAST_DEVICE = "muster.device.last";
const KNOWN = "muster.known";

/** The keys that stay after a logout: they are of the browser, and not of its user. */
const OF_BROWSER = [KNOWN, LAST_DEVICE, "muster.map", "muster.language"];

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

/** Calls `act` when another tab logs in or out. */
export function onTokenChanged(act) {
  addEventListener("storage", (event) => {
    if (event.key === TOKEN || event.key === null) act();
  });
}

/** Keeps the key of the device that this browser used last. */
export function rememberDevice(key) {
  local.setItem(LAST_DEVICE, key);
}

/** The key of this browser's last device tab; undefined when there was none. The server recognises logins by it. */
export function lastDevice() {
  return local.getItem(LAST_DEVICE) ?? undefined;
}

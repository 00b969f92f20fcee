/** What the browser keeps of a user for the next page. It goes with the login. */
import { storedToken } from "../account.js";
import { local } from "../storage.js";

const LAST_STATE = "muster.last";
const UNSENT = "muster.unsent";
const PLACE = "muster.place";

/** The form of the last state: a page does not read what one of another version has kept in another. */
const FORM = 1;

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

/**
 * Sign-in by other providers: the way to them and back.
 *
 * The secret of a sign-in stays in this tab's session storage; the address carries only a ticket, which is worth nothing
 * without it.
 */
import { exchangeTicket, startSignIn } from "../../client/calls.js";
import { tab } from "../storage.js";
import { hasPhrase, phrase } from "../ui/words.js";

const FLOW = "muster.flow";
const LOGGED_OUT = "muster.logged-out";

/** An error of a sign-in in words, by the code in the address or of the server's answer. */
export function signInTrouble(code) {
  return hasPhrase(`provider.trouble.${code}`) ? phrase(`provider.trouble.${code}`) : phrase("provider.trouble.failed");
}

/** Notes that the user logged out, so that the next sign-in asks the provider for a new login. */
export function noteLogout() {
  tab.setItem(LOGGED_OUT, "1");
}

/**
 * Leaves the page for a provider.
 * @param {string} provider its id
 * @param {{purpose: "login"|"link"|"confirm", token?: string}} wish
 */
export async function leaveFor(provider, { purpose, token }) {
  const fresh = tab.getItem(LOGGED_OUT) !== null;
  const { url, flow } = await startSignIn(location.origin, provider, { purpose, return: "/", fresh }, token);
  tab.set(FLOW, { flow, purpose, hash: location.hash });
  location.assign(url);
}

/**
 * What a provider's way back brought, and removes it from the address; null when the page was opened otherwise.
 * @returns {{ticket: string|null, trouble: string|null, purpose: string, flow: string|null}|null}
 */
export function takeReturn() {
  const [, name, value] = /^#(ticket|auth_error)=([\w-]+)$/.exec(location.hash) ?? [];
  if (name === undefined) return null;
  const kept = tab.get(FLOW);
  tab.removeItem(FLOW);
  history.replaceState(null, "", location.pathname + location.search + (kept?.hash ?? ""));
  return {
    ticket: name === "ticket" ? value : null,
    trouble: name === "auth_error" ? value : kept === null ? "gone" : null,
    purpose: kept?.purpose ?? "login",
    flow: kept?.flow ?? null,
  };
}

/** Redeems the ticket of a way back; returns the server's answer. */
export async function redeem({ ticket, flow }, token) {
  const answer = await exchangeTicket(location.origin, { ticket, flow }, token);
  tab.removeItem(LOGGED_OUT);
  return answer;
}

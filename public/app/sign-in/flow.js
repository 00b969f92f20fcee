/**
 * Sign-in by other providers: the way to them and back.
 *
 * The secret of a sign-in stays in this tab's session storage; the address carries only a ticket, which is worth nothing
 * without it.
 */
import { exchangeTicket, startSignIn } from "../../client/http.js";

const FLOW = "muster.flow";
const LOGGED_OUT = "muster.logged-out";

/** What the page says of a sign-in that did not succeed, by the code in the address or of the server's answer. */
const TROUBLES = {
  denied: "The sign-in was cancelled.",
  failed: "The provider could not sign you in. Try again.",
  gone: "This sign-in took too long or was used already. Try again.",
  unauthorized: "The sign-in could not be confirmed. Try again.",
  forbidden: "This server does not let you in with this account.",
  conflict: "This login belongs to another account here.",
  unavailable: "The provider does not answer. Try again later.",
  rate_limited: "Too many attempts. Wait a minute.",
  not_found: "This server does not offer this provider any more.",
};

/** An error of a sign-in in words. */
export function signInTrouble(code) {
  return TROUBLES[code] ?? TROUBLES.failed;
}

/** Notes that the user logged out, so that the next sign-in asks the provider for a new login. */
export function noteLogout() {
  sessionStorage.setItem(LOGGED_OUT, "1");
}

/**
 * Leaves the page for a provider.
 * @param {string} provider its id
 * @param {{purpose: "login"|"link"|"confirm", token?: string, then?: object}} wish `then`: what the page keeps for the way back
 */
export async function leaveFor(provider, { purpose, token, then = null }) {
  const fresh = sessionStorage.getItem(LOGGED_OUT) !== null;
  const { url, flow } = await startSignIn(location.origin, provider, { purpose, return: "/", fresh }, token);
  sessionStorage.setItem(FLOW, JSON.stringify({ flow, purpose, then, hash: location.hash }));
  location.assign(url);
}

/**
 * What a provider's way back brought, and removes it from the address; null when the page was opened otherwise.
 * @returns {{ticket: string|null, trouble: string|null, purpose: string, flow: string|null, then: object|null}|null}
 */
export function takeReturn() {
  const [, name, value] = /^#(ticket|auth_error)=([\w-]+)$/.exec(location.hash) ?? [];
  if (name === undefined) return null;
  let kept = null;
  try {
    kept = JSON.parse(sessionStorage.getItem(FLOW));
  } catch {
    // Another script wrote it: as if there were none.
  }
  sessionStorage.removeItem(FLOW);
  history.replaceState(null, "", location.pathname + location.search + (kept?.hash ?? ""));
  return {
    ticket: name === "ticket" ? value : null,
    trouble: name === "auth_error" ? value : kept === null ? "gone" : null,
    purpose: kept?.purpose ?? "login",
    flow: kept?.flow ?? null,
    then: kept?.then ?? null,
  };
}

/** Redeems the ticket of a way back; returns the server's answer. */
export async function redeem({ ticket, flow }, token) {
  const answer = await exchangeTicket(location.origin, { ticket, flow }, token);
  sessionStorage.removeItem(LOGGED_OUT);
  return answer;
}

/** What went wrong, as the server said it in an `error` frame or a problem, or as this client found it. */
export class MusterError extends Error {
  /** @param {{code: string, message?: string, retry?: boolean, retryAfter?: number, field?: string, pin?: object, status?: number}} of */
  constructor({ code, message, retry = false, retryAfter, field, pin, status }) {
    super(message ?? code);
    this.name = "MusterError";
    /** An error code of the protocol, or `unreachable`, `timeout`, `connection_lost`, `stopped` from this client. */
    this.code = code;
    /** Whether the same request may succeed later. */
    this.retry = retry;
    /** Milliseconds after which it may. */
    this.retryAfter = retryAfter;
    /** With `bad_request`: the field that is wrong. */
    this.field = field;
    /** With `conflict` over a pin: the one that stands. */
    this.pin = pin;
    /** The HTTP status, when it came by HTTP. */
    this.status = status;
  }
}

async function call(base, method, path, { token, body, signal } = {}) {
  const headers = { Accept: "application/json" };
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let response;
  try {
    response = await fetch(new URL(path, base), {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new MusterError({ code: "unreachable", message: "The server cannot be reached.", retry: true });
  }
  if (response.status === 204) return null;
  const answer = await response.json().catch(() => null);
  if (response.ok && answer !== null) return answer;
  throw refusal(response.status, answer, response.headers.get("Retry-After"));
}

/** What an answer says that is no success: by its problem document, or by its status when it brought none. */
export function refusal(status, problem, retryAfter) {
  const seconds = Number(retryAfter);
  return new MusterError({
    code: problem?.code ?? (status >= 500 ? "unavailable" : status === 413 ? "too_large" : "bad_request"),
    message: problem?.detail ?? problem?.title ?? `The server answered ${status}.`,
    retry: status >= 500 || status === 429,
    retryAfter: problem?.retryAfter ?? (seconds > 0 ? seconds * 1000 : undefined),
    field: problem?.field,
    status,
  });
}

/** Creates an account. @returns {Promise<{user: object, token: string, expiresAt: number}>} */
export const signUp = (base, { username, password, name }) =>
  call(base, "POST", "/v1/accounts", { body: { username, password, name } });

/**
 * Logs in.
 * @param {{username: string, password: string, device?: string}} credentials `device`: the key by which this device last said
 *   hello; whoever tries passwords elsewhere does not hold it back
 * @returns {Promise<{user: object, token: string, expiresAt: number}>}
 */
export const logIn = (base, { username, password, device }) =>
  call(base, "POST", "/v1/sessions", { body: { username, password, device } });

/** Logs out: the token is dead, and its connections end. */
export const logOut = (base, token) => call(base, "DELETE", "/v1/sessions/current", { token });

/** One's own profile. @returns {Promise<{id: string, username: string, name: string, avatar: string|null}>} */
export const me = (base, token) => call(base, "GET", "/v1/me", { token });

/** Changes one's name or picture; gives the profile as it is then. */
export const updateMe = (base, token, changes) => call(base, "PATCH", "/v1/me", { token, body: changes });

/** Whom one blocks, by name. @returns {Promise<{blocked: {id: string, name: string, avatar: string|null}[]}>} */
export const blocked = (base, token) => call(base, "GET", "/v1/me/blocked", { token });

/** Deletes the account and all that belongs to it. */
export const deleteMe = (base, token) => call(base, "DELETE", "/v1/me", { token });

/**
 * A page of a group's gatherings, the newest first; one that lasts has no `endedAt`.
 * @param {{after?: string|null, limit?: number}} [page] `after`: `next` of the page before
 * @returns {Promise<{gatherings: object[], next: string|null}>}
 */
export const gatherings = (base, token, group, { after = null, limit = 20 } = {}) =>
  call(base, "GET", `/v1/groups/${encodeURIComponent(group)}/gatherings?${new URLSearchParams({ limit, ...(after !== null && { after }) })}`, { token });

/**
 * Makes a picture of where a group is.
 * @param {{about?: string, expiresIn?: number, names?: "full"|"initials"}} wish `about`: a member from whom lines go to the others; `expiresIn`: seconds
 * @returns {Promise<{id: string, url: string, image: string, text: string, shown: string[], expiresAt: number}>}
 */
export const makeShare = (base, token, group, wish = {}) =>
  call(base, "POST", `/v1/groups/${encodeURIComponent(group)}/shares`, { token, body: wish });

/** The pictures of a group that can be seen now, the newest first: `{id, by, shown, names, at, expiresAt, url, image}`. */
export const shares = async (base, token, group) =>
  (await call(base, "GET", `/v1/groups/${encodeURIComponent(group)}/shares`, { token })).shares;

/** Takes a picture back: for who made it, who is on it, and the group's owner. */
export const revokeShare = (base, token, share) => call(base, "DELETE", `/v1/shares/${encodeURIComponent(share)}`, { token });

/** Whom one would join with an invite: `{code, group: {name, members}, inviter, expiresAt}`. */
export const invitePreview = (base, code) => call(base, "GET", `/v1/invites/${encodeURIComponent(code)}`);

/**
 * A page of the points of a cluster, as features; `next` leads to the page behind it. Layers of groups need a token.
 * @param {{token?: string, after?: string|null, limit?: number}} [page] `after`: `next` of the page before
 * @returns {Promise<{leaves: object[], next: string|null}>}
 */
export const clusterLeaves = (base, layer, id, { token, after = null, limit = 100 } = {}) =>
  call(base, "GET", `/v1/clusters/${encodeURIComponent(layer)}/${encodeURIComponent(id)}/leaves?${new URLSearchParams({ limit, ...(after !== null && { after }) })}`, { token });

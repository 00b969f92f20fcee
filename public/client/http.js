/** An error from the server, in an `error` frame or a problem document, or one detected by this client. */
export class MusterError extends Error {
  /**
   * @param {{code: string, message?: string, retry?: boolean, retryAfter?: number, field?: string, pin?: object,
   *   status?: number, reauth?: boolean}} of
   */
  constructor({ code, message, retry = false, retryAfter, field, pin, status, reauth = false }) {
    super(message ?? code);
    this.name = "MusterError";
    /** An error code of the protocol, or `unreachable`, `timeout`, `connection_lost`, `stopped` from this client. */
    this.code = code;
    /** Whether the same request may succeed later. */
    this.retry = retry;
    /** The delay in milliseconds after which it may succeed. */
    this.retryAfter = retryAfter;
    /** With `bad_request`: the invalid field. */
    this.field = field;
    /** With `conflict` over a pin: the existing pin. */
    this.pin = pin;
    /** The HTTP status, when the error came over HTTP. */
    this.status = status;
    /** With `unauthorized`: whether the token is good, and only the proof of who uses it is too old. */
    this.needsNewLogin = reauth;
  }
}

/** Makes a call, and returns the answer; null when it has no content. */
export async function call(base, method, path, { token, body, signal } = {}) {
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

/** Builds the error of an unsuccessful response from its problem document, or from its status when there is none. */
export function refusal(status, problem, retryAfter) {
  const seconds = Number(retryAfter);
  return new MusterError({
    code: problem?.code ?? (status >= 500 ? "unavailable" : status === 413 ? "too_large" : "bad_request"),
    message: problem?.detail ?? problem?.title ?? `The server answered ${status}.`,
    retry: status >= 500 || status === 429,
    retryAfter: problem?.retryAfter ?? (seconds > 0 ? seconds * 1000 : undefined),
    field: problem?.field,
    reauth: problem?.reauth,
    status,
  });
}

/** Creates an account. @returns {Promise<{user: object, token: string, expiresAt: number}>} */
export const signUp = (base, { username, password, name }) =>
  call(base, "POST", "/v1/accounts", { body: { username, password, name } });

/**
 * Logs in.
 * @param {{username: string, password: string, device?: string}} credentials `device`: the key of this device's last
 *   hello; failed logins from other devices do not delay its login
 * @returns {Promise<{user: object, token: string, expiresAt: number}>}
 */
export const logIn = (base, { username, password, device }) =>
  call(base, "POST", "/v1/sessions", { body: { username, password, device } });

/** The ways to log in. @returns {Promise<{passwords: boolean, providers: {id: string, name: string, available: boolean}[]}>} */
export const authProviders = (base) => call(base, "GET", "/v1/auth/providers");

/** The group behind an invite: `{code, group: {name, members}, inviter, expiresAt}`. */
export const invitePreview = (base, code) => call(base, "GET", `/v1/invites/${encodeURIComponent(code)}`);

import { call } from "./http.js";

/**
 * Logs out: revokes the token and closes its connections.
 * @returns {Promise<{logoutUrl: string}|null>} the address that ends the session at the provider, after a sign-in there
 */
export const logOut = (base, token) => call(base, "DELETE", "/v1/sessions/current", { token });

/** Ends all logins of the user; the answer is that of `logOut`. */
export const logOutEverywhere = (base, token) => call(base, "DELETE", "/v1/sessions", { token });

/** Shows again who uses a login, by the password. */
export const confirmLogin = (base, token, current) => call(base, "POST", "/v1/sessions/current/confirm", { token, body: { current } });

/** Sets or changes the password; ends the user's other logins. @param {{new: string, current?: string}} passwords */
export const setPassword = (base, token, passwords) => call(base, "PUT", "/v1/me/password", { token, body: passwords });

/**
 * Begins a sign-in by a provider. `link` and `confirm` need a token.
 * @param {{purpose: "login"|"link"|"confirm", return?: string, fresh?: boolean}} wish
 * @returns {Promise<{url: string, flow: string}>} the address to open, and the secret that stays in the tab
 */
export const startSignIn = (base, provider, wish, token) => call(base, "POST", `/v1/auth/${encodeURIComponent(provider)}/start`, { token, body: wish });

/** Redeems the ticket of a sign-in; the answer depends on its purpose, and is null for `confirm`. */
export const exchangeTicket = (base, { ticket, flow }, token) => call(base, "POST", "/v1/auth/exchange", { token, body: { ticket, flow } });

/** The user's identities at providers. @returns {Promise<{password: boolean, identities: object[]}>} */
export const identities = (base, token) => call(base, "GET", "/v1/me/identities", { token });

/** Unlinks an identity. */
export const unlinkIdentity = (base, token, id) => call(base, "DELETE", `/v1/me/identities/${encodeURIComponent(id)}`, { token });

/** The public key for subscriptions to notifications; `not_found` where the server sends none. @returns {Promise<{key: string}>} */
export const pushKey = (base) => call(base, "GET", "/v1/push/key");

/** The devices and servers that get the user's notifications. @returns {Promise<{targets: object[]}>} */
export const pushTargets = (base, token) => call(base, "GET", "/v1/push/targets", { token });

/**
 * Registers a device or server for notifications.
 * @param {{type: string, subscription?: object, lang?: string, name?: string}} target
 * @returns {Promise<{id: string, renew?: string, secret?: string}>}
 */
export const addPushTarget = (base, token, target) => call(base, "POST", "/v1/push/targets", { token, body: target });

/** Stops notifications to a device or server. */
export const removePushTarget = (base, token, id) => call(base, "DELETE", `/v1/push/targets/${encodeURIComponent(id)}`, { token });

/** Sends a test to a device or server. */
export const testPushTarget = (base, token, id) => call(base, "POST", `/v1/push/targets/${encodeURIComponent(id)}/test`, { token, body: {} });

/** What the user wants to be told while the app is closed. @returns {Promise<{kinds: object, muted: object, quiet?: object, key?: string}>} `key`: for subscriptions, where the server sends any */
export const pushSettings = (base, token) => call(base, "GET", "/v1/me/push", { token });

/** Changes what the user wants to be told while the app is closed; returns the new settings. */
export const updatePushSettings = (base, token, changes) => call(base, "PATCH", "/v1/me/push", { token, body: changes });

/** The user's own profile. @returns {Promise<{id: string, username: string, name: string, avatar: string|null}>} */
export const me = (base, token) => call(base, "GET", "/v1/me", { token });

/** Changes the user's name or picture; returns the new profile. */
export const updateMe = (base, token, changes) => call(base, "PATCH", "/v1/me", { token, body: changes });

/**
 * Adds a phone that reports by an app of its own: `owntracks`, `overland`, `osmand` or `traccar`.
 *
 * The token, and the link and the picture that contain it, are in no later answer.
 *
 * @returns {Promise<{device: string, token: string, link: string, qr?: string}>} `qr` is an SVG
 */
export const addTracker = (base, token, { app, name }) => call(base, "POST", "/v1/me/trackers", { token, body: { app, name } });

/** The phones that report by an app of their own, oldest first. @returns {Promise<{trackers: object[]}>} */
export const trackers = (base, token) => call(base, "GET", "/v1/me/trackers", { token });

/** Removes such a phone: its token is invalid from now on. */
export const removeTracker = (base, token, device) => call(base, "DELETE", `/v1/me/trackers/${encodeURIComponent(device)}`, { token });

/** The blocked users, by name. @returns {Promise<{blocked: {id: string, name: string, avatar: string|null}[]}>} */
export const blocked = (base, token) => call(base, "GET", "/v1/me/blocked", { token });

/** Deletes the account and all its data. */
export const deleteMe = (base, token) => call(base, "DELETE", "/v1/me", { token });

/**
 * A page of a group's gatherings, newest first; a current gathering has no `endedAt`.
 * @param {{after?: string|null, limit?: number}} [page] `after`: `next` of the previous page
 * @returns {Promise<{gatherings: object[], next: string|null}>}
 */
export const gatherings = (base, token, group, { after = null, limit = 20 } = {}) =>
  call(base, "GET", `/v1/groups/${encodeURIComponent(group)}/gatherings?${new URLSearchParams({ limit, ...(after !== null && { after }) })}`, { token });

/**
 * Creates a picture of a group's positions.
 * @param {{about?: string, expiresIn?: number, names?: "full"|"initials"}} wish `about`: a member from whom lines lead
 *   to the others; `expiresIn`: seconds
 * @returns {Promise<{id: string, url: string, image: string, text: string, shown: string[], expiresAt: number}>}
 */
export const makeShare = (base, token, group, wish = {}) =>
  call(base, "POST", `/v1/groups/${encodeURIComponent(group)}/shares`, { token, body: wish });

/** A group's share pictures that are visible now, newest first: `{id, by, shown, names, at, expiresAt, url, image}`. */
export const shares = async (base, token, group) =>
  (await call(base, "GET", `/v1/groups/${encodeURIComponent(group)}/shares`, { token })).shares;

/** Revokes a share picture. Its author, the people in it and the owner of the group may do so. */
export const revokeShare = (base, token, share) => call(base, "DELETE", `/v1/shares/${encodeURIComponent(share)}`, { token });

/**
 * A page of the points of a cluster, as features. Layers of groups need a token.
 * @param {{token?: string, after?: string|null, limit?: number}} [page] `after`: `next` of the previous page
 * @returns {Promise<{leaves: object[], next: string|null}>}
 */
export const clusterLeaves = (base, layer, id, { token, after = null, limit = 100 } = {}) =>
  call(base, "GET", `/v1/clusters/${encodeURIComponent(layer)}/${encodeURIComponent(id)}/leaves?${new URLSearchParams({ limit, ...(after !== null && { after }) })}`, { token });

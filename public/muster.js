/**
 * A client for Muster in the browser, without dependencies.
 *
 * ```js
 * import * as Muster from "https://muster.example/muster.js";
 *
 * const { token } = await Muster.logIn(url, { username: "ada", password: "…" });
 * const client = new Muster.Client({ url, token, device: { key: "web-5f1c", kind: "browser" } });
 * client.addEventListener("roster", ({ detail }) => …);
 * client.start();
 * ```
 *
 * For a phone's battery, `client.isSaving = true` sends fixes on significant changes only (`SIGNIFICANT_CHANGE`), and
 * `client.watchSpots({ scope: "nearby" })` has spots come by themselves, as `new_spot` events.
 *
 * `client.watchTiles({ layer: "spots", zoom, bbox })` has the clusters of a map come and stay true: `tiles` events tell when
 * `client.tiles("spots")` has changed.
 *
 * The light client for a wrist, which is told glances and nothing else, is a module of its own, so that neither carries the
 * other: `WatchClient` in `/client/watch-client.js`. So is sending photos: `uploadPhoto` in `/client/photos.js`.
 *
 * `Client` says what it does and which events it tells. The parts that it is made of are here too, for those who
 * want only one of them.
 */
export { Client } from "./client/client.js";
export { Connection } from "./client/connection.js";
export { Backoff } from "./client/backoff.js";
export { FixQueue } from "./client/fix-queue.js";
export { FixReporter } from "./client/fix-reporter.js";
export { Roster, freshnessAt, hasPosition } from "./client/roster.js";
export { SIGNIFICANT_CHANGE, SignificantChange } from "./client/significant-change.js";
export { SpotWatch } from "./client/spot-watch.js";
export { TileSet, TileWatches, tileCover } from "./client/tiles.js";
export { TokenBucket } from "./client/token-bucket.js";
export { MusterError, blocked, clusterLeaves, deleteMe, gatherings, invitePreview, logIn, logOut, makeShare, me, revokeShare, shares, signUp, updateMe } from "./client/http.js";

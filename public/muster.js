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
 * To save a phone's battery, `client.isSaving = true` sends fixes on significant changes only (`SIGNIFICANT_CHANGE`).
 * `client.watchSpots({ scope: "nearby" })` subscribes to spots, which arrive as `new_spot` events.
 *
 * `client.watchTiles({ layer: "spots", zoom, bbox })` subscribes to the clusters of a map: `tiles` events report
 * changes of `client.tiles("spots")`.
 *
 * The client for a watch, which receives only glances, is a separate module, so that neither loads the other:
 * `WatchClient` in `/client/watch-client.js`. Uploading photos is separate too: `uploadPhoto` in `/client/photos.js`.
 *
 * `Client` documents its methods and events. Its components are exported here, too, for separate use.
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
export {
  addPushTarget, addTracker, blocked, clusterLeaves, deleteMe, gatherings, logOut, makeShare, me, pushKey,
  pushSettings, pushTargets, removePushTarget, removeTracker, revokeShare, shares, testPushTarget, trackers, updateMe,
  updatePushSettings,
} from "./client/calls.js";
export { MusterError, authProviders, invitePreview, logIn, signUp } from "./client/http.js";
